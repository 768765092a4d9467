import { product } from "#core/arithmetic";
import type { InstanceValue, Value } from "#language/python";
import { isDefault, settle } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { assumedOf } from "./assumed.ts";
import { itemsName } from "./list-items.ts";
import { hasUnknownBase } from "./open-classes.ts";

/** What modules have of the systems. */
export interface ModuleSystems {
  /** The path of the class of parameters. */
  readonly parameterClass: string;
  /** The title of the system whose modules derive from a class of the given name. */
  titleOf(moduleClass: string): string;
  /** Whether the object that a call makes holds no parameters, by the path of the called class. */
  holdsNothing(path: string): boolean;
}

/** What tells modules and tensors among Python values. */
export interface TreeReading {
  readonly systems: ModuleSystems;
  readonly isModule: (value: Value | undefined) => value is InstanceValue;
  readonly tensorOf: (value: Value | undefined) => TracedTensor | undefined;
  readonly buffersOf: (instance: InstanceValue) => ReadonlySet<string>;
}

/** Something that a module holds, by its path from where the walk began. */
export interface Held {
  readonly path: string;
  readonly value: Value;
}

/** A module inside another one, or that one itself (with an empty path). */
export interface HeldModule {
  readonly path: string;
  readonly module: InstanceValue;
}

/** The members of a module by name; the items of a list of modules by index. */
function attributesOf({ attributes }: InstanceValue): readonly (readonly [string, Value])[] {
  const held: (readonly [string, Value])[] = [];
  for (const [name, value] of attributes) {
    const isItems = name === itemsName && (value.kind === "list" || value.kind === "tuple");
    if (!isItems) held.push([name, value]);
    else for (const [at, item] of value.items.entries()) held.push([String(at), item]);
  }
  return held;
}

/** The modules that a module holds itself: a Python list of modules is none. */
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

/** A module and all modules inside it, each once, in the order in which `named_modules` lists them. */
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

/** Class names whose instances hold settings, not parameters. */
const settings = /(Config|Args|Arguments|Options|Settings|Params)\(\)$/;

/**
 * The name of a member, in a module or in one inside it, whose parameters are unknown: a called
 * value, or an object of a class that is not read.
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

/** The tensors of a kind in a module and those inside it, each once. */
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

/** The tensors of a kind that a module holds itself. */
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
 * The number of elements of all parameters of a module, each counted once. `undefined` where a
 * parameter has no known shape or a size that the text does not give, where the module calls a
 * member that is not read, or where an unknown value decided how a module was made.
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
