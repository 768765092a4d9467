import type { Span } from "#core/diagnostics";
import type { Context, HostObject, HostType, Value } from "#language/python";
import type { Recorder } from "../trace/recorder.ts";
import type { Size } from "../trace/size.ts";
import type { Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import { aliasesOf } from "./aliases.ts";
import type { Assumed } from "./assumed.ts";
import { type DataParts, dataRow } from "./data-rows.ts";
import { knownElements } from "./known-elements.ts";

/** Number of producers up the graph to which a write into a possible view is propagated. */
const mostShared = 64;

/** One call of `backward()`. */
export interface BackwardCall {
  readonly tensor: TracedTensor;
  readonly span: Span;
  /** Number of operators recorded before the call. */
  readonly operators: number;
}

/**
 * Tensors as Python objects: the tensor behind an object, attributes set on it, and its gradient.
 */
export abstract class TensorObjects {
  /** The calls of `backward()` so far. */
  readonly backwardCalls: BackwardCall[] = [];
  protected readonly recorder: Recorder;
  private readonly objects = new Map<TracedTensor, HostObject>();
  private readonly saidUnknown = new Set<string>();
  private readonly assumed = new Map<string, TracedTensor>();
  /**
   * Present value of each tensor that an in-place operator has changed, by the tensor of its
   * object.
   */
  private readonly replaced = new Map<TracedTensor, TracedTensor>();
  /**
   * Tensors changed in place during this round of a loop, with their values before it; `undefined`
   * if changes are not noted.
   */
  private changed: Map<TracedTensor, TracedTensor> | undefined;
  protected readonly stale = new WeakSet<TracedTensor>();
  private readonly states = new WeakSet<HostObject>();
  private readonly scalars = new WeakSet<HostObject>();
  private readonly gradients = new WeakMap<HostObject, Value>();
  private readonly extras = new WeakMap<HostObject, Map<string, Value>>();
  protected abstract readonly type: HostType;
  /**
   * The host type of NumPy arrays, which are tensors with other methods; absent before the first
   * array.
   */
  protected ofArrays: HostType | undefined;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** All operators so far. */
  get made(): Recorder["trace"]["operators"] {
    return this.recorder.trace.operators;
  }

  /** The Python object of a tensor; one per tensor, so that identity holds. */
  object(tensor: TracedTensor): HostObject {
    const known = this.objects.get(tensor);
    if (known !== undefined) return known;
    const object: HostObject = { kind: "host", type: this.type, data: tensor };
    this.objects.set(tensor, object);
    return object;
  }

  /** The tensor behind a Python value, if it is one. */
  tensorOf(value: Value | undefined): TracedTensor | undefined {
    if (value?.kind !== "host" || (value.type !== this.type && value.type !== this.ofArrays))
      return undefined;
    const tensor = value.data as TracedTensor;
    return this.replaced.get(tensor) ?? tensor;
  }

  isArray(value: Value): boolean {
    return value.kind === "host" && value.type === this.ofArrays;
  }

  asTensor(value: Value): Value {
    return this.isArray(value) ? this.object((value as HostObject).data as TracedTensor) : value;
  }

  /**
   * The rank of a tensor value, `"unknown"` if its shape is open; `undefined` for any other value.
   */
  readonly rankOf = (value: Value): number | "unknown" | undefined => {
    const tensor = this.tensorOf(value);
    if (tensor === undefined) return undefined;
    const isOpen = tensor.isUnknown === true || tensor.shapeStatus === "assumed";
    return isOpen ? "unknown" : (tensor.shape?.length ?? "unknown");
  };

  /**
   * Gives a tensor's object another value, as an in-place operator does. In a traced function body,
   * tensors that may share its elements become stale.
   */
  replace(self: HostObject, value: Value): void {
    const [before, after] = [this.tensorOf(self), this.tensorOf(value)];
    if (before === undefined || after === undefined || this.isParameter(self)) return;
    const elements = knownElements(after);
    this.noteWritten(self);
    after.isWritten = true;
    after.written = elements;
    const key = self.data as TracedTensor;
    if (this.changed?.has(key) === false) this.changed.set(key, before);
    if (this.recorder.isInBody)
      for (const alias of aliasesOf(before, this.recorder.trace)) this.stale.add(alias);
    this.replaced.set(key, after);
  }

  /**
   * Notes that a tensor was written into: its value is no longer that of its producer. The same
   * holds for the tensors that it may be a view of.
   */
  noteWritten(value: Value | undefined): void {
    let tensor = this.tensorOf(value);
    for (let left = mostShared; tensor !== undefined && left > 0; left -= 1) {
      tensor.isWritten = true;
      tensor.written = undefined;
      const [source]: TracedOperator["inputs"] = tensor.producer?.inputs ?? [];
      tensor = source?.kind === "tensor" ? source : undefined;
    }
  }

  noteChanges(isOn: boolean): void {
    this.changed = isOn ? new Map() : undefined;
  }

  undoChanges(): readonly HostObject[] {
    const changed = [...(this.changed ?? [])];
    this.changed = undefined;
    for (const [key, before] of changed) this.replaced.set(key, before);
    return changed.map(([key]) => this.object(key));
  }

  /**
   * The scalar object of a tensor. In a traced function body this is the tensor's own object, which
   * has the same value.
   */
  scalar(self: HostObject): HostObject {
    if (this.recorder.isInBody || this.scalars.has(self)) return self;
    const made: HostObject = { kind: "host", type: this.type, data: self.data };
    this.scalars.add(made);
    return made;
  }

  get hasRunBackward(): boolean {
    return this.backwardCalls.length > 0;
  }

  noteBackward(self: HostObject, span: Span): void {
    const tensor = this.tensorOf(self);
    const operators = this.recorder.trace.operators.length;
    this.recorder.trace.rounds.backwardPasses += 1;
    if (tensor !== undefined) this.backwardCalls.push({ tensor, span, operators });
  }

  isScalar(value: Value): boolean {
    return value.kind === "host" && this.scalars.has(value);
  }

  isParameter(self: HostObject): boolean {
    const tensor = this.tensorOf(self);
    return tensor?.role === "parameter" && tensor.producer === undefined;
  }

  extra(self: HostObject, name: string): Value | undefined {
    return this.extras.get(self)?.get(name);
  }

  /**
   * `weight.scale = …`: stores an attribute on a tensor. `data` and `grad` are accepted and not
   * stored.
   */
  setExtra(self: HostObject, name: string, value: Value): boolean {
    if (name === "data" || name === "grad") return true;
    const known = this.extras.get(self) ?? new Map<string, Value>();
    this.extras.set(self, known.set(name, value));
    return true;
  }

  /** Marks a tensor as a buffer of the module that holds it. */
  setBuffer(value: Value): void {
    if (value.kind === "host" && this.tensorOf(value) !== undefined) this.states.add(value);
  }

  isBuffer(value: Value): boolean {
    return value.kind === "host" && this.states.has(value);
  }

  /** Sets a tensor's `requires_grad`. */
  setTrained(value: Value, isTrained: boolean): void {
    if (value.kind === "host" && this.tensorOf(value) !== undefined)
      this.setExtra(value, "requires_grad", { kind: "bool", value: isTrained });
  }

  /** Whether the text has set a tensor's `requires_grad` to false. */
  isOff(value: Value): boolean {
    const asked = value.kind === "host" ? this.extra(value, "requires_grad") : undefined;
    return asked?.kind === "bool" && !asked.value;
  }

  /**
   * Whether a tensor may share elements with one changed in place, so that its values are unknown.
   */
  isStale(tensor: TracedTensor): boolean {
    return this.stale.has(tensor);
  }

  elementsOf(tensor: TracedTensor | undefined): readonly number[] | undefined {
    return knownElements(tensor)?.values;
  }

  get isInBody(): boolean {
    return this.recorder.isInBody;
  }

  get followsGradients(): boolean {
    return this.recorder.followsGradients;
  }

  /** The trace of the program so far. */
  get trace(): Trace {
    return this.recorder.trace;
  }

  /** Ends the tracing of a function body that does something which cannot run here. */
  refuse(reason: string, context: Context, span: Span): void {
    this.recorder.refuse(reason, context, span);
  }

  /** Like `refuse`, but only for traces that need numbers; the shapes of the results stay known. */
  refuseNumbers(reason: string, context: Context, span: Span): void {
    this.recorder.refuseNumbers(reason, context, span);
  }

  /** The input assumed for an undefined name, or for a parameter that no caller passes. */
  assumedInput(name: string, span: Span, context: Context, isShared = true): TracedTensor {
    const known = isShared ? this.assumed.get(name) : undefined;
    if (known !== undefined) return known;
    const unsaid = {
      shape: undefined,
      shapeStatus: "assumed",
      dtype: "f32",
      dtypeText: "f32",
      isTypeAssumed: true,
    } as const;
    const tensor = this.recorder.leaf({ role: "input", ...unsaid, span }, context);
    tensor.name = { text: name, frames: [] };
    if (isShared) this.assumed.set(name, tensor);
    return tensor;
  }

  /** An input of unknown shape. */
  unknownInput(name: string, context: Context, span: Span): TracedTensor {
    const unsaid = { shapeStatus: "assumed", dtype: "f32", dtypeText: "f32" } as const;
    const spec = { role: "input", shape: undefined, isUnknown: true, ...unsaid, span } as const;
    const tensor = this.recorder.leaf(spec, context);
    tensor.name = { text: name, frames: [] };
    return tensor;
  }

  /**
   * Reports, once per name, that a known module has no such name, so that values which follow from
   * it have no known shape.
   */
  sayUnsaid({ name, isUnsaid }: Assumed, context: Context, span: Span): void {
    if (isUnsaid !== true || this.saidUnknown.has(name)) return;
    this.saidUnknown.add(name);
    context.report({
      code: "document/unknown-value",
      severity: "warning",
      message: `"${name}" is not known here: what follows from it has no known shape`,
      span,
    });
  }

  /**
   * A copy of a leaf, as `copy.deepcopy` makes it. The result of an operator is returned itself.
   */
  copyOf(value: Value, context: Context, span: Span): Value {
    const tensor = this.tensorOf(value);
    if (tensor === undefined || tensor.producer !== undefined || tensor.role === "activation")
      return value;
    const { role, shape, shapeStatus, dtype, dtypeText, isTypeAssumed = false, constant } = tensor;
    const spec = { role, shape, shapeStatus, dtype, dtypeText, isTypeAssumed, span };
    return this.object(this.recorder.leaf({ ...spec, ...(constant && { constant }) }, context));
  }

  /** Parts from which samples of a data set are made. */
  protected get dataParts(): DataParts {
    return { recorder: this.recorder, tensorOf: (value) => this.tensorOf(value) };
  }

  dataRow(
    self: HostObject,
    keys: readonly Value[],
    context: Context,
    span: Span,
  ): HostObject | undefined {
    const row = dataRow(this.dataParts, self, keys, context, span);
    return row && this.object(row);
  }

  gradientOf(self: HostObject, context: Context, span: Span): Value {
    const known = this.gradients.get(self);
    if (known !== undefined) return known;
    const made = this.leafLike(self, context, span);
    this.gradients.set(self, made);
    const name = this.tensorOf(self)?.name?.text ?? "a tensor";
    context.report({
      code: "document/gradient-as-input",
      severity: "info",
      message: `the gradient of ${name} is read as an input of the same shape`,
      span,
    });
    return made;
  }

  /**
   * A new input of the same shape and data type, used to trace a body; a value that is no tensor is
   * returned itself.
   */
  leafLike(value: Value, context: Context, span: Span): Value {
    const tensor = this.tensorOf(value);
    if (tensor === undefined) return value;
    const { shape, shapeStatus, dtype, dtypeText } = tensor;
    return this.object(
      this.recorder.leaf({ role: "input", shape, shapeStatus, dtype, dtypeText, span }, context),
    );
  }

  /** The shape of the input assumed for an unknown name; `undefined` before its first use. */
  assumedShape(name: string): readonly Size[] | undefined {
    return this.assumed.get(name)?.shape;
  }
}
