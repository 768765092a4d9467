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

/** Systems as one program sees them. A system is bound when one of its names is first used. */
export class BoundSystems {
  /** Names with a fixed meaning that texts use without an import. */
  readonly usualNames: ReadonlyMap<string, UsualName>;
  /** Dotted path of the tensor class in diagnostics about its methods. */
  readonly tensorClass: string;
  /** Dotted path of the parameter class in diagnostics. */
  readonly parameterClass: string;
  /** Argument forms of tensor methods. */
  readonly argumentForms: ArgumentForms;
  /** Systems whose own redistribution steps can be chosen. */
  readonly stepNames: readonly string[];
  /** Systems that the text is written for, or is read as. */
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

  /** Module of a system by its dotted name; binds that system. */
  module(name: string): ModuleValue | undefined {
    return firstOf(this.systems, (system) =>
      bindsModule(system, name) ? this.bind(system)?.module(name) : undefined,
    );
  }

  /** Meaning of a name that is used without an import; the last system that defines it wins. */
  usualName(name: string, source: string): UsualName | undefined {
    for (const { usualNames } of this.systems.toReversed()) {
      const usual = fieldOf(usualNames, name);
      if (usual !== undefined && usual.where?.test(source) !== false) return usual;
    }
    return undefined;
  }

  /** Calls a tensor method that is a function of a system; binds that system. */
  callMethod(
    ...call: Parameters<NonNullable<SystemBindings["callMethod"]>>
  ): ReturnType<NonNullable<SystemBindings["callMethod"]>> {
    return firstOf(this.systems, (system) =>
      system.tensorClass === undefined ? undefined : this.bind(system)?.callMethod?.(...call),
    );
  }

  /** Whether a system has a tensor method of that name; binds that system. */
  hasMethod(name: string): boolean {
    return this.systems.some(
      (system) =>
        system.tensorClass !== undefined && this.bind(system)?.hasMethod?.(name) !== false,
    );
  }

  /** Attribute of a tensor by name; the systems that the text is written for go first. */
  tensorAttribute(access: TensorAccess, context: Context): Value | undefined {
    return (
      firstOf(this.owning, (each) => this.bound.get(each)?.tensorAttribute?.(access, context)) ??
      firstOf(this.systems, (each) => each.tensorAttribute?.(access, context))
    );
  }

  /** `x[key]` by the rules of the text's system. */
  tensorItem(...asked: Parameters<NonNullable<SystemBindings["tensorItem"]>>): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorItem?.(...asked));
  }

  /** `x[key] = value` by the rules of the text's system. */
  tensorSetItem(
    ...asked: Parameters<NonNullable<SystemBindings["tensorSetItem"]>>
  ): Value | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorSetItem?.(...asked));
  }

  /** Binary operator of a tensor and a list, by the rules of the text's system. */
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

  /** Unpacking of a tensor, by the rules of the text's system. */
  tensorParts(
    ...asked: Parameters<NonNullable<SystemBindings["tensorParts"]>>
  ): readonly Value[] | undefined {
    return firstOf(this.owning, (each) => this.bound.get(each)?.tensorParts?.(...asked));
  }

  /**
   * Error of a tensor method for its arguments; `undefined` for texts whose system has tensors of
   * its own.
   */
  refused(...asked: Parameters<TensorSystems["refused"]>): ReturnType<TensorSystems["refused"]> {
    const isOther = this.owners.some((each) => each.moduleClass !== undefined && !each.isEager);
    return isOther ? undefined : firstOf(this.systems, (each) => each.refusesMethod?.(...asked));
  }

  /** Systems whose tensor rules apply now; empty inside `apart`. */
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

  /** Method of NumPy arrays, from a system that has them. */
  arrayMethod(...asked: Parameters<TensorSystems["arrayMethod"]>): Value | undefined {
    return firstOf(this.systems, (system) =>
      system.tensorClass === undefined ? undefined : this.bind(system)?.arrayMethod?.(...asked),
    );
  }

  /** Whether a system provides a stand-in for a module of another package. */
  standsIn(module: string): boolean {
    return this.systems.some((each) => each.standsIn?.test(module));
  }

  /** Title of the system whose module class has the given name; else "Python". */
  titleOf(moduleClass: string): string {
    const isIts = (each: ReadingSystem) => each.moduleClass === moduleClass;
    return this.systems.find(isIts)?.title ?? "Python";
  }

  /** Whether instances of a class, given by its path, hold no parameters. */
  holdsNothing(path: string): boolean {
    return this.systems.some((each) => each.holdsNothing?.test(path));
  }

  /** Reason why results of a system's function have no known shape. */
  unread(path: string): Unread | undefined {
    return firstOf(this.systems, (each) => each.unread?.(path));
  }

  /** Diagnostic code for a system's function whose results are guessed. */
  guess(path: string): DiagnosticCode | undefined {
    return firstOf(this.systems, ({ guesses }) =>
      guesses?.paths.test(path) ? guesses.code : undefined,
    );
  }

  /** Bindings of a system by name; `undefined` before it is bound. */
  boundAs(name: string): SystemBindings | undefined {
    const system = this.systems.find((each) => each.name === name);
    return system && this.bound.get(system);
  }

  /** Whether annotations alone decide how operators may be split. */
  get followsAnnotations(): boolean {
    return this.owners.length > 0;
  }

  /** Whether the planner of the text's system knows a function, by path. */
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

  /** Runs the policies of every system that takes part in the program. */
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

  /** Systems whose names the program uses, and those that it concerns otherwise. */
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

/** Argument forms for texts that already use the library's parameters. */
const asWritten: ArgumentForms = {
  keywordsOf: () => undefined,
  usualNames: (_name, _how, args) => args,
  asEntryTakesThem: (_name, _entry, args) => args,
  unreadArgument: ([first]) => first && (first.name ?? "an argument"),
  named: (_name, result) => result,
};

/** First result that is not `undefined`. */
function firstOf<Each, T>(all: readonly Each[], of: (each: Each) => T | undefined): T | undefined {
  for (const each of all) {
    const found = of(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a system binds a module of that name or package. */
function bindsModule({ name, packages = [name] }: ReadingSystem, module: string): boolean {
  if (packages instanceof RegExp) return packages.test(module);
  return packages.includes(module.split(".", 1)[0] ?? module);
}
