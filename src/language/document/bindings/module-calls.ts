import type { CalledModule, ModuleRun } from "../trace/trace.ts";
import type { TracedOperator } from "../trace/traced.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { pathOf, rootOf } from "./module-places.ts";

/** Finds the module whose call made an operator. Module paths are read at the first lookup. */
export function moduleCalls(
  modules: ModuleClasses,
): (operator: TracedOperator) => CalledModule | undefined {
  let places: ReturnType<ModuleClasses["places"]> | undefined;
  return ({ frames, layer, inside, called }) => {
    places ??= modules.places();
    const around = frames.flatMap(({ receiver }) => (modules.isModule(receiver) ? [receiver] : []));
    const module = layer ?? around.at(-1) ?? (called && inside);
    if (module === undefined || !modules.isModule(module)) return undefined;
    const path = dotted(pathOf(module, places));
    return { root: rootOf(module, places), path, called: called ?? around[0] ?? module, module };
  };
}

/** Every module run so far, in program order, with the present module paths. */
export function moduleRuns(modules: ModuleClasses): readonly ModuleRun[] {
  const places = modules.places();
  return modules.hooks.runs.map(({ module, args }) => ({
    ...{ module, args, root: rootOf(module, places), path: dotted(pathOf(module, places)) },
  }));
}

/** Path with dots in place of brackets: `blocks.3.attn` for `blocks[3].attn`. */
function dotted(path: string): string {
  return path.replace(/\[(\d+)\]/g, ".$1");
}
