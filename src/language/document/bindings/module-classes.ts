import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type ClassValue,
  type Context,
  type FunctionValue,
  hostClass,
  type InstanceValue,
  type Replacement,
  type Value,
} from "#language/python";
import type { Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { HeldTensors } from "./held-tensors.ts";
import { moduleApi } from "./module-api.ts";
import { deepCopy } from "./module-copy.ts";
import { ModuleHooks } from "./module-hooks.ts";
import { lateInit, missingInit } from "./module-init.ts";
import { callSequence, listClass } from "./module-lists.ts";
import { type ModulePlace, pathOf, placesIn, receiversIn, rootOf } from "./module-places.ts";
import { ModuleReleases } from "./module-releases.ts";
import { lacksSelf, madeBy, requireInputs, returnsNothing } from "./module-run.ts";
import {
  buffersAmong,
  type ModuleSystems,
  parameterCount,
  type TreeReading,
  unreadIn,
} from "./module-tree.ts";
import type { TensorBindings } from "./tensors.ts";
import { typeAsked } from "./types/tensor-casts.ts";
import { UndecidedMakers } from "./undecided-makers.ts";
import { none } from "./values/values.ts";

type Method = "forward" | "construct";

/** The classes `Module` and `Cell`, whose instances run a method when they are called. */
export class ModuleClasses {
  readonly module: ClassValue;
  readonly cell: ClassValue;
  readonly list: ClassValue;
  readonly sequence: ClassValue;
  readonly made = new Set<InstanceValue>();
  private readonly called = new Set<InstanceValue>();
  readonly hooks = new ModuleHooks();
  readonly undecided = new UndecidedMakers();
  /** Classes of which was said that their base's `__init__` is not called, or too late. */
  private readonly initFaults = new Set<ClassValue>();
  /** Methods of which was said that they return nothing. */
  private readonly silent = new Set<FunctionValue>();
  private readonly tensors: TensorBindings;
  /** The buffers of modules by name, and whether they are saved with them. */
  private readonly buffers = new WeakMap<InstanceValue, Map<string, boolean>>();
  private readonly reading: TreeReading;
  /** Tensors that modules were found to hold. */
  private readonly held: HeldTensors;
  /** What modules hold no longer. */
  private readonly releases: ModuleReleases;
  private readonly notes: Parameters<typeof listClass>[2];

  constructor(tensors: TensorBindings, systems: ModuleSystems) {
    this.tensors = tensors;
    this.reading = {
      systems,
      isModule: (value) => this.isModule(value),
      tensorOf: (value) => this.tensors.tensorOf(value),
      buffersOf: (instance) => buffersAmong(instance, this.buffers.get(instance), tensors),
    };
    this.releases = new ModuleReleases(this.reading);
    this.held = new HeldTensors(this.made, this.reading.tensorOf);
    this.module = this.baseClass("Module", "forward");
    this.cell = this.baseClass("Cell", "construct");
    const notes = {
      made: (value: Value | undefined) => this.note(value),
      replaced: (value: Value) => this.releases.lose(value),
      isModule: (value: Value) => this.isModule(value),
      ofExperts: (items: readonly Value[]) => tensors.experts.stacks.stacked(items),
    };
    tensors.experts.stacks.noteCopy = (made, of) => {
      this.made.add(made);
      this.undecided.noteCopy(made, of);
    };
    this.notes = notes;
    [this.list, this.sequence] = this.listsOver(this.module, ["ModuleList", "Sequential"]);
  }

  /** A list of modules and a sequence of them over a base, by their names. */
  listsOver(
    base: ClassValue,
    [list, sequence]: readonly [string, string],
    more: Parameters<typeof listClass>[3] = {},
  ): readonly [ClassValue, ClassValue] {
    const run = callSequence(this.notes.isModule);
    const methods = { forward: run, construct: run, ...more };
    return [listClass(list, base, this.notes), listClass(sequence, base, this.notes, methods)];
  }

  /** Whether a value is an instance of a module class of the text or of a layer. */
  isModule(value: Value | undefined): value is InstanceValue {
    if (value?.kind !== "instance") return false;
    return value.type.mro.includes(this.module) || value.type.mro.includes(this.cell);
  }

  /**
   * Whether a function is one of those of a `Module` that are read line by line: what one line
   * lacks is no reason to lose the others.
   */
  isLenient(callee: object, receiver: Value | undefined): boolean {
    if (receiver?.kind !== "instance" || !receiver.type.mro.includes(this.module)) return false;
    return "name" in callee && (callee.name === "__init__" || callee.name === "forward");
  }

  /** Takes note that an attribute of a module gets another value, or none; gives what it keeps. */
  replace(replacement: Replacement, context: Context): Value | undefined {
    const { owner, name, before, after } = replacement;
    if (!this.isModule(owner)) return undefined;
    const kept = this.hooks.keeper?.(replacement, context);
    if (kept !== undefined || before === after) return kept;
    for (const watcher of this.hooks.watchers) watcher(replacement, context);
    this.held.replace(owner);
    this.releases.note(replacement, context);
    const given = this.tensors.tensorOf(after);
    if (after === undefined || given?.role === "parameter") this.buffers.get(owner)?.delete(name);
    return undefined;
  }

  /** Takes replaced modules and parameters that nothing holds any more out of the program. */
  release(globals: ReadonlyMap<string, Value>, trace: Trace): void {
    const { made, called } = this;
    const released = this.releases.released(globals.values(), made, called, trace);
    for (const each of released) if (each.kind === "instance") made.delete(each);
    const left = trace.tensors.filter((tensor) => !released.has(tensor));
    trace.tensors.splice(0, trace.tensors.length, ...left);
  }

  /** Whether a class derives from one of the module classes. */
  isModuleClass(value: Value): value is ClassValue {
    if (value.kind !== "class" || value === this.module || value === this.cell) return false;
    return value.mro.includes(this.module) || value.mro.includes(this.cell);
  }

  /**
   * Modules of the text that no other module holds and that the program never calls, nor any
   * other method of theirs that computes something.
   *
   * @param held whether the program still holds a module; one whose making failed is not drawn
   */
  uncalledRoots(
    held: (instance: InstanceValue) => boolean,
    { operators }: Pick<Trace, "operators"> = { operators: [] },
  ): readonly InstanceValue[] {
    const places = this.places();
    const working = receiversIn(operators);
    return [...this.made].filter(
      (instance) =>
        isOfText(instance.type) &&
        !this.called.has(instance) &&
        !working.has(instance) &&
        !places.has(instance) &&
        held(instance),
    );
  }

  /** Runs the method of a module; one without `self` takes all its parameters as inputs. */
  run(self: InstanceValue, given: readonly Argument[], context: Context, span: Span): Value {
    this.called.add(self);
    this.requireInit(self, context);
    const args = this.hooks.argumentsOf(self, given, context, span);
    this.hooks.runs.push({ module: self, args });
    const method = context.getAttribute(self, this.methodOf(self.type), span);
    const func = method.kind === "method" ? method.callee : undefined;
    if (func?.kind !== "function") {
      const given = context.call(method, args, span);
      return this.hooks.resultOf(self, args, given, context, span);
    }
    if (!lacksSelf(func)) {
      requireInputs(func, args, context, span);
      const result = context.call(method, args, span);
      const isSilent = result.kind === "none" && !this.silent.has(func);
      const said = isSilent ? returnsNothing(func, self.type.name, context.source) : undefined;
      if (isSilent) this.silent.add(func);
      if (said !== undefined) context.report(said);
      const made = madeBy(this.tensors, self.type.name, result, args, context, span);
      return this.hooks.resultOf(self, args, made, context, span);
    }
    const { from } = func.parameters[0]?.span ?? func.nameSpan;
    const lead = func.parameters.length === 0 ? "self" : "self, ";
    context.report({
      code: "document/missing-self",
      severity: "warning",
      message: `"${func.name}" of "${self.type.name}" has no self: all its parameters are read as inputs`,
      span: func.nameSpan,
      upstream: "TypeError",
      ...(func.parameters.length > 0 && {
        fixes: [{ title: "Add self", edits: [{ from, to: from, text: lead }] }],
      }),
    });
    return context.call(func, args, span);
  }

  /** A module of the text must have called its base's `__init__` before it runs. */
  private requireInit(self: InstanceValue, context: Context): void {
    if (this.made.has(self)) return;
    this.note(self);
    if (!isOfText(self.type) || this.initFaults.has(self.type)) return;
    this.initFaults.add(self.type);
    context.report(missingInit(self, this.systemOf(self), context.source));
  }

  private begin(self: Value | undefined, context: Context, span: Span): void {
    this.note(self);
    if (self?.kind !== "instance" || !isOfText(self.type)) return;
    const early = [...self.attributes].find(
      ([, value]) => this.isModule(value) || this.tensors.tensorOf(value)?.role === "parameter",
    );
    if (early === undefined || this.initFaults.has(self.type)) return;
    this.initFaults.add(self.type);
    context.report(lateInit(self, early[0], this.systemOf(self), context.source, span));
  }

  private systemOf({ type }: InstanceValue): string {
    const { cell, module } = this;
    return this.reading.systems.titleOf((type.mro.includes(cell) ? cell : module).name);
  }

  /** The method that a call of a module runs. */
  methodOf(type: ClassValue): Method {
    if (type.mro.includes(this.cell)) return "construct";
    const isBoth = type.mro.includes(this.sequence);
    const own = type.mro.find(({ attributes }) =>
      ["forward", "construct"].some((name) => attributes.has(name)),
    );
    return isBoth && own?.attributes.has("forward") === false ? "construct" : "forward";
  }

  /** Where each module stands inside others. */
  places(): ReadonlyMap<InstanceValue, ModulePlace> {
    const { copies } = this.tensors.experts.stacks;
    return placesIn(this.made, (value) => this.isModule(value), copies);
  }

  /** What modules hold as attributes, parameters and results too. */
  tensorsHeld(): ReadonlySet<TracedTensor> {
    const held = new Set<TracedTensor>();
    for (const { attributes } of this.made) {
      for (const value of attributes.values()) {
        const tensor = this.tensors.tensorOf(value);
        if (tensor !== undefined) held.add(tensor);
      }
    }
    return held;
  }

  /** Whether a module holds a parameter, buffer or input as an attribute; asked again until it does. */
  holds(tensor: TracedTensor): boolean {
    return tensor.producer === undefined && this.held.has(tensor);
  }

  /**
   * Gives parameters their path, e.g. `layers[3].fc.weight`; behind the variable of the outermost
   * module where that is a list, or where the path is another's already. Only those that a variable
   * of the text's module was bound to first are called after it: what a function calls a parameter
   * is no name of it.
   */
  nameParameters(variableOf: (root: InstanceValue) => string | undefined): void {
    const places = this.places();
    const taken = new Set<string>();
    for (const instance of this.made) {
      for (const [name, value] of instance.attributes) {
        const tensor = this.tensors.tensorOf(value);
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

  private baseClass(name: string, method: Method): ClassValue {
    return hostClass(name, {
      ...moduleApi({
        ...this.reading,
        noteBuffer: (instance, key, isSaved) => this.noteBuffer(instance, key, isSaved),
        isSaved: (instance, key) => this.buffers.get(instance)?.get(key) !== false,
        setTrained: (value, isTrained) => this.tensors.setTrained(value, isTrained),
        typeIn: (method, args) => typeAsked(this.tensors, method, args),
        retyped: (...asked) => this.tensors.retyped(...asked),
        copy: (instance, context, span) => this.copied(instance, context, span),
        hooks: this.hooks,
      }),
      __init__: ([self], context, span) => {
        this.begin(self?.value, context, span);
        return none;
      },
      __call__: ([self, ...rest], context, span) =>
        this.isModule(self?.value) ? this.run(self.value, rest, context, span) : none,
      [method]: (_args, context, span) =>
        context.raise("NotImplementedError", `a ${name} needs a method "${method}"`, span),
    });
  }

  /**
   * The number of elements of all parameters of a module, where it is known.
   *
   * @param undecided where the text asks what is not known
   */
  parameterCount(module: InstanceValue, undecided: readonly Span[]): number | undefined {
    return parameterCount(this.reading, module, (each) => this.undecided.has(each, undecided));
  }

  /** What a module holds that is not read, so that nobody knows its parameters. */
  unreadIn(module: InstanceValue): string | undefined {
    return unreadIn(this.reading, module);
  }

  /** Takes note that a module holds state under a name, and whether it is saved with it. */
  noteBuffer(instance: InstanceValue, name: string, isSaved: boolean): void {
    const known = this.buffers.get(instance) ?? new Map<string, boolean>();
    this.buffers.set(instance, known.set(name, isSaved));
  }

  /** `copy.deepcopy(module)`: the same modules again, with weights of their own. */
  private copied(root: InstanceValue, context: Context, span: Span): Value {
    // A layer that is copied into a stack is most often held by nothing else.
    this.releases.lose(root);
    return deepCopy(root, {
      isModule: (value) => this.isModule(value),
      noteCopy: (made, of) => {
        this.made.add(made);
        this.undecided.noteCopy(made, of);
        for (const [name, isSaved] of this.buffers.get(of) ?? [])
          this.noteBuffer(made, name, isSaved);
      },
      tensor: (value) => this.tensors.copyOf(value, context, span),
    });
  }

  private note(value: Value | undefined): void {
    if (value?.kind === "instance") this.made.add(value);
  }
}

/** Whether a class stands in the text, and in no module that is written in Python here. */
function isOfText({ span }: ClassValue): boolean {
  return span !== undefined && span.from >= 0;
}
