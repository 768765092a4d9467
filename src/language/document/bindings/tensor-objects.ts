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

/** So many operators back a tensor may be a view of another. */
const mostShared = 64;

/** One call of `backward()`. */
export interface BackwardCall {
  readonly tensor: TracedTensor;
  readonly span: Span;
  /** How many operators the program had then. */
  readonly operators: number;
}

/** Tensors as objects of Python: which tensor an object is, what is set on it, and its gradient. */
export abstract class TensorObjects {
  /** The calls of `backward()`: of which tensor, where, and how many operators there were. */
  readonly backwardCalls: BackwardCall[] = [];
  protected readonly recorder: Recorder;
  private readonly objects = new Map<TracedTensor, HostObject>();
  private readonly saidUnknown = new Set<string>();
  private readonly assumed = new Map<string, TracedTensor>();
  /** What tensors have become by operators in place, in bodies of functions. */
  private readonly replaced = new Map<TracedTensor, TracedTensor>();
  /** Tensors that in-place operators have changed in this round, with their values before it. */
  private changed: Map<TracedTensor, TracedTensor> | undefined;
  protected readonly stale = new WeakSet<TracedTensor>();
  private readonly states = new WeakSet<HostObject>();
  private readonly scalars = new WeakSet<HostObject>();
  private readonly gradients = new WeakMap<HostObject, Value>();
  private readonly extras = new WeakMap<HostObject, Map<string, Value>>();
  protected abstract readonly type: HostType;
  /** What arrays of NumPy can do: tensors by another name. */
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

  /** The rank of a value that is a tensor, as far as it is known; `undefined` of anything else. */
  readonly rankOf = (value: Value): number | "unknown" | undefined => {
    const tensor = this.tensorOf(value);
    if (tensor === undefined) return undefined;
    const isOpen = tensor.isUnknown === true || tensor.shapeStatus === "assumed";
    return isOpen ? "unknown" : (tensor.shape?.length ?? "unknown");
  };

  /**
   * In the body of a function an operator in place gives the tensor's object another value. What
   * others see that may share its elements is not known from then on.
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

  /** In the body of a function the tensor stands for it, which has the same value. */
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

  /** `weight.scale = …`: tensors keep what is set on them; values and flags of theirs are not shown. */
  setExtra(self: HostObject, name: string, value: Value): boolean {
    if (name === "data" || name === "grad") return true;
    const known = this.extras.get(self) ?? new Map<string, Value>();
    this.extras.set(self, known.set(name, value));
    return true;
  }

  /** Says of a tensor that it is state of the module that holds it. */
  setBuffer(value: Value): void {
    if (value.kind === "host" && this.tensorOf(value) !== undefined) this.states.add(value);
  }

  isBuffer(value: Value): boolean {
    return value.kind === "host" && this.states.has(value);
  }

  /** Says of a tensor whether it is trained, which `requires_grad` asks. */
  setTrained(value: Value, isTrained: boolean): void {
    if (value.kind === "host" && this.tensorOf(value) !== undefined)
      this.setExtra(value, "requires_grad", { kind: "bool", value: isTrained });
  }

  /** Whether the text has taken a tensor's gradient off. */
  isOff(value: Value): boolean {
    const asked = value.kind === "host" ? this.extra(value, "requires_grad") : undefined;
    return asked?.kind === "bool" && !asked.value;
  }

  /** Whether a tensor shares elements with one that has been changed in place, and so is not known. */
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

  /** What the program has recorded so far. */
  get trace(): Trace {
    return this.recorder.trace;
  }

  /** Ends the tracing of a body that does what cannot be run here. */
  refuse(reason: string, context: Context, span: Span): void {
    this.recorder.refuse(reason, context, span);
  }

  /** `refuse` where numbers are wanted: the shapes of the results are known all the same. */
  refuseNumbers(reason: string, context: Context, span: Span): void {
    this.recorder.refuseNumbers(reason, context, span);
  }

  /** The input that stands for a name of the text, or for a parameter that nobody passes. */
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

  /** An input of which nobody knows the shape. */
  unknownInput(name: string, context: Context, span: Span): TracedTensor {
    const unsaid = { shapeStatus: "assumed", dtype: "f32", dtypeText: "f32" } as const;
    const spec = { role: "input", shape: undefined, isUnknown: true, ...unsaid, span } as const;
    const tensor = this.recorder.leaf(spec, context);
    tensor.name = { text: name, frames: [] };
    return tensor;
  }

  /** Says once of a name of a known module, which has no such name, that what follows is unknown. */
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

  /** A leaf of the same shape, as `copy.deepcopy` makes it; what an operator makes stays itself. */
  copyOf(value: Value, context: Context, span: Span): Value {
    const tensor = this.tensorOf(value);
    if (tensor === undefined || tensor.producer !== undefined || tensor.role === "activation")
      return value;
    const { role, shape, shapeStatus, dtype, dtypeText, isTypeAssumed = false, constant } = tensor;
    const spec = { role, shape, shapeStatus, dtype, dtypeText, isTypeAssumed, span };
    return this.object(this.recorder.leaf({ ...spec, ...(constant && { constant }) }, context));
  }

  /** What samples of data are made with. */
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

  /** Another input of the same shape and type, to see what a body makes of it; else the value itself. */
  leafLike(value: Value, context: Context, span: Span): Value {
    const tensor = this.tensorOf(value);
    if (tensor === undefined) return value;
    const { shape, shapeStatus, dtype, dtypeText } = tensor;
    return this.object(
      this.recorder.leaf({ role: "input", shape, shapeStatus, dtype, dtypeText, span }, context),
    );
  }

  /** The shape of the input that an unknown name was assumed to be; absent before its first use. */
  assumedShape(name: string): readonly Size[] | undefined {
    return this.assumed.get(name)?.shape;
  }
}
