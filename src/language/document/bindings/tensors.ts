import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { noteNumbers } from "../asked-numbers.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { isUnknownTensor } from "../trace/traced-call.ts";
import {
  requireDims,
  requireNumbers,
  requireSettings,
  requireTensors,
  requireWhole,
  requireWindows,
} from "./argument-checks.ts";
import { arrayType, rowOfArrays } from "./arrays.ts";
import { assumedOf, maybeInput } from "./assumed.ts";
import { requireRead } from "./body-calls.ts";
import { saySizeOfData } from "./branch-on-data.ts";
import { dataBatch } from "./data-rows.ts";
import {
  alwaysRows,
  attributesIn,
  boundTo,
  giveRanks,
  hasSizeOfData,
  hasUnknownSize,
  operandsIn,
  withoutScalars,
} from "./entry-calls.ts";
import { ofExperts } from "./expert-keys.ts";
import { ExpertLoops } from "./expert-loops.ts";
import { isExpertPart } from "./expert-parts.ts";
import { clampedByTensors } from "./tensor-bounds.ts";
import type { CallStyle, TensorCalls, TensorSystems } from "./tensor-calls.ts";
import { tensorType } from "./tensor-methods.ts";
import { TensorObjects } from "./tensor-objects.ts";
import {
  castingNames,
  type GivenCall,
  knownCall,
  type Retyping,
  retyped,
  typesOf,
} from "./typed-call.ts";
import { castArguments, castingNow, inSingle } from "./types/casting.ts";
import { ValueTypes } from "./types/value-types.ts";
import { unknownCall, unknownResults } from "./unknown-calls.ts";
import { unknownOperand } from "./unknown-operand.ts";
import { integerOf, itemsOf } from "./values/values.ts";

/**
 * Functions known by their shapes only that just move elements: their gradients read no operand.
 */
const moving: ReadonlySet<string> = new Set([
  ...["cartesian_prod", "diag", "diag_embed", "diagonal", "fold", "gather", "pad_"],
  ...["select_scatter", "trace", "unfold", "view_as_complex", "view_as_real"],
]);

/** Calls of library operators on tensor objects. */
export class TensorBindings extends TensorObjects implements TensorCalls {
  private readonly parameters = new Map<LibraryEntry, readonly string[]>();
  protected readonly type: HostType;
  private readonly arrays = new Map<unknown, HostObject>();
  readonly systems: TensorSystems;
  readonly experts: ExpertLoops;
  readonly types = new ValueTypes();
  /** Random numbers that the text draws uniformly between 0 and 1. */
  readonly draws = new WeakSet<TracedTensor>();

  constructor(recorder: Recorder, systems: TensorSystems) {
    super(recorder);
    this.systems = systems;
    this.experts = new ExpertLoops(recorder, this);
    this.type = tensorType(this);
  }

  asArray(value: Value): Value {
    if (value.kind === "tuple" || value.kind === "list") return rowOfArrays(this, value);
    if (value.kind !== "host" || value.type !== this.type || this.isScalar(value)) return value;
    this.ofArrays ??= arrayType(this, this.type);
    const known = this.arrays.get(value.data) ?? { ...value, type: this.ofArrays };
    this.arrays.set(value.data, known);
    return known;
  }

  function(name: string, operands: readonly Value[], context: Context, span: Span): Value {
    const args = operands.map((value) => ({ value, span }));
    return this.systems.call(name, args, context, span);
  }

  shaped(
    name: string,
    annotation: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    results?: "known",
  ): Value {
    this.recorder.refuseNumbers(`"${name}" is known by its shapes only`, context, span);
    const inputs = operands.map((value) => this.operand(value, context, { asTensor: true, span }));
    const { text, givesScalars } = withoutScalars(annotation, inputs);
    const call = { op: name, stem: name, annotations: [{ text }], inputs, span, givesScalars };
    const rest = { integers: {}, linear: [], reducesInside: false, ...(results && { results }) };
    const passesBack = moving.has(name) ? "moves-elements" : "reads-operands";
    return this.result(this.recorder.call({ ...call, ...rest, passesBack }, context));
  }

  changeUnknown(value: Value, span: Span, context: Context): void {
    const tensor = this.tensorOf(value);
    const isHeld = tensor !== undefined && this.recorder.trace.tensors.includes(tensor);
    if (!isHeld || value.kind !== "host" || tensor.isUnknown === true || this.isParameter(value))
      return;
    if (tensor.producer?.op === "changed") return;
    const dims = (tensor.shape ?? []).map((_, dim) => `a${dim}^`).join(" ");
    this.replace(
      value,
      this.shaped("changed", `${dims} -> ${dims}`, [value], context, span, "known"),
    );
  }

  unknownResult(
    name: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    count = 1,
  ): Value {
    const inputs = operands.flatMap((value) => this.tensorOf(value) ?? []);
    return this.result(this.recorder.call(unknownResults(name, inputs, count, span), context));
  }

  /** Calls a library operator with arguments as written, cast if automatic casting is on. */
  call(
    entry: LibraryEntry,
    style: CallStyle,
    written: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const how = castingNow(this, castingNames(style.op, entry, written));
    if (how === undefined) return this.callTyped(entry, style, written, context, span);
    const args = castArguments(this, how, written, context, span);
    return inSingle(this, how, args, this.callTyped(entry, style, args, context, span));
  }

