import type { CodeInput } from "#systems/arrays";
import { type LoadedTarget, loadTargets, type WrittenCode } from "./code.ts";

const targets = await loadTargets();

/** Every engine that plans can be written for. */
export const allTargets: readonly LoadedTarget[] = [...targets.values()];

/** The engine of a name, which must exist. */
export function targetNamed(name: string): LoadedTarget {
  const target = targets.get(name);
  if (target === undefined) throw new Error(`no plan is written for "${name}"`);
  return target;
}

/** A plan as code of an engine, which must exist. */
export function writeCode(input: CodeInput, target: string): WrittenCode {
  return targetNamed(target).write(input);
}
