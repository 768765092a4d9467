import { fieldOf } from "#core/records";
import type { Context, ModuleValue, Value } from "#language/python";
import type { Unread } from "./bindings/opaque-operators.ts";
import type { ArgumentForms, TensorAccess, TensorSystems } from "./bindings/tensor-calls.ts";
import type {
  BindingParts,
  PolicyRun,
  ReadingSystem,
  SystemBindings,
  SystemLayout,
  UsualName,
} from "./system.ts";
import type { SystemReading } from "./system-plans.ts";
import type { Trace } from "./trace/trace.ts";

/** The systems as one program sees them. A system is bound only when a name of it is asked for. */
export class BoundSystems {
  /** Names that mean the same in every text. */
  readonly usualNames: ReadonlyMap<string, UsualName>;
  /** The path of the class of tensors, as what is said of their methods names it. */
  readonly tensorClass: string;
  /** The path of the class of parameters, as what is said of them names it. */
  readonly parameterClass: string;
  /** How methods of tensors take their arguments. */
  readonly argumentForms: ArgumentForms;
  /** The systems whose own steps a redistribution can take. */
  readonly stepNames: readonly string[];
  /** The systems that the text is written for, or asked as. */
  private readonly owners: readonly ReadingSystem[];
  private readonly systems: readonly ReadingSystem[];
  private readonly parts: BindingParts;
  private readonly bound = new Map<ReadingSystem, SystemBindings>();
  private isApart = false;

  constructor(
    systems: readonly ReadingSystem[],
    parts: BindingParts,
    { source, as }: { readonly source: string; readonly as?: string | undefined },
  ) {
    this.systems = systems;
    this.owners = systems.filter(({ name, isTextOf }) => name === as || isTextOf?.(source));
    this.parts = parts;
    const all = systems.flatMap(({ usualNames = {} }) => Object.entries(usualNames));
    this.usualNames = new Map(all.filter(([, { where }]) => where === undefined));
    this.tensorClass = firstOf(systems, (each) => each.tensorClass) ?? "Tensor";
    this.parameterClass = firstOf(systems, (each) => each.parameterClass) ?? "Parameter";
    this.argumentForms = firstOf(systems, (each) => each.argumentForms) ?? asWritten;
    this.stepNames = systems.flatMap(({ name, reshards }) =>
      reshards === undefined ? [] : [name],
    );
  }

  /** A module of one of the systems by its dotted name, which binds that system. */
  module(name: string): ModuleValue | undefined {
    return firstOf(this.systems, (system) =>
      bindsModule(system, name) ? this.bind(system)?.module(name) : undefined,
    );
  }

  /** What a name means that a text uses without an import: the last system that says it counts. */
  usualName(name: string, source: string): UsualName | undefined {
    for (const { usualNames } of this.systems.toReversed()) {
      const usual = fieldOf(usualNames, name);
      if (usual !== undefined && usual.where?.test(source) !== false) return usual;
    }
    return undefined;
  }

  /** Calls a method of tensors that is a function of a system, which binds that system. */
  callMethod(
    ...call: Parameters<NonNullable<SystemBindings["callMethod"]>>
  ): ReturnType<NonNullable<SystemBindings["callMethod"]>> {
    return firstOf(this.systems, (system) =>
      system.tensorClass === undefined ? undefined : this.bind(system)?.callMethod?.(...call),
    );
  }

  /** Whether a system has a method of tensors of that name, which binds it. */
  hasMethod(name: string): boolean {
    return this.systems.some(
      (system) =>
        system.tensorClass !== undefined && this.bind(system)?.hasMethod?.(name) !== false,
    );
  }

  /**
   * The attribute of a tensor by name. The system that the text is written for goes first, then the
   * others.
   */
  tensorAttribute(access: TensorAccess, context: Context): Value | undefined {
    return (
      firstOf(this.owning, (each) => this.bound.get(each)?.tensorAttribute?.(access, context)) ??
      firstOf(this.systems, (each) => each.tensorAttribute?.(access, context))
    );
  }

