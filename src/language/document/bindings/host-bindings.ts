import type { Span } from "#core/diagnostics";
import type { Binding, ClassValue, Context, Host, InstanceValue, Value } from "#language/python";
import { BoundSystems } from "../bound-systems.ts";
import type { BindingParts, PolicyRun, ReadingSystem } from "../system.ts";
import type { ModuleNameOf } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Files } from "./files.ts";
import type { GlobalNames } from "./introspection.ts";
import { itemNamed } from "./list-items.ts";
import { drawLoneLayouts } from "./lone-layouts.ts";
import { moduleCalls, moduleRuns } from "./module-calls.ts";
import { ModuleClasses } from "./module-classes.ts";
import { drawUncalledModules, nameParameters, placesOf } from "./module-roots.ts";
import { type ModuleParts, Modules } from "./modules.ts";
import { OpaqueOperators } from "./opaque-operators.ts";
import { addedBase, openClass, unknownBase } from "./open-classes.ts";
import { RegisteredOperators } from "./registered.ts";
import { TensorBindings } from "./tensors.ts";
import { none } from "./values/values.ts";

/**
 * All names that a program can use in one run: the native bindings joined with those of the
 * systems.
 */
export interface HostBindings {
  readonly tensors: TensorBindings;
  readonly registered: Lazy<RegisteredOperators>;
  /** The module classes, made only for a program that uses modules. */
  readonly classes: Lazy<ModuleClasses>;
  /** An unknown value whose cause is reported already. */
  readonly unknown: (name: string, known?: GlobalNames) => Value;
  /**
   * An attribute that the text never sets on an object, if an unknown base or function may have set
   * it.
   */
  readonly lacked: (value: InstanceValue, name: string) => Value | undefined;
  /**
   * A class in place of an unknown base: a module if the derived class has a module's methods, and
   * open members alone where the base is added to a known one.
   */
  readonly unknownBase: (base: Value, names: ReadonlySet<string>, isAdded: boolean) => ClassValue;
  /** Marks a class as open, since an unknown decorator may have changed it. */
  readonly open: (type: ClassValue) => void;
  /** The value of a name that a left-out line would have set: a tensor, if the name held one. */
  readonly leftOut: NonNullable<Host["recovered"]>;
  readonly modules: Modules;
  /** The systems' bindings for this run. */
  readonly systems: BoundSystems;
  /** Registers a function or class that the text defines. */
  readonly define: (name: string, value: Value, span: Span) => void;
  /** Registers a variable that the text binds. */
  readonly bind: (binding: Binding) => void;
  /**
   * Draws the modules and registered functions that the program defines or makes but never calls.
   */
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
  readonly placeOf: () => ModuleNameOf;
  /** Names the parameters that only modules hold. */
  readonly nameParameters: () => void;
}

/** The parts of the bindings. A lazy part is never made if the text does not use it. */
interface Made {
  readonly tensors: TensorBindings;
  readonly opaque: Lazy<OpaqueOperators>;
  readonly registered: Lazy<RegisteredOperators>;
  readonly classes: Lazy<ModuleClasses>;
  readonly systems: BoundSystems;
}

