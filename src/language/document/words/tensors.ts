import type { Span } from "#core/diagnostics";
import { type CallShapes, type LibraryEntry, library } from "#core/ir";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import type { Recorder } from "../recorder.ts";
import { freshSize, knownSize } from "../size.ts";
import type { MindsporeStrategy, PlainOperand, TracedTensor } from "../trace.ts";
import { bindArguments, integer, integerOf, none, text } from "./values.ts";

/** How a system names a library operator and what it adds to a call. */
export interface CallStyle {
  readonly op: string;
  readonly reducesInside: boolean;
  readonly strategy?: MindsporeStrategy;
}

/** Tensors as Python objects, and calls of library operators on them. */
export class TensorWords {
  private readonly recorder: Recorder;
  private readonly objects = new Map<TracedTensor, HostObject>();
  private readonly type: HostType;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
    this.type = tensorType(this);
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
    return value.data as TracedTensor;
  }

  /** Calls a library operator with arguments as a program wrote them. */
  call(
    entry: LibraryEntry,
    style: CallStyle,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const { bound } = bindArguments([...entry.parameters, "dim", "axis"], args);
    const operands = entry.parameters
      .slice(0, entry.tensors)
      .map((name) => bound.get(name)?.value)
      .filter((value) => value !== undefined);
    const least = entry.name === "linear" ? 2 : entry.tensors;
    if (operands.length < least) {
      const missing = entry.parameters[operands.length] ?? "x";
      return context.raise(
        "TypeError",
        `${style.op}() missing required argument: '${missing}'`,
        span,
      );
    }
    const inputs = operands.map((value) => this.operand(value, context));
    this.giveRanks(inputs, style);
    const integers = integersIn(bound);
    const annotation = entry.annotate({ inputs: inputs.map(shapeOf), integers });
    const results = this.recorder.call(
      {
        ...style,
        stem: entry.name,
        annotations: [{ text: annotation }],
        inputs,
        integers,
        linear: entry.linear,
        span,
      },
      context,
    );
    return this.result(results);
  }

  /** A value as an operand: a tensor, or what the annotation calls `?`. */
  operand(value: Value, context: Context): TracedTensor | PlainOperand {
    const tensor = this.tensorOf(value);
    if (tensor !== undefined) return tensor;
    const number = integerOf(value);
    return {
      kind: "plain",
      text: context.text(value),
      ...(number !== undefined && { integer: number }),
    };
  }

  /** What a call gives back: one tensor, or a tuple of them. */
  result(results: readonly TracedTensor[]): Value {
    const [only] = results;
    if (results.length === 1 && only !== undefined) return this.object(only);
    return { kind: "tuple", items: results.map((tensor) => this.object(tensor)) };
  }

  /** A tensor whose rank nobody said has as many dims as its strategy names, else two. */
  private giveRanks(inputs: readonly (TracedTensor | PlainOperand)[], style: CallStyle): void {
    for (const [index, operand] of inputs.entries()) {
      if (operand.kind !== "tensor" || operand.shape !== undefined) continue;
      const rank = rankIn(style.strategy, index) ?? 2;
      operand.shape = Array.from({ length: rank }, freshSize);
      operand.shapeStatus = "assumed";
    }
  }
}

function rankIn(strategy: MindsporeStrategy | undefined, operand: number): number | undefined {
  if (strategy === undefined) return undefined;
  return strategy.kind === "tuples"
    ? strategy.values[operand]?.length
    : strategy.inputs[operand]?.dims.length;
}

function shapeOf(operand: TracedTensor | PlainOperand): CallShapes["inputs"][number] {
  return operand.kind === "tensor" ? operand.shape?.map(knownSize) : undefined;
}

function integersIn(bound: ReadonlyMap<string, Argument>): Readonly<Record<string, number>> {
  const pairs = [...bound].flatMap(([name, argument]): [string, number][] => {
    const value = integerOf(argument.value);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

const binaryOperators: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "@": "matmul",
};

/** Tensor methods that are library operators by the same name. */
function tensorType(words: TensorWords): HostType {
  const apply = (
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value | undefined => {
    const entry = library.get(name);
    if (entry === undefined) return undefined;
    return words.call(entry, { op: name, reducesInside: false }, args, context, span);
  };
  return {
    name: "Tensor",
    attribute: (self, name, _context, span) => attributeOf(words, self, name, span),
    binary: (self, operator, other, reflected, context, span) => {
      const name = binaryOperators[operator];
      if (name === undefined) return undefined;
      const pair = reflected ? [other, self] : [self, other];
      return apply(
        name,
        pair.map((value) => ({ value, span })),
        context,
        span,
      );
    },
    unary: (self, operator, context, span) =>
      operator === "-" ? apply("neg", [{ value: self, span }], context, span) : undefined,
    text: (self) => words.tensorOf(self)?.name?.text ?? "tensor",
  };
}

function attributeOf(
  words: TensorWords,
  self: HostObject,
  name: string,
  span: Span,
): Value | undefined {
  const tensor = words.tensorOf(self);
  if (tensor === undefined) return undefined;
  const sizes = tensor.shape?.map((size) => integer(knownSize(size) ?? 0));
  if (name === "shape" && sizes !== undefined) return { kind: "tuple", items: sizes };
  if (name === "ndim" && sizes !== undefined) return integer(sizes.length);
  if (name === "dtype") return text(tensor.dtypeText);
  if (name === "size" || name === "dim") return sizeMethod(name, sizes ?? []);
  const entry = library.get(name);
  if (entry === undefined) return undefined;
  return {
    kind: "host-function",
    name,
    call: (args, context, callSpan) =>
      words.call(
        entry,
        { op: name, reducesInside: false },
        [{ value: self, span }, ...args],
        context,
        callSpan,
      ),
  };
}

function sizeMethod(name: string, sizes: readonly Value[]): Value {
  return {
    kind: "host-function",
    name,
    call: (args) => {
      if (name === "dim") return integer(sizes.length);
      const asked = integerOf(args[0]?.value);
      if (asked === undefined) return { kind: "tuple", items: sizes };
      return sizes.at(asked) ?? none;
    },
  };
}
