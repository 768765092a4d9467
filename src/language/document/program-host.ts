import type { Host } from "#language/python";
import { hostBindings } from "./bindings/host-bindings.ts";
import type { ReadingSystem } from "./system.ts";
import { Recorder } from "./trace/recorder.ts";

/**
 * Host for a strict evaluation, as CPython with the systems installed: system modules can be
 * imported, native words are missing, and undefined names raise NameError.
 */
export function programHost(systems: readonly ReadingSystem[]): Host {
  const bindings = hostBindings(new Recorder(), "", systems);
  return {
    globals: new Map(),
    importModule: (name) => bindings.modules.knownStrictly(name),
  };
}
