import { hostFunction, none, passedOn } from "#language/document/bindings/values";
import type { HostFunction } from "#language/python";

/** A function that gives its first argument; called with words alone it is a decorator that changes nothing. */
export function quietFunction(name: string): HostFunction {
  return hostFunction(name, ([first]) =>
    first?.name === undefined ? (first?.value ?? none) : passedOn(name),
  );
}
