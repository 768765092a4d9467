import type { Span } from "#core/diagnostics";
import { type Attributes, type CallShapes, integersIn, type LibraryEntry } from "#core/ir";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import type { Recorder } from "../recorder.ts";
import { knownSize, type Size } from "../size.ts";
import type { PlainOperand, TracedTensor } from "../traced.ts";
import { isUnknownTensor } from "../unknown-results.ts";
import type { ShardStrategy } from "../written-layouts.ts";
import { aliasesOf } from "./aliases.ts";
import {
  requireDims,
  requireExpansion,
  requireLengths,
  requireTensors,
  requireWhole,
} from "./argument-checks.ts";
import { assumedOf } from "./assumed.ts";
import { saySizeOfData } from "./branch-on-data.ts";
import {
  attributesIn,
  boundTo,
  givenShape,
  hasUnknownSize,
  isAttribute,
  isOperand,
  operandsIn,
  shapeArguments,
} from "./call-arguments.ts";
import { unreadArgument } from "./entry-arguments.ts";
import { giveRank, rankByLayer, rankTaken } from "./guessed-rank.ts";
import { requirePassed } from "./missing-argument.ts";
import { isRankZero, isScalarResult, withoutScalars } from "./scalar-results.ts";
import type { CallStyle, TensorCalls, UnknownMethod } from "./tensor-calls.ts";
import { tensorType } from "./tensor-methods.ts";
import { type bindArguments, integerOf, integersOf, itemsOf } from "./values.ts";

/** Tensors as Python objects, and calls of library operators on them. */
export class TensorBindings implements TensorCalls {
  hasRunBackward = false;
  private readonly recorder: Recorder;
  private readonly objects = new Map<TracedTensor, HostObject>();
  private readonly parameters = new Map<LibraryEntry, readonly string[]>();
  private readonly assumed = new Map<string, TracedTensor>();
  /** What tensors have become by operators in place, in bodies of functions. */
  private readonly replaced = new Map<TracedTensor, TracedTensor>();
  private readonly stale = new WeakSet<TracedTensor>();
  private readonly scalars = new WeakSet<HostObject>();
  private readonly gradients = new WeakMap<HostObject, Value>();
  private readonly extras = new WeakMap<HostObject, Map<string, Value>>();
  private readonly type: HostType;
  private readonly unknown: UnknownMethod;

  /** @param unknown calls a method that the library does not have */
  constructor(recorder: Recorder, unknown: UnknownMethod) {
    this.recorder = recorder;
    this.unknown = unknown;
    this.type = tensorType(this, unknown);
  }

  /** In the body of a function nothing may be left out: the numbers would be others. */
  private refuseUnread(
    op: string,
    entry: LibraryEntry,
    { bound, extra }: ReturnType<typeof bindArguments>,
    context: Context,
    span: Span,
  ): void {
    if (!this.recorder.isInBody) return;
    const operands = new Set(entry.parameters.slice(0, entry.tensors));
    const isRead = ([name, { value }]: readonly [string, Argument]) =>
      operands.has(name) ? isOperand(value, (each) => this.tensorOf(each)) : isAttribute(value);
    for (const { value, span: at } of bound.values()) requirePassed(value, context, at);
    const unread = unreadArgument(extra) ?? [...bound].find((pair) => !isRead(pair))?.[0];
    if (unread !== undefined) {
      this.recorder.refuse(`"${unread}" of ${op}() cannot be read here`, context, span);
    }
    if (entry.name === "dropout") this.recorder.refuse("it draws random numbers", context, span);
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
    if (value?.kind !== "host" || value.type !== this.type) return undefined;
    const tensor = value.data as TracedTensor;
    return this.replaced.get(tensor) ?? tensor;
  }

