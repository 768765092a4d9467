import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type ClassValue,
  type Context,
  hostClass,
  type InstanceValue,
  type Replacement,
  type Value,
} from "#language/python";
import type { Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { HeldTensors } from "./held-tensors.ts";
import { InitChecks } from "./init-checks.ts";
import { moduleApi } from "./module-api.ts";
import { ModuleBuffers } from "./module-buffers.ts";
import { deepCopy } from "./module-copy.ts";
import { ModuleHooks } from "./module-hooks.ts";
import { callSequence, listClass } from "./module-lists.ts";
import { type ModulePlace, nameByPlace, placesIn, receiversIn } from "./module-places.ts";
import { ModuleReleases } from "./module-releases.ts";
import { isOfText, ModuleRunner } from "./module-runner.ts";
import { type ModuleSystems, parameterCount, type TreeReading, unreadIn } from "./module-tree.ts";
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
  private readonly inits: InitChecks;
  private readonly runner: ModuleRunner;
  private readonly tensors: TensorBindings;
  readonly buffers: ModuleBuffers;
  private readonly reading: TreeReading;
  /** Cache of the tensors found in module attributes. */
  private readonly held: HeldTensors;
  /** Modules and parameters that have left their owner. */
  private readonly releases: ModuleReleases;
  private readonly notes: Parameters<typeof listClass>[2];

  constructor(tensors: TensorBindings, systems: ModuleSystems) {
    this.tensors = tensors;
    this.buffers = new ModuleBuffers(tensors);
    this.reading = {
      systems,
      isModule: (value) => this.isModule(value),
      tensorOf: (value) => this.tensors.tensorOf(value),
      buffersOf: (instance) => this.buffers.of(instance),
    };
    this.releases = new ModuleReleases(this.reading);
    this.inits = new InitChecks({
      isHeld: (value) => this.isModule(value) || tensors.tensorOf(value)?.role === "parameter",
      systemOf: (self) => this.systemOf(self),
    });
    this.runner = new ModuleRunner({
      ...{ tensors, hooks: this.hooks },
      methodOf: (type) => this.methodOf(type),
      isCell: (type) => this.isCell(type),
      requireInit: (self, context) => {
        if (this.made.has(self)) return;
        this.note(self);
        this.inits.noteMissing(self, context);
      },
    });
    this.held = new HeldTensors(this.made, this.reading.tensorOf);
    this.module = this.baseClass("Module", "forward");
    this.cell = this.baseClass("Cell", "construct");
    const notes = {
      made: (value: Value | undefined) => this.note(value),
      replaced: (value: Value) => this.releases.lose(value),
      isModule: (value: Value) => this.isModule(value),
      isTensor: (value: Value) => typeof this.tensors.rankOf(value) === "number",
      ofExperts: (items: readonly Value[]) => tensors.experts.stacks.stacked(items),
    };
    tensors.experts.stacks.noteCopy = (made, of) => {
      this.made.add(made);
      this.undecided.noteCopy(made, of);
    };
    this.notes = notes;
    [this.list, this.sequence] = this.listsOver(this.module, ["ModuleList", "Sequential"]);
  }

  /** The module-list class and the sequence class over a base class, with the given names. */
  listsOver(
    base: ClassValue,
    [list, sequence]: readonly [string, string],
    more: Parameters<typeof listClass>[3] = {},
  ): readonly [ClassValue, ClassValue] {
    const run = callSequence(this.notes.isModule);
    const methods = { forward: run, construct: run, ...more };
    return [listClass(list, base, this.notes), listClass(sequence, base, this.notes, methods)];
  }

  /** Whether a value is an instance of a module class, defined by the text or by a library. */
  isModule(value: Value | undefined): value is InstanceValue {
    if (value?.kind !== "instance") return false;
    return value.type.mro.includes(this.module) || value.type.mro.includes(this.cell);
  }

  /**
   * Whether a function is a `Module` method that runs leniently: a failing line is left out and the
   * other lines still count.
   */
  isLenient(callee: object, receiver: Value | undefined): boolean {
    if (receiver?.kind !== "instance" || !receiver.type.mro.includes(this.module)) return false;
    return "name" in callee && (callee.name === "__init__" || callee.name === "forward");
  }

  /**
   * Handles the replacement or removal of a module attribute. Returns the value to store instead,
   * if a hook decides on one.
   */
  replace(replacement: Replacement, context: Context): Value | undefined {
    const { owner, name, before, after } = replacement;
    if (!this.isModule(owner)) return undefined;
    const kept = this.hooks.keeper?.(replacement, context);
    if (kept !== undefined || before === after) return kept;
    for (const watcher of this.hooks.watchers) watcher(replacement, context);
    this.held.replace(owner);
    this.releases.note(replacement, context);
    const given = this.tensors.tensorOf(after);
    if (after === undefined || given?.role === "parameter") this.buffers.forget(owner, name);
    return undefined;
  }

  /** Removes replaced modules and parameters from the program if nothing holds them any more. */
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
   * Modules of the text's classes that no other module holds and of which the program calls no
   * computing method.
   * @param held whether the program still holds a module; a module whose construction failed is not
   * drawn
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

  /**
   * Runs the `forward` or `construct` of a module. A method without `self` takes all its parameters
   * as inputs.
   */
  run(self: InstanceValue, given: readonly Argument[], context: Context, span: Span): Value {
    this.called.add(self);
    return this.runner.run(self, given, context, span);
  }

  /** Whether a class is a `Cell`. */
  isCell({ mro }: ClassValue): boolean {
    return mro.includes(this.cell);
  }

  private systemOf({ type }: InstanceValue): string {
    const { cell, module } = this;
    return this.reading.systems.titleOf((this.isCell(type) ? cell : module).name);
  }

  /** The name of the method that a call of a module runs. */
  methodOf(type: ClassValue): Method {
    if (this.isCell(type)) return "construct";
    const isBoth = type.mro.includes(this.sequence);
    const own = type.mro.find(({ attributes }) =>
      ["forward", "construct"].some((name) => attributes.has(name)),
    );
    return isBoth && own?.attributes.has("forward") === false ? "construct" : "forward";
  }

  /** The path of each module inside other modules. */
  places(): ReadonlyMap<InstanceValue, ModulePlace> {
    const { copies } = this.tensors.experts.stacks;
    return placesIn(this.made, (value) => this.isModule(value), copies);
  }

  /** Tensors held as attributes of modules: parameters, buffers and results. */
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

  /**
   * Whether a module holds a parameter, buffer or input as an attribute. A positive answer is
   * remembered.
   */
  holds(tensor: TracedTensor): boolean {
    return tensor.producer === undefined && this.held.has(tensor);
  }

  /**
   * Names parameters by their path, prefixed by the module's variable where needed (`nameByPlace`).
   */
  nameParameters(variableOf: (root: InstanceValue) => string | undefined): void {
    nameByPlace(this.made, this.places(), this.reading.tensorOf, variableOf);
  }

  private baseClass(name: string, method: Method): ClassValue {
    return hostClass(name, {
      ...moduleApi({
        ...this.reading,
        noteBuffer: (...noted) => this.buffers.note(...noted),
        isSaved: (...asked) => this.buffers.isSaved(...asked),
        setTrained: (value, isTrained) => this.tensors.setTrained(value, isTrained),
        isOff: (value) => this.tensors.isOff(value),
        typeIn: (method, args) => typeAsked(this.tensors, method, args),
        retyped: (...asked) => this.tensors.retyped(...asked),
        copy: (instance, context, span) => this.copied(instance, context, span),
        hooks: this.hooks,
      }),
      __init__: ([self], context, span) => {
        this.note(self?.value);
        if (self?.value.kind === "instance") this.inits.noteCall(self.value, context, span);
        return none;
      },
      __call__: ([self, ...rest], context, span) =>
        this.isModule(self?.value) ? this.run(self.value, rest, context, span) : none,
      [method]: (_args, context, span) =>
        context.raise("NotImplementedError", `a ${name} needs a method "${method}"`, span),
    });
  }

  /**
   * Number of elements of all parameters of a module; `undefined` if unknown.
   *
   * @param undecided places where the text depends on unknown values
   */
  parameterCount(module: InstanceValue, undecided: readonly Span[]): number | undefined {
    return parameterCount(this.reading, module, (each) => this.undecided.has(each, undecided));
  }

  /**
   * The name of an unread member of a module, which makes its parameter count unknown; `undefined`
   * if all are read.
   */
  unreadIn(module: InstanceValue): string | undefined {
    return unreadIn(this.reading, module);
  }

  /** `copy.deepcopy(module)`: a copy of the module tree with weights of its own. */
  private copied(root: InstanceValue, context: Context, span: Span): Value {
    // Usually nothing else holds a layer that was the pattern of a stack.
    this.releases.lose(root);
    return deepCopy(root, {
      isModule: (value) => this.isModule(value),
      noteCopy: (made, of) => {
        this.made.add(made);
        this.undecided.noteCopy(made, of);
        this.buffers.copy(made, of);
      },
      hooks: (made, of, copy) => this.hooks.copy(made, of, copy),
      tensor: (value) => this.tensors.copyOf(value, context, span),
    });
  }

  private note(value: Value | undefined): void {
    if (value?.kind === "instance") this.made.add(value);
  }
}
