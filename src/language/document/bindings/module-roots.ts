import type { Diagnostic } from "#core/diagnostics";
import type { ClassValue, Context, InstanceValue, Value } from "#language/python";
import type { ModuleName, ModuleNameOf } from "../trace/names.ts";
import type { Trace } from "../trace/trace.ts";
import { isOfText, isPartOfOther, textCode } from "./assumed-arguments.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { type DrawingSetting, drawModule, makeModule } from "./module-drawing.ts";
import { pathOf, rootOf } from "./module-places.ts";

/** Values that the program holds at its end. */
export interface Held {
  readonly globals: ReadonlyMap<string, Value>;
  /** Value of the last expression. */
  readonly value: Value | undefined;
  /** The module inside a system's wrapper object. */
  readonly inside: (value: Value) => Value | undefined;
}

/** Draws the modules that a program defines or makes, but never calls. */
export function drawUncalledModules(
  setting: DrawingSetting,
  trace: Trace,
  { globals, value, inside }: Held,
  context: Context,
): void {
  const seen = new Set<Value>();
  const roots = [...globals.values(), ...(value ? [value] : [])];
  const held = new Set(roots.flatMap((root) => heldBy(root, seen, inside)));
  if (trace.operators.length === 0) makeUnmade(setting, globals, context);
  for (const root of setting.classes.uncalledRoots((each) => held.has(each), trace))
    drawModule(setting, root, context);
}

/** Names module parameters by their paths, prefixed with the variables that hold the modules. */
export function nameParameters(classes: ModuleClasses, bound: ReadonlyMap<string, Value>): void {
  const held = heldByNames(bound);
  classes.nameParameters((root) => held.get(root)?.name);
}

/** Names of instances: modules by their path in others, the rest by their variable. */
export function placesOf(
  classes: ModuleClasses | undefined,
  bound: ReadonlyMap<string, Value>,
): (instance: InstanceValue) => ReturnType<ModuleNameOf> {
  const places = classes?.places();
  const held = heldByNames(bound);
  return (instance) => {
    const place = places?.get(instance);
    if (places === undefined || place === undefined) return held.get(instance);
    const name = elementName(place.local, place.parent, places, held);
    const path = pathOf(instance, places);
    // An item of a list that is the model itself has a path that begins with its index.
    const list = path.startsWith("[") ? (held.get(rootOf(instance, places))?.name ?? "") : "";
    return { name, isElement: place.isElement, path: `${list}${path}` };
  };
}

/**
 * Values that a variable holds: itself, the items of its list, or the module inside its wrapper.
 * Each list is searched once, so cycles end.
 */
function heldBy(
  value: Value,
  seen: Set<Value>,
  inside: (value: Value) => Value | undefined,
): readonly Value[] {
  if (seen.has(value)) return [];
  seen.add(value);
  if (value.kind === "list" || value.kind === "tuple")
    return value.items.flatMap((item) => heldBy(item, seen, inside));
  const held = inside(value);
  return held === undefined ? [value] : heldBy(held, seen, inside);
}

/** Instances by the variable or list item that holds them: `encoder`, `blocks[2]`. */
function heldByNames(bound: ReadonlyMap<string, Value>): ReadonlyMap<Value, ModuleName> {
  const held = new Map<Value, ModuleName>();
  for (const [name, value] of bound) {
    if (value.kind === "instance" && !held.has(value)) held.set(value, { name, isElement: false });
    const items = value.kind === "list" || value.kind === "tuple" ? value.items : [];
    for (const [index, item] of items.entries()) {
      if (item.kind !== "instance" || held.has(item)) continue;
      held.set(item, { name: `${name}[${index}]`, isElement: true });
    }
  }
  return held;
}

/** Name of a list item, `layers[3]`: the name of its list with the index. */
function elementName(
  local: string,
  list: InstanceValue,
  places: ReturnType<ModuleClasses["places"]>,
  held: ReadonlyMap<Value, ModuleName>,
): string {
  if (!local.startsWith("[")) return local;
  const above = places.get(list);
  const name = above && elementName(above.local, above.parent, places, held);
  return `${name ?? held.get(list)?.name ?? ""}${local}`;
}

/** Makes each module class that the program never makes, once, with assumed arguments. */
function makeUnmade(
  setting: DrawingSetting,
  globals: ReadonlyMap<string, Value>,
  context: Context,
): void {
  const { classes } = setting;
  const code = textCode(globals, context.source);
  let stopped: Diagnostic | undefined;
  const variants = new Variants();
  for (const value of globals.values()) {
    // Imported layer classes are not part of the text's own program.
    if (!classes.isModuleClass(value) || !isOfText(value)) continue;
    const isUsed = [...classes.made].some(({ type }) => type.mro.includes(value));
    if (isUsed || isPartOfOther(value, code)) continue;
    if (variants.hasOther(value)) continue;
    const before = setting.drawn();
    stopped = makeModule(setting, value, globals, context) ?? (before === 0 ? stopped : undefined);
    if (setting.drawn() > before) variants.add(value);
  }
  variants.say(context);
  // The last class of a file is most often its model, so its failure is reported.
  if (stopped !== undefined) context.report(stopped);
}

/** Variants of one model: classes with a common base in the text, of which only one is drawn. */
class Variants {
  private readonly drawn = new Map<ClassValue, ClassValue>();
  private readonly others: ClassValue[] = [];

  add(type: ClassValue): void {
    for (const base of basesOf(type)) this.drawn.set(base, type);
  }

  /** Whether a variant of a class is drawn already; if so, the class is noted. */
  hasOther(type: ClassValue): boolean {
    const isVariant = basesOf(type).some((base) => this.drawn.has(base));
    if (isVariant) this.others.push(type);
    return isVariant;
  }

  say(context: Context): void {
    const [first] = this.others;
    const [drawn] = this.drawn.values();
    if (first === undefined || drawn === undefined) return;
    const names = this.others.map(({ name }) => name).join(", ");
    context.report({
      code: "document/assumed-arguments",
      severity: "info",
      message: `of the variants of one model "${drawn.name}" is drawn, and none of ${names}`,
      span: first.nameSpan ?? { from: 0, to: 0 },
    });
  }
}

function basesOf(type: ClassValue): readonly ClassValue[] {
  return type.mro.filter((each) => each !== type && isOfText(each));
}