  /**
   * In the body of a function an operator in place gives the tensor's object another value. What
   * others see that may share its elements is not known from then on.
   */
  replace(self: HostObject, value: Value): void {
    const [before, after] = [this.tensorOf(self), this.tensorOf(value)];
    if (before === undefined || after === undefined || this.isParameter(self)) return;
    if (this.recorder.isInBody)
      for (const alias of aliasesOf(before, this.recorder.trace)) this.stale.add(alias);
    this.replaced.set(self.data as TracedTensor, after);
  }

  /** In the body of a function the tensor stands for it, which has the same value. */
  scalar(self: HostObject): HostObject {
    if (this.recorder.isInBody || this.scalars.has(self)) return self;
    const made: HostObject = { kind: "host", type: this.type, data: self.data };
    this.scalars.add(made);
    return made;
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

  /** Says of a tensor whether it is trained, which `requires_grad` asks. */
  setTrained(value: Value, isTrained: boolean): void {
    if (value.kind === "host" && this.tensorOf(value) !== undefined)
      this.setExtra(value, "requires_grad", { kind: "bool", value: isTrained });
  }

  function(name: string, operands: readonly Value[], context: Context, span: Span): Value {
    const args = operands.map((value) => ({ value, span }));
    return this.unknown(name, args, context, span);
  }

  shaped(
    name: string,
    annotation: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    results?: "known",
  ): Value {
    this.recorder.refuse(`"${name}" is known by its shapes only`, context, span);
    const inputs = operands.map((value) => this.operand(value, context, { asTensor: true, span }));
    const { text, givesScalars } = withoutScalars(annotation, inputs);
    const call = { op: name, stem: name, annotations: [{ text }], inputs, span, givesScalars };
    const rest = { integers: {}, linear: [], reducesInside: false, ...(results && { results }) };
    return this.result(this.recorder.call({ ...call, ...rest }, context));
  }

  unknownResult(name: string, operands: readonly Value[], context: Context, span: Span): Value {
    const inputs = operands.flatMap((value) => this.tensorOf(value) ?? []);
    const call = { op: name, stem: name, annotations: [], inputs, span, integers: {} } as const;
    const rest = { linear: [], reducesInside: false, results: "unknown" } as const;
    return this.result(this.recorder.call({ ...call, ...rest }, context));
  }

  /** Whether a tensor shares elements with one that has been changed in place, and so is not known. */
  isStale(tensor: TracedTensor): boolean {
    return this.stale.has(tensor);
  }

  get isInBody(): boolean {
    return this.recorder.isInBody;
  }

  /** Ends the tracing of a body that does what cannot be run here. */
  refuse(reason: string, context: Context, span: Span): void {
    this.recorder.refuse(reason, context, span);
  }

  /** Calls a library operator with arguments as a program wrote them. */
  call(
    entry: LibraryEntry,
    style: CallStyle,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    requireWhole(style.op, entry, args, context);
    const given = boundTo(entry, this.parametersOf(entry), args);
    const { bound } = given;
    this.refuseUnread(style.op, entry, given, context, span);
    const operands = operandsIn(entry, bound);
    if (operands.length < entry.required) {
      const missing = entry.parameters[operands.length] ?? "x";
      return context.raise(
        "TypeError",
        `${style.op}() missing required argument: '${missing}'`,
        span,
      );
    }
    const inputs = operands.map((value) => this.operand(value, context, { asTensor: true, span }));
    if (inputs.some(isUnknownTensor))
      return this.callUnknown(entry, style, [bound, inputs], context, span);
    requireTensors(style.op, entry, operands, inputs, context, span);
    if (this.hasSizeOfData(bound)) return this.resultOfData(style.op, bound, context, span);
    if (hasUnknownSize(bound)) return this.resultOfUnknown(style.op, bound, context, span);
    const attributes = attributesIn(bound);
    this.giveRanks(entry, inputs, attributes, style, context);
    requireDims(style.op, entry, bound, inputs, context);
    requireExpansion(entry, bound, inputs, context);
    requireLengths(style.op, entry, bound, inputs, context);
    requireWindows(style.op, bound, context);
    const asked = entry.annotate({ inputs: inputs.map(shapeOf), attributes });
    const annotation = inputs.some(isRankZero) ? withoutScalars(asked, inputs).text : asked;
    // Spelt out: joining objects of many forms is slow, and this runs for every operator.
    const results = this.recorder.call(
      {
        op: style.op,
        stem: style.stem ?? entry.name,
        entry: entry.name,
        annotations: [{ text: annotation }],
        inputs,
        integers: integersIn(attributes),
        attributes,
        typedLike: entry.typedLike,
        linear: entry.linear,
        reducesInside: style.reducesInside,
        span,
        ...(style.isReplicated !== undefined && { isReplicated: style.isReplicated }),
        ...(style.strategy !== undefined && { strategy: style.strategy }),
        ...(style.primitive !== undefined && { primitive: style.primitive }),
        ...(isScalarResult(entry, bound, inputs, annotation) && { givesScalars: true }),
      },
      context,
    );
    return this.result(results, alwaysRows.has(entry.name));
  }

  /** Whether an argument that says a shape is a tensor, or has one in it. */
  private hasSizeOfData(bound: ReadonlyMap<string, Argument>): boolean {
    for (const [name, { value }] of bound) {
      if (!shapeArguments.has(name)) continue;
      const items = itemsOf(value) ?? [value];
      if (items.some((each) => this.tensorOf(each) !== undefined)) return true;
    }
    return false;
  }

  private resultOfData(
    op: string,
    bound: ReadonlyMap<string, Argument>,
    context: Context,
    span: Span,
  ): Value {
    saySizeOfData(context, span);
    return this.resultOfUnknown(op, bound, context, span);
  }

  /** The result of a call of which a size is not known; why was said where it came from. */
  private resultOfUnknown(
    op: string,
    bound: ReadonlyMap<string, Argument>,
    context: Context,
    span: Span,
  ): Value {
    const values = [...bound.values()].flatMap(({ value }) => itemsOf(value) ?? [value]);
    return this.unknownResult(op, values, context, span);
  }

  /** A call that reads a tensor of unknown shape: nothing of it can be checked. */
  private callUnknown(
    entry: LibraryEntry,
    { op, stem = entry.name, strategy, primitive }: CallStyle,
    [bound, inputs]: readonly [
      ReadonlyMap<string, Argument>,
      readonly (TracedTensor | PlainOperand)[],
    ],
    context: Context,
    span: Span,
  ): Value {
    const attributes = attributesIn(bound);
    const shape = entry.name === "reshape" ? givenShape(attributes) : undefined;
    const shapes = inputs.map((each) => (isUnknownTensor(each) ? undefined : shapeOf(each)));
    const text = shape ?? entry.annotate({ inputs: shapes, attributes });
    const call = {
      ...{ op, stem, annotations: [{ text }], inputs, span, integers: {}, linear: [] },
      ...(shape !== undefined && ({ results: "known", isReplicated: true } as const)),
      ...{ typedLike: entry.typedLike, reducesInside: false },
      ...(strategy !== undefined && { strategy }),
      ...(primitive !== undefined && { primitive }),
    };
    return this.result(this.recorder.call(call, context));
  }

  /**
   * A value as an operand: a tensor, or what the annotation calls `?`. A name that the text does
   * not define is an input of that name where a tensor is wanted.
   */
  operand(
    value: Value,
    context: Context,
    wanted: { readonly asTensor: boolean; readonly span: Span },
  ): TracedTensor | PlainOperand {
    const tensor = this.tensorOf(value);
    if (tensor !== undefined && this.stale.has(tensor))
      this.refuse(
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

  /** The input that stands for a name of the text, or for a parameter that nobody passes. */
  assumedInput(name: string, span: Span, context: Context, isShared = true): TracedTensor {
    const known = isShared ? this.assumed.get(name) : undefined;
    if (known !== undefined) return known;
    const unsaid = {
      shape: undefined,
      shapeStatus: "assumed",
      dtype: "f32",
      dtypeText: "f32",
    } as const;
    const tensor = this.recorder.leaf({ role: "input", ...unsaid, span }, context);
    tensor.name = { text: name, frames: [] };
    if (isShared) this.assumed.set(name, tensor);
    return tensor;
  }

  /** A leaf of the same shape, as `copy.deepcopy` makes it; what an operator makes stays itself. */
  copyOf(value: Value, context: Context, span: Span): Value {
    const tensor = this.tensorOf(value);
    if (tensor === undefined || tensor.producer !== undefined || tensor.role === "activation")
      return value;
    const { role, shape, shapeStatus, dtype, dtypeText, constant } = tensor;
    const spec = { role, shape, shapeStatus, dtype, dtypeText, span };
    return this.object(this.recorder.leaf({ ...spec, ...(constant && { constant }) }, context));
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

  /** The shape of the input that stands for a name of the text, once it has been used as one. */
  assumedShape(name: string): readonly Size[] | undefined {
    return this.assumed.get(name)?.shape;
  }

  /** The names of a call's parameters, with those that every call may have. */
  private parametersOf(entry: LibraryEntry): readonly string[] {
    const known = this.parameters.get(entry);
    if (known !== undefined) return known;
    const leading = entry.leading === undefined ? [] : [entry.leading];
    const names = [...leading, ...entry.parameters, "dim", "axis"];
    this.parameters.set(entry, names);
    return names;
  }

  /**
   * What a call gives back: one tensor, or a tuple of them.
   *
   * @param isRow whether one tensor stands in a tuple too
   */
  result(results: readonly TracedTensor[], isRow = false): Value {
    const [only] = results;
    if (!isRow && results.length === 1 && only !== undefined) return this.object(only);
    return { kind: "tuple", items: results.map((tensor) => this.object(tensor)) };
  }

  /** A tensor whose rank nobody said has as many dims as its strategy names, else two. */
  private giveRanks(
    entry: LibraryEntry,
    inputs: readonly (TracedTensor | PlainOperand)[],
    attributes: Attributes,
    style: CallStyle,
    context: Context,
  ): void {
    for (const [index, operand] of inputs.entries()) {
      if (operand.kind !== "tensor" || operand.shape !== undefined) continue;
      const said = rankIn(style.strategy, index) ?? rankTaken(entry, inputs, attributes, index);
      giveRank(operand, said ?? rankByLayer(context.frames));
    }
  }
}

/** Entries that give a tuple whatever the number of tensors in it. */
const alwaysRows: ReadonlySet<string> = new Set(["split", "chunk"]);

function rankIn(strategy: ShardStrategy | undefined, operand: number): number | undefined {
  if (strategy === undefined) return undefined;
  return strategy.kind === "tuples"
    ? strategy.values[operand]?.length
    : strategy.inputs[operand]?.dims.length;
}

function shapeOf(operand: TracedTensor | PlainOperand): CallShapes["inputs"][number] {
  return operand.kind === "tensor" ? operand.shape?.map(knownSize) : undefined;
}

/** The least value of arguments that say how windows slide: below it no result has a size. */
const leastOfWindows: Readonly<Record<string, number>> = {
  ...{ stride: 1, dilation: 1, kernel_size: 1, groups: 1, scale_factor: 1 },
  padding: 0,
};

function requireWindows(op: string, bound: ReadonlyMap<string, Argument>, context: Context): void {
  for (const [name, least] of Object.entries(leastOfWindows)) {
    const argument = bound.get(name);
    if (argument === undefined) continue;
    const given = integersOf(argument.value) ?? [integerOf(argument.value) ?? least];
    const wrong = given.find((value) => value < least);
    if (wrong === undefined) continue;
    const message = `${op}() takes "${name}" from ${least} on, not ${wrong}`;
    context.raise("RuntimeError", message, argument.span);
  }
}
