import { hostFunction, none } from "#language/document/bindings/values";
import type { Argument, HostFunction, Value } from "#language/python";

/** A function that gives its first argument; called with words alone it is a decorator that changes nothing. */
export function quietFunction(name: string): HostFunction {
  return hostFunction(name, ([first]) =>
    first?.name === undefined ? (first?.value ?? none) : hostFunction(name, itself),
  );
}

function itself([first]: readonly Argument[]): Value {
  return first?.value ?? none;
}