  private callTyped(
    entry: LibraryEntry,
    style: CallStyle,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    requireWhole(style.op, entry, args, context);
    const given = boundTo(entry, this.parametersOf(entry), args);
    const { bound } = given;
    if (this.isInBody) requireRead(this, [style.op, entry], given, context, span);
    const operands = operandsIn(entry, bound);
    const own =
      ofExperts(this, entry.name, bound, operands, { context, span }) ??
      clampedByTensors(this, entry, bound, { context, span });
    if (own !== undefined) return own;
    if (operands.length < entry.required) {
      const missing = entry.parameters[operands.length] ?? "x";
      const message = `${style.op}() missing required argument: '${missing}'`;
      return context.raise("TypeError", message, span);
    }
    const unknown = unknownOperand(this, entry, operands);
    if (unknown !== undefined) this.sayUnsaid(unknown, context, span);
    const inputs = operands.map((value) =>
      this.operand(value, context, { asTensor: unknown === undefined, span }),
    );
    if (unknown !== undefined && inputs.every(({ kind }) => kind === "plain"))
      return this.object(this.unknownInput(unknown.name, context, span));
    const batch =
      entry.name === "stack" ? dataBatch(this.dataParts, inputs, context, span) : undefined;
    if (batch !== undefined) return this.object(batch);
    const call = { ...given, operands, inputs };
    return unknown !== undefined || inputs.some(isUnknownTensor)
      ? this.callUnknown(entry, style, call, context, span)
      : this.callKnown(entry, style, call, context, span);
  }

  /** Checks and records a call whose operands are all known. */
  private callKnown(
    entry: LibraryEntry,
    style: CallStyle,
    given: GivenCall,
    context: Context,
    span: Span,
  ): Value {
    const { bound, operands, inputs } = given;
    requireTensors(style.op, entry, operands, inputs, context, span);
    requireSettings(style.op, entry, bound, context);
    const isOfData = hasSizeOfData(bound, (value) => this.tensorOf(value));
    if (isOfData) saySizeOfData(context, span);
    if (isOfData || hasUnknownSize(bound))
      return this.resultOfUnknown(style.op, bound, context, span);
    const attributes = attributesIn(bound);
    giveRanks(entry, inputs, attributes, style.strategy, context.frames);
    requireDims(style.op, entry, bound, inputs, context);
    requireWindows(style.op, bound, context);
    requireNumbers(style.op, entry, bound, inputs, context, span);
    const call = knownCall(this, [entry, style], given, attributes, context, span);
    const results = this.recorder.call(call, context);
    noteNumbers(this.recorder.trace, results[0]?.producer, bound);
    return this.result(results, alwaysRows.has(entry.name));
  }

  /** A tensor in another data type; the same tensor, retyped, if nothing has read it yet. */
  retyped(...[value, type, context, span]: Retyping): Value {
    return retyped(this, value, type, context, span);
  }

  /**
   * The result of a call with an unknown size argument. The cause was reported where the size came
   * from.
   */
  private resultOfUnknown(
    op: string,
    bound: ReadonlyMap<string, Argument>,
    context: Context,
    span: Span,
  ): Value {
    const values = [...bound.values()].flatMap(({ value }) => itemsOf(value) ?? [value]);
    return this.unknownResult(op, values, context, span);
  }

  /** Records a call that reads a tensor of unknown shape, without checks. */
  private callUnknown(
    entry: LibraryEntry,
    style: CallStyle,
    given: GivenCall,
    context: Context,
    span: Span,
  ): Value {
    const types = typesOf(this, [style.op, entry], given, context, span);
    const call = unknownCall(entry, style, given, types, span);
    return this.result(this.recorder.call(call, context));
  }

  /**
   * A value as an operand: a tensor, or a plain operand (`?` in annotations). An undefined name
   * becomes an input of that name if a tensor is wanted.
   */
  operand(
    value: Value,
    context: Context,
    wanted: { readonly asTensor: boolean; readonly span: Span },
  ): TracedTensor | PlainOperand {
    if (isExpertPart(value))
      return this.operand(
        this.experts.parts.partAlone(value, { context, span: wanted.span }),
        context,
        wanted,
      );
    const tensor = this.tensorOf(value);
    if (tensor !== undefined && this.stale.has(tensor))
      this.refuseNumbers(
        "it reads elements that it has changed in place under another name",
        context,
        wanted.span,
      );
    if (tensor !== undefined) return tensor;
    const assumed = assumedOf(value);
    if (assumed !== undefined && wanted.asTensor && assumed.isOfUnknown !== true) {
      return this.assumedInput(assumed.name, wanted.span, context);
    }
    const number = integerOf(value);
    return {
      kind: "plain",
      text: context.text(value),
      ...(number !== undefined && { integer: number }),
    };
  }

  /** A value used as a tensor: an undefined name becomes an input. */
  asInput(value: Value, context: Context, span: Span): Value {
    const assumed = assumedOf(value);
    if (assumed === undefined || !maybeInput(assumed)) return value;
    return this.object(this.assumedInput(assumed.name, span, context));
  }

  /** The parameter names of an entry, plus `dim` and `axis`, which every call may have. */
  private parametersOf(entry: LibraryEntry): readonly string[] {
    const known = this.parameters.get(entry);
    if (known !== undefined) return known;
    const leading = entry.leading === undefined ? [] : [entry.leading];
    const names = [...leading, ...entry.parameters, "dim", "axis"];
    this.parameters.set(entry, names);
    return names;
  }

  /**
   * The return value of a call: one tensor, or a tuple of tensors.
   * @param isRow whether a single tensor is wrapped in a tuple too
   */
  result(results: readonly TracedTensor[], isRow = false): Value {
    const [only] = results;
    if (!isRow && results.length === 1 && only !== undefined) return this.object(only);
    return { kind: "tuple", items: results.map((tensor) => this.object(tensor)) };
  }
}
