import type { Host } from "#language/python";
import { hostBindings } from "./bindings/host-bindings.ts";
import { Recorder } from "./recorder.ts";
import type { ReadingSystem } from "./system.ts";

/**
 * What a program may import when it is evaluated strictly, as CPython would with the systems
 * installed: their modules, but no native bindings, and no reading of
 * names that are not defined.
 */
export function programHost(systems: readonly ReadingSystem[]): Host {
  const bindings = hostBindings(new Recorder(), "", systems);
  return {
    globals: new Map(),
    importModule: (name) => bindings.modules.knownStrictly(name),
  };
}
