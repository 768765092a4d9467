import type { Diagnostic } from "#core/diagnostics";
import type { ClassValue, Context, InstanceValue, Value } from "#language/python";
import type { ModuleName, ModuleNameOf } from "../trace/names.ts";
import type { Trace } from "../trace/trace.ts";
import { isOfText, isPartOfOther, textCode } from "./assumed-arguments.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { type DrawingSetting, drawModule, makeModule } from "./module-drawing.ts";
import { pathOf, rootOf } from "./module-places.ts";

/** The values that the program holds at its end. */
export interface Held {
  readonly globals: ReadonlyMap<string, Value>;
  /** The value of its last expression. */
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

/** Gives the parameters of modules their paths, behind the variables that hold the modules. */
export function nameParameters(classes: ModuleClasses, bound: ReadonlyMap<string, Value>): void {
  const held = heldByNames(bound);
  classes.nameParameters((root) => held.get(root)?.name);
}

/** What instances are called: modules by their place in others, the rest by their variable. */
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
    // An element of a list that is the model itself has no name before its number.
    const list = path.startsWith("[") ? (held.get(rootOf(instance, places))?.name ?? "") : "";
    return { name, isElement: place.isElement, path: `${list}${path}` };
  };
}

/**
 * The values that a variable holds: itself, the items of its list, the module inside its wrapper. A
 * list that is reached twice, or contains itself, is searched once.
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

/** Modules by the variables of the program that hold them: `encoder`, `blocks[2]`. */
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

/** `layers[3]`: an element is called after the list that holds it, and that after what holds it. */
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

/** A module class that the program never makes is made once, with assumed arguments. */
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
    // A layer that is imported and never made is no program of the text.
    if (!classes.isModuleClass(value) || !isOfText(value)) continue;
    const isUsed = [...classes.made].some(({ type }) => type.mro.includes(value));
    if (isUsed || isPartOfOther(value, code)) continue;
    if (variants.hasOther(value)) continue;
    const before = setting.drawn();
    stopped = makeModule(setting, value, globals, context) ?? (before === 0 ? stopped : undefined);
    if (setting.drawn() > before) variants.add(value);
  }
  variants.say(context);
  // The last class of a file is most often its model: that it is not drawn is said.
  if (stopped !== undefined) context.report(stopped);
}

/** Classes that derive from one class of the text are variants of one model, of which one is drawn. */
class Variants {
  private readonly drawn = new Map<ClassValue, ClassValue>();
  private readonly others: ClassValue[] = [];

  add(type: ClassValue): void {
    for (const base of basesOf(type)) this.drawn.set(base, type);
  }

  /** Whether a variant of a class is drawn already; the class is noted. */
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