export function hostBindings(
  recorder: Recorder,
  source: string,
  systems: readonly ReadingSystem[],
  as?: string,
): HostBindings {
  const made = madeFor(recorder, systems, { source, as });
  const { tensors, opaque, registered, classes, systems: bound } = made;
  const files = new Files(source);
  const names = new Map<string, Value>();
  return {
    tensors,
    registered,
    classes,
    unknown: (name, known) => opaque.value.assumed(name, { isUndefined: true, ...known }),
    unknownBase: (base, names, isAdded) => {
      if (isAdded) return addedBase(base, (name) => opaque.value.assumed(name));
      const { module, cell } = classes.value;
      const behind = names.has("forward") ? [module] : names.has("construct") ? [cell] : [];
      return unknownBase(base, behind, (name) => opaque.value.assumed(name));
    },
    lacked: (value, name) => itemNamed(value, name) ?? opaque.made?.lacked(value, name),
    open: (type) => openClass(type, (name) => opaque.value.assumed(name)),
    leftOut: (name, before, span, context) => {
      const tensor = tensors.tensorOf(before);
      return tensor !== undefined && recorder.trace.tensors.includes(tensor)
        ? tensors.unknownResult("unknown", [tensors.object(tensor)], context, span)
        : opaque.value.assumed(name, { isUndefined: true, isLeftOut: true });
    },
    modules: new Modules(modulesOf(made, { files, bound: names })),
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
      const { trace } = recorder;
      bound.beforeDrawing(context, globals);
      const held = { globals, value, inside: (each: Value) => bound.inside(each) };
      if (classes.made !== undefined) {
        const unknown = (name: string) => opaque.value.assumed(name, { isStandIn: true });
        const drawn = () => trace.operators.length;
        const setting = { classes: classes.made, tensors, unknown, drawn };
        drawUncalledModules(setting, trace, held, context);
      }
      registered.made?.drawUncalled(context, trace.operators.length > 0);
      if (trace.tensors.length === 0)
        drawLoneLayouts(recorder, globals, context, (each) => bound.layoutOf(each));
    },
    runPolicies: (...run) => {
      const { made } = classes;
      if (made !== undefined) recorder.trace.moduleOf = moduleCalls(made);
      if (made !== undefined) recorder.trace.moduleRuns = () => moduleRuns(made);
      bound.runPolicies(...run, recorder.trace);
    },
    nameParameters: () => {
      if (classes.made !== undefined) nameParameters(classes.made, names);
    },
    placeOf: () => {
      const places = lazily(() => placesOf(classes.made, names));
      return (receiver) => (receiver.kind === "instance" ? places.value(receiver) : undefined);
    },
  };
}

function madeFor(
  recorder: Recorder,
  systems: readonly ReadingSystem[],
  text: ConstructorParameters<typeof BoundSystems>[2],
): Made {
  const tensors: TensorBindings = new TensorBindings(recorder, {
    attribute: (...asked) => bound.tensorAttribute(...asked),
    item: (...asked) => bound.tensorItem(...asked),
    setItem: (...asked) => bound.tensorSetItem(...asked),
    besideList: (...asked) => bound.tensorBesideList(...asked),
    update: (...asked) => bound.tensorUpdate(...asked),
    parts: (...asked) => bound.tensorParts(...asked),
    get argumentForms() {
      return bound.argumentForms;
    },
    hasMethod: (name) => bound.hasMethod(name),
    unknownMember: (...member) => opaque.value.member(...member),
    refused: (...asked) => bound.refused(...asked),
    apart: (run) => bound.apart(run),
    arrayMethod: (...asked) => bound.arrayMethod(...asked),
    call: (...call) => bound.callMethod(...call) ?? opaque.value.callMethod(...call) ?? none,
  });
  const opaque: Lazy<OpaqueOperators> = lazily(
    () =>
      new OpaqueOperators({
        recorder,
        tensors,
        systems: bound,
        registered: (assumed, ...call) => {
          const known = registered.made?.of(assumed);
          return known && registered.value.call(known, ...call);
        },
      }),
  );
  const registered: Lazy<RegisteredOperators> = lazily(
    () => new RegisteredOperators({ recorder, tensors, opaque: opaque.value }),
  );
  const classes: Lazy<ModuleClasses> = lazily(() => new ModuleClasses(tensors, bound));
  const parts: BindingParts = lentTo(
    recorder,
    { tensors, opaque, registered, classes },
    () => bound,
  );
  const bound = new BoundSystems(systems, parts, text);
  return { tensors, opaque, registered, classes, systems: bound };
}

/** The parts lent to the systems' modules. */
function lentTo(
  recorder: Recorder,
  { tensors, opaque, registered, classes }: Omit<Made, "systems">,
  bound: () => BoundSystems,
): BindingParts {
  return {
    recorder,
    tensors,
    get opaque() {
      return opaque.value;
    },
    get modules() {
      return classes.value;
    },
    get registered() {
      return registered.value;
    },
    knowsFunction: (path) => bound().knowsFunction(path),
    boundAs: (system) => bound().boundAs(system),
  };
}

function modulesOf(
  { tensors, opaque, systems }: Made,
  { files, bound }: Pick<ModuleParts, "files" | "bound">,
): ModuleParts {
  return {
    tensors,
    systems,
    files,
    bound,
    get opaque() {
      return opaque.value;
    },
  };
}

/** A value that is made on its first read. */
interface Lazy<T> {
  readonly value: T;
  /** The value, or `undefined` before its first read. */
  readonly made: T | undefined;
}

function lazily<T extends object>(make: () => T): Lazy<T> {
  let made: T | undefined;
  return {
    get value() {
      made ??= make();
      return made;
    },
    get made() {
      return made;
    },
  };
}
