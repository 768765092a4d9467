import type { CalledModule } from "../trace/trace.ts";
import type { TracedOperator } from "../trace/traced.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { pathOf, rootOf } from "./module-places.ts";

/**
 * Finds the module of the program whose call makes an operator; the tree of modules is read at the
 * first call.
 */
export function moduleCalls(
  modules: ModuleClasses,
): (operator: TracedOperator) => CalledModule | undefined {
  let places: ReturnType<ModuleClasses["places"]> | undefined;
  return ({ frames, layer }) => {
    places ??= modules.places();
    const around = frames.flatMap(({ receiver }) => (modules.isModule(receiver) ? [receiver] : []));
    const module = layer ?? around.at(-1);
    if (module === undefined || !modules.isModule(module)) return undefined;
    const path = pathOf(module, places).replace(/\[(\d+)\]/g, ".$1");
    return { root: rootOf(module, places), path, called: around[0] ?? module };
  };
}
