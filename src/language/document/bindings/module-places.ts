import type { InstanceValue, Value } from "#language/python";
import type { TracedOperator } from "../traced.ts";

/** Where a module stands: an attribute of another one, or an element of one that is a list. */
export interface ModulePlace {
  readonly parent: InstanceValue;
  readonly local: string;
  readonly isElement: boolean;
}

/** Modules of which a method that does not make them computes something. */
export function receiversIn(operators: readonly TracedOperator[]): ReadonlySet<Value> {
  const found = new Set<Value>();
  for (const { frames } of operators) {
    const isMade = (receiver: Value) =>
      frames.some((each) => each.receiver === receiver && isInit(each.callee));
    for (const { receiver } of frames)
      if (receiver !== undefined && !found.has(receiver) && !isMade(receiver)) found.add(receiver);
  }
  return found;
}

function isInit(callee: object): boolean {
  return "name" in callee && callee.name === "__init__";
}

/** The path of a module from its root; the root itself has none. */
export function pathOf(
  instance: InstanceValue,
  places: ReadonlyMap<InstanceValue, ModulePlace>,
): string {
  const place = places.get(instance);
  if (place === undefined) return "";
  const above = pathOf(place.parent, places);
  const isIndex = place.local.startsWith("[");
  return above === "" || isIndex ? `${above}${place.local}` : `${above}.${place.local}`;
}

/** The outermost module around a module; itself where nothing is. */
export function rootOf(
  instance: InstanceValue,
  places: ReadonlyMap<InstanceValue, ModulePlace>,
): InstanceValue {
  const parent = places.get(instance)?.parent;
  return parent === undefined ? instance : rootOf(parent, places);
}
