import type { CodeInput } from "#systems/arrays";
import { type LoadedTarget, loadTargets, type WrittenCode } from "./code.ts";

const targets = await loadTargets();

/** Every engine that plans are written for. */
export const allTargets: readonly LoadedTarget[] = [...targets.values()];

/** The engine of a name that is known to be there. */
export function targetNamed(name: string): LoadedTarget {
  const target = targets.get(name);
  if (target === undefined) throw new Error(`no plan is written for "${name}"`);
  return target;
}

/** A plan as code of an engine that is known to be there. */
export function writeCode(input: CodeInput, target: string): WrittenCode {
  return targetNamed(target).write(input);
}
