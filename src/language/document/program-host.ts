import type { Host } from "#language/python";
import { hostBindings } from "./bindings/host-bindings.ts";
import type { ReadingSystem } from "./system.ts";
import { Recorder } from "./trace/recorder.ts";

/**
 * The host for a strict evaluation, as in CPython with the systems installed: their modules can be
 * imported, but there are no native bindings, and undefined names raise NameError.
 */
export function programHost(systems: readonly ReadingSystem[]): Host {
  const bindings = hostBindings(new Recorder(), "", systems);
  return {
    globals: new Map(),
    importModule: (name) => bindings.modules.knownStrictly(name),
  };
}
