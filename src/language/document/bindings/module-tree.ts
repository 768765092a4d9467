import { product } from "#core/arithmetic";
import type { InstanceValue, Value } from "#language/python";
import { isDefault, settle } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { assumedOf } from "./assumed.ts";
import { itemsName } from "./list-items.ts";
import { hasUnknownBase } from "./open-classes.ts";

/** Facts about modules that depend on the systems in use. */
export interface ModuleSystems {
  /** Path of the parameter class. */
  readonly parameterClass: string;
  /** Title of the system whose module class has the given name. */
  titleOf(moduleClass: string): string;
  /** Whether instances of a class, given by path, hold no parameters. */
  holdsNothing(path: string): boolean;
}

/** Access to modules, tensors and buffers among Python values. */
export interface TreeReading {
  readonly systems: ModuleSystems;
  readonly isModule: (value: Value | undefined) => value is InstanceValue;
  readonly tensorOf: (value: Value | undefined) => TracedTensor | undefined;
  readonly buffersOf: (instance: InstanceValue) => ReadonlySet<string>;
}

/** A value held by a module, with its path from the start of the walk. */
export interface Held {
  readonly path: string;
  readonly value: Value;
}

/** A module inside another one, or that one itself with an empty path. */
export interface HeldModule {
  readonly path: string;
  readonly module: InstanceValue;
}

/** Members of a module by name; items of a module list by index. */
function attributesOf({ attributes }: InstanceValue): readonly (readonly [string, Value])[] {
  const held: (readonly [string, Value])[] = [];
  for (const [name, value] of attributes) {
    const isItems = name === itemsName && (value.kind === "list" || value.kind === "tuple");
    if (!isItems) held.push([name, value]);
    else for (const [at, item] of value.items.entries()) held.push([String(at), item]);
  }
  return held;
}

/** Direct submodules of a module; modules in a Python list are not registered. */
export function childrenOf(reading: TreeReading, instance: InstanceValue): readonly HeldModule[] {
  const seen = new Set<InstanceValue>([instance]);
  const children: HeldModule[] = [];
  for (const [path, value] of attributesOf(instance)) {
    if (!reading.isModule(value) || seen.has(value)) continue;
    seen.add(value);
    children.push({ path, module: value });
  }
  return children;
}

/** A module and all modules inside it, each once, in the order of `named_modules`. */
export function modulesIn(reading: TreeReading, root: InstanceValue): readonly HeldModule[] {
  const seen = new Set<InstanceValue>();
  const found: HeldModule[] = [];
  const walk = (module: InstanceValue, path: string) => {
    if (seen.has(module)) return;
    seen.add(module);
    found.push({ path, module });
    for (const child of childrenOf(reading, module))
      walk(child.module, path ? `${path}.${child.path}` : child.path);
  };
  walk(root, "");
  return found;
}

/** Class names whose instances hold settings and no parameters. */
const settings = /(Config|Args|Arguments|Options|Settings|Params)\(\)$/;

/**
 * Name of a member, in a module or one inside it, whose parameters are unknown: a called unknown
 * value, or an instance of an unknown class. `undefined` when there is none.
 */
export function unreadIn(reading: TreeReading, root: InstanceValue): string | undefined {
  return unreadAmong(reading, modulesIn(reading, root));
}

function unreadAmong(reading: TreeReading, modules: readonly HeldModule[]): string | undefined {
  for (const { module } of modules) {
    for (const [, value] of attributesOf(module)) {
      const assumed = assumedOf(value);
      if (assumed === undefined || assumed.isStandIn === true) continue;
      const { name, isCalled = false } = assumed;
      const isMade = name.endsWith(")") && assumed.isOperand === true;
      // A line that was left out may have made a parameter.
      if (isMade || assumed.isLeftOut === true) return name;
      const isSetting = settings.test(name) || reading.systems.holdsNothing(name);
      if (isCalled || (/(^|\.)[A-Z]\w*\(\)$/.test(name) && !isSetting)) return name;
    }
  }
  return undefined;
}

/** Parameters or buffers of a module and its submodules, each once. */
export function tensorsIn(
  reading: TreeReading,
  root: InstanceValue,
  kind: "parameter" | "buffer",
): readonly Held[] {
  return tensorsAmong(reading, modulesIn(reading, root), kind);
}

function tensorsAmong(
  reading: TreeReading,
  modules: readonly HeldModule[],
  kind: "parameter" | "buffer",
): readonly Held[] {
  const seen = new Set<TracedTensor>();
  const found: Held[] = [];
  for (const { path, module } of modules) {
    for (const [name, value] of ownTensors(reading, module, kind)) {
      const tensor = reading.tensorOf(value);
      if (tensor === undefined || seen.has(tensor)) continue;
      seen.add(tensor);
      found.push({ path: path ? `${path}.${name}` : name, value });
    }
  }
  return found;
}

/** Parameters or buffers that a module holds directly. */
export function ownTensors(
  reading: TreeReading,
  module: InstanceValue,
  kind: "parameter" | "buffer",
): readonly (readonly [string, Value])[] {
  const buffers = reading.buffersOf(module);
  return attributesOf(module).filter(([name, value]) => {
    const tensor = reading.tensorOf(value);
    if (tensor === undefined) return false;
    return kind === "buffer" ? buffers.has(name) : isParameter(tensor) && !buffers.has(name);
  });
}

function isParameter(tensor: TracedTensor): boolean {
  const isGiven = tensor.role === "parameter" && tensor.producer === undefined;
  return isGiven || tensor.isCastParameter === true;
}

/**
 * Number of elements of all parameters of a module, each counted once. `undefined` when a parameter
 * has no known shape or an open size, a called member is unknown, or an unknown value decided how a
 * module was made.
 *
 * @param isUndecided whether an unknown value decided how a module was made
 */
export function parameterCount(
  reading: TreeReading,
  module: InstanceValue,
  isUndecided: (module: InstanceValue) => boolean,
): number | undefined {
  const modules = modulesIn(reading, module);
  if (unreadAmong(reading, modules) !== undefined) return undefined;
  if (modules.some((each) => hasUnknownBase(each.module.type))) return undefined;
  if (modules.some((each) => isUndecided(each.module))) return undefined;
  const held = tensorsAmong(reading, modules, "parameter");
  const tensors = held.flatMap(({ value }) => reading.tensorOf(value) ?? []);
  const isOpen = ({ isUnknown, defaults, shape }: TracedTensor) =>
    isUnknown === true || defaults?.includes(true) === true || shape?.some(isDefault) === true;
  if (tensors.some(isOpen)) return undefined;
  const sizes = (tensor: TracedTensor) => (tensor.shape ?? []).map(settle);
  return tensors.reduce((sum, each) => sum + product(sizes(each)), 0);
}
