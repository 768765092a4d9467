import type { Host } from "#language/python";
import { Recorder } from "./recorder.ts";
import type { ReadingSystem } from "./system.ts";
import { allWords } from "./words/all-words.ts";

/**
 * What a program may import when it is evaluated strictly, as CPython would with the systems
 * installed: their modules, but no native words, and no reading of
 * names that are not defined.
 */
export function programHost(systems: readonly ReadingSystem[]): Host {
  const words = allWords(new Recorder(), "", systems);
  return {
    globals: new Map(),
    importModule: (name) => words.modules.knownStrictly(name),
  };
}
