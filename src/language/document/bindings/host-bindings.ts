import type { Span } from "#core/diagnostics";
import type {
  Argument,
  Binding,
  ClassValue,
  Context,
  InstanceValue,
  Value,
} from "#language/python";
import type { Place, PlaceOf } from "../names.ts";
import type { Recorder } from "../recorder.ts";
import { BoundSystems, type PolicyRun, type ReadingSystem } from "../system.ts";
import { Files } from "./files.ts";
import { drawLoneLayouts } from "./lone-layouts.ts";
import { moduleCalls } from "./module-calls.ts";
import { ModuleClasses } from "./module-classes.ts";
import { Modules } from "./modules.ts";
import { OpaqueOperators } from "./opaque-operators.ts";
import { RegisteredOperators } from "./registered.ts";
import { TensorBindings } from "./tensors.ts";
import { TorchBindings } from "./torch.ts";
import { none } from "./values.ts";

/** What a program can name in one run: the native bindings and those of the systems, joined. */
export interface HostBindings {
  readonly tensors: TensorBindings;
  readonly registered: RegisteredOperators;
  readonly classes: ModuleClasses;
  /** Something of which is said already that nobody knows it. */
  readonly unknown: (name: string) => Value;
  readonly modules: Modules;
  /** What the systems bring to this run. */
  readonly systems: BoundSystems;
  /** Notes a function or class that the text defines. */
  readonly define: (name: string, value: Value, span: Span) => void;
  /** Notes a variable that the text binds. */
  readonly bind: (binding: Binding) => void;
  /** Draws what the program defines or makes but never calls. */
  readonly drawUncalled: (
    globals: ReadonlyMap<string, Value>,
    value: Value | undefined,
    context: Context,
  ) => void;
  readonly runPolicies: (
    globals: ReadonlyMap<string, Value>,
    setting: PolicyRun,
    context: Context,
  ) => void;
  readonly placeOf: () => PlaceOf;
  /** Names the parameters that only modules hold. */
  readonly nameParameters: () => void;
}

export function hostBindings(
  recorder: Recorder,
  source: string,
  systems: readonly ReadingSystem[],
): HostBindings {
  const tensors: TensorBindings = new TensorBindings(
    recorder,
    (name, ...call) => methodOf(torch, name, ...call) ?? opaque.call(name, ...call) ?? none,
  );
  const opaque: OpaqueOperators = new OpaqueOperators(recorder, tensors, (assumed, ...call) => {
    const known = registered.of(assumed);
    return known && registered.call(known, ...call);
  });
  const registered: RegisteredOperators = new RegisteredOperators({ recorder, tensors, opaque });
  const classes = new ModuleClasses(tensors, (name) => opaque.assumed(name, { isStandIn: true }));
  const torch: TorchBindings = new TorchBindings({
    recorder,
    tensors,
    opaque,
    registered,
    modules: classes,
    knowsFunction: (path) => systems.every((system) => system.knowsFunction?.(path) !== false),
  });
  const torchClasses = {
    autogradFunction: torch.autogradFunction,
    modules: [classes.module, classes.cell],
    compiled: (value: Value) => torch.compiled(value),
  };
  const parts = { recorder, tensors, opaque, modules: classes, registered, torch: torchClasses };
  const bound = new BoundSystems(systems, parts);
  const files = new Files(source);
  const names = new Map<string, Value>();
  const modules = new Modules({ tensors, opaque, torch, systems: bound, files, bound: names });
  return {
    tensors,
    registered,
    classes,
    unknown: (name) => opaque.assumed(name, { isUndefined: true }),
    modules,
    systems: bound,
    define: (name, value, span) => {
      names.set(name, value);
      files.note(name, value, span);
    },
    bind: (binding) => {
      if (binding.frames.length === 0) names.set(binding.name, binding.value);
      files.bind(binding);
    },
    drawUncalled: (globals, value, context) => {
      bound.beforeDrawing(context);
      const seen = new Set<Value>();
      const roots = [...globals.values(), ...(value ? [value] : [])];
      const held = new Set(
        roots.flatMap((root) => heldBy(root, seen, (each) => bound.inside(each))),
      );
      if (recorder.trace.operators.length === 0) makeUnmade(classes, globals, context);
      for (const root of classes.uncalledRoots((each) => held.has(each), recorder.trace)) {
        classes.draw(root, context);
      }
      registered.drawUncalled(context, recorder.trace.operators.length > 0);
      drawLoneLayouts(recorder, globals, context, (each) => bound.layoutOf(each));
    },
    runPolicies: (...run) => {
      recorder.trace.moduleOf = moduleCalls(classes);
      bound.runPolicies(...run, recorder.trace);
    },
    ...namingWords(classes, names),
  };
}

/** `x.new_zeros(shape)` and its kin make a tensor as the functions of torch do. */
function newLike(
  torch: TorchBindings,
  name: string,
  [, ...args]: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const creator = /\.new_(zeros|ones|full|empty|tensor)$/.exec(name)?.[1];
  const word = creator === undefined ? undefined : torch.creator(creator);
  return word && context.call(word, args, span);
}

/** `x.movedim(0, 1)`: a method that is a function of torch. */
function methodOf(
  torch: TorchBindings,
  path: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const made = newLike(torch, path, args, context, span);
  if (made !== undefined) return made;
  const found = torch.method(path.split(".").at(-1) ?? path, context);
  return found && context.call(found, args, span);
}

/** What modules and their parameters are called. */
function namingWords(
  classes: ModuleClasses,
  bound: ReadonlyMap<string, Value>,
): Pick<HostBindings, "nameParameters" | "placeOf"> {
  return {
    nameParameters: () => {
      const held = heldByNames(bound);
      classes.nameParameters((root) => held.get(root)?.name);
    },
    placeOf: () => {
      const places = classes.places();
      const held = heldByNames(bound);
      return (receiver) => {
        if (receiver.kind !== "instance") return undefined;
        const place = places.get(receiver);
        if (place === undefined) return held.get(receiver);
        const name = elementName(place.local, place.parent, places, held);
        return { name, isElement: place.isElement };
      };
    },
  };
}

/**
 * What a variable holds: itself, what is in its list or in a wrapper. A list that
 * stands in many places, or in itself, is looked into once.
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
function heldByNames(bound: ReadonlyMap<string, Value>): ReadonlyMap<Value, Place> {
  const held = new Map<Value, Place>();
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
  held: ReadonlyMap<Value, Place>,
): string {
  if (!local.startsWith("[")) return local;
  const above = places.get(list);
  const name = above && elementName(above.local, above.parent, places, held);
  return `${name ?? held.get(list)?.name ?? ""}${local}`;
}

/** A module class that the program never makes is made once, with assumed arguments. */
function makeUnmade(
  classes: ModuleClasses,
  globals: ReadonlyMap<string, Value>,
  context: Context,
): void {
  for (const value of globals.values()) {
    // A layer that is imported and never made is no program of the text.
    if (!classes.isModuleClass(value) || (value.span?.from ?? -1) < 0) continue;
    const isUsed = [...classes.made].some(({ type }) => type.mro.includes(value));
    if (!isUsed && !isNamedElsewhere(value, context.source)) classes.make(value, context);
  }
}

/** Whether the text speaks of a class outside its own body: then it is part of something else. */
function isNamedElsewhere({ name, span }: ClassValue, source: string): boolean {
  if (span === undefined) return true;
  const others = source.slice(0, span.from) + source.slice(span.to);
  return new RegExp(`\\b${name}\\b`, "u").test(others.replace(/#.*$/gm, ""));
}
