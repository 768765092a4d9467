import type { InstanceValue, Value } from "#language/python";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import { itemsName } from "./list-items.ts";

/** Position of a module in its parent: an attribute, or an item of a list. */
export interface ModulePlace {
  readonly parent: InstanceValue;
  readonly local: string;
  readonly isElement: boolean;
}

/**
 * Position of each module inside its parents; the first one found.
 *
 * @param standsFor modules that represent all items of a list, by the first item
 */
export function placesIn(
  modules: Iterable<InstanceValue>,
  isModule: (value: Value) => value is InstanceValue,
  standsFor: ReadonlyMap<InstanceValue, InstanceValue> = new Map(),
): ReadonlyMap<InstanceValue, ModulePlace> {
  const places = new Map<InstanceValue, ModulePlace>();
  const place = (parent: InstanceValue, local: string, value: Value, seen?: Set<Value>) => {
    if (value.kind === "list" || value.kind === "tuple") {
      if (seen?.has(value) === true) return;
      const inside = (seen ?? new Set()).add(value);
      for (const [at, item] of value.items.entries())
        place(parent, `${local}[${at}]`, item, inside);
    } else if (isModule(value) && value !== parent && !places.has(value)) {
      places.set(value, { parent, local, isElement: seen !== undefined });
    }
  };
  for (const parent of modules)
    for (const [name, value] of parent.attributes)
      if (name !== itemsName) place(parent, name, value);
      else if (value.kind === "list" || value.kind === "tuple")
        for (const [at, item] of value.items.entries()) place(parent, `[${at}]`, item, new Set());
  return standsFor.size === 0 ? places : withStandIns(places, standsFor);
}

/** Adds positions of modules that represent all items of a list: `experts[*]`. */
function withStandIns(
  places: ReadonlyMap<InstanceValue, ModulePlace>,
  standsFor: ReadonlyMap<InstanceValue, InstanceValue>,
): ReadonlyMap<InstanceValue, ModulePlace> {
  const all = new Map(places);
  for (const [standIn, first] of standsFor) {
    const place = places.get(first);
    if (place === undefined || all.has(standIn)) continue;
    all.set(standIn, { ...place, local: place.local.replace(/\[\d+\]$/, "[*]") });
  }
  return all;
}

/** Receivers of methods that compute something outside their own constructor. */
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

/** Path of a module from its root; empty for the root. */
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

/** The outermost module around a module; itself when it has no parent. */
export function rootOf(
  instance: InstanceValue,
  places: ReadonlyMap<InstanceValue, ModulePlace>,
): InstanceValue {
  const parent = places.get(instance)?.parent;
  return parent === undefined ? instance : rootOf(parent, places);
}

/**
 * Gives parameters their path, e.g. `layers[3].fc.weight`. The variable of the outermost module
 * comes first where that module is a list or the path is taken. A parameter first bound to a
 * module-level variable keeps that name; variables inside functions give no name.
 */
export function nameByPlace(
  modules: Iterable<InstanceValue>,
  places: ReadonlyMap<InstanceValue, ModulePlace>,
  tensorOf: (value: Value) => TracedTensor | undefined,
  variableOf: (root: InstanceValue) => string | undefined,
): void {
  const taken = new Set<string>();
  for (const instance of modules) {
    for (const [name, value] of instance.attributes) {
      const tensor = tensorOf(value);
      if (tensor === undefined || tensor.producer !== undefined) continue;
      if (tensor.name?.frames.length === 0) continue;
      const path = [pathOf(instance, places), name].filter(Boolean).join(".");
      const variable = variableOf(rootOf(instance, places));
      const isOpen = path.startsWith("[") || taken.has(path);
      const dot = path.startsWith("[") ? "" : ".";
      const text = isOpen && variable !== undefined ? `${variable}${dot}${path}` : path;
      taken.add(text);
      tensor.name = { text, frames: [] };
    }
  }
}
