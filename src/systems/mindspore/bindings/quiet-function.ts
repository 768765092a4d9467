import { hostFunction, none, passedOn } from "#language/document/bindings/values";
import type { HostFunction } from "#language/python";

/**
 * A function that returns its first argument; called with keywords only, it returns an identity
 * decorator.
 */
export function quietFunction(name: string): HostFunction {
  return hostFunction(name, ([first]) =>
    first?.name === undefined ? (first?.value ?? none) : passedOn(name),
  );
}