  /** What `x[key]` is to the system that the text is written for. */
  tensorItem(...asked: Parameters<NonNullable<SystemBindings["tensorItem"]>>): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorItem?.(...asked));
  }

  /** What a tensor is behind `x[key] = value` to the system that the text is written for. */
  tensorSetItem(
    ...asked: Parameters<NonNullable<SystemBindings["tensorSetItem"]>>
  ): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorSetItem?.(...asked));
  }

  /** `x op value` of a tensor and a list to the system that the text is written for. */
  tensorBesideList(
    ...asked: Parameters<NonNullable<SystemBindings["tensorBesideList"]>>
  ): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorBesideList?.(...asked));
  }

  /** The value that a name has after `x += value`, if the text's system defines it. */
  tensorUpdate(
    ...asked: Parameters<NonNullable<SystemBindings["tensorUpdate"]>>
  ): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorUpdate?.(...asked));
  }

  /** What unpacking a tensor gives to the system that the text is written for. */
  tensorParts(
    ...asked: Parameters<NonNullable<SystemBindings["tensorParts"]>>
  ): readonly Value[] | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorParts?.(...asked));
  }

  /** Why a method of tensors refuses its arguments; nobody says so for a text with tensors of its own. */
  refused(...asked: Parameters<TensorSystems["refused"]>): ReturnType<TensorSystems["refused"]> {
    const isOther = this.owners.some((each) => each.moduleClass !== undefined && !each.isEager);
    return isOther ? undefined : firstOf(this.systems, (each) => each.refusesMethod?.(...asked));
  }

  /** The systems whose own words tensors have now. */
  private get owning(): readonly ReadingSystem[] {
    return this.isApart ? [] : this.owners;
  }

  apart<T>(run: () => T): T {
    const { isApart } = this;
    this.isApart = true;
    try {
      return run();
    } finally {
      this.isApart = isApart;
    }
  }

  /** A method of arrays of NumPy, of a system that has them. */
  arrayMethod(...asked: Parameters<TensorSystems["arrayMethod"]>): Value | undefined {
    return firstOf(this.systems, (system) =>
      system.tensorClass === undefined ? undefined : this.bind(system)?.arrayMethod?.(...asked),
    );
  }

  /** Whether some system reads a module of another package by its own means. */
  standsIn(module: string): boolean {
    return this.systems.some((each) => each.standsIn?.test(module));
  }

  /** The title of the system whose modules derive from a class of the given name; else "Python". */
  titleOf(moduleClass: string): string {
    const isIts = (each: ReadingSystem) => each.moduleClass === moduleClass;
    return this.systems.find(isIts)?.title ?? "Python";
  }

  /** Whether the object that a call makes holds no parameters, by the path of the called class. */
  holdsNothing(path: string): boolean {
    return this.systems.some((each) => each.holdsNothing?.test(path));
  }

  /** Why the results of a function of a system have no known shape. */
  unread(path: string): Unread | undefined {
    return firstOf(this.systems, (each) => each.unread?.(path));
  }

  /** How a system says of a function of its own that its results are guessed. */
  guess(path: string): DiagnosticCode | undefined {
    return firstOf(this.systems, ({ guesses }) =>
      guesses?.paths.test(path) ? guesses.code : undefined,
    );
  }

  /** The bindings of a system by its name, once they are made. */
  boundAs(name: string): SystemBindings | undefined {
    const system = this.systems.find((each) => each.name === name);
    return system && this.bound.get(system);
  }

  /** Whether annotations alone say how operators may be cut, as a system has it. */
  get followsAnnotations(): boolean {
    return this.owners.length > 0;
  }

  /** Whether the planner of the system that the text is written for knows a function, by its path. */
  knowsFunction(path: string): boolean {
    return this.owners.every((system) => system.knowsFunction?.(path) !== false);
  }

  layoutOf(value: Value | undefined): SystemLayout | undefined {
    return firstOf(this.inOrder(), (each) => each.layoutOf?.(value));
  }

  inside(value: Value): Value | undefined {
    return firstOf(this.inOrder(), (each) => each.inside?.(value));
  }

  beforeDrawing(context: Context, globals: ReadonlyMap<string, Value>): void {
    for (const each of this.inOrder()) each.beforeDrawing?.(context, globals);
  }

  release(source: string): void {
    for (const each of this.inOrder()) each.release?.(source);
  }

  /** Runs the policies of every system that the program concerns, whether it names it or not. */
  runPolicies(
    globals: ReadonlyMap<string, Value>,
    setting: PolicyRun,
    context: Context,
    trace: Trace,
  ): void {
    const { source } = context;
    for (const system of this.takingPart({ trace, source }))
      this.bind(system)?.runPolicies?.(globals, setting, context);
  }

  /** The systems that a program names, and those that it concerns otherwise. */
  takingPart(program: Pick<SystemReading, "trace" | "source">): readonly ReadingSystem[] {
    const { reshards } = program.trace;
    return this.systems.filter(
      (system) =>
        this.bound.has(system) ||
        reshards.some(({ steps }) => steps === system.name) ||
        system.concerns?.(program) === true,
    );
  }

  private bind(system: ReadingSystem): SystemBindings | undefined {
    const known = this.bound.get(system) ?? system.bind?.(this.parts);
    if (known !== undefined) this.bound.set(system, known);
    return known;
  }

  private inOrder(): readonly SystemBindings[] {
    return this.systems.flatMap((system) => this.bound.get(system) ?? []);
  }
}

/** Arguments that stand as the library's entries take them. */
const asWritten: ArgumentForms = {
  keywordsOf: () => undefined,
  usualNames: (_name, _how, args) => args,
  asEntryTakesThem: (_name, _entry, args) => args,
  unreadArgument: ([first]) => first && (first.name ?? "an argument"),
  named: (_name, result) => result,
};

/** What the first of some gives that gives anything. */
function firstOf<Each, T>(all: readonly Each[], of: (each: Each) => T | undefined): T | undefined {
  for (const each of all) {
    const found = of(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a system binds a module of that name, or another of its package. */
function bindsModule({ name, packages = [name] }: ReadingSystem, module: string): boolean {
  if (packages instanceof RegExp) return packages.test(module);
  return packages.includes(module.split(".", 1)[0] ?? module);
}
