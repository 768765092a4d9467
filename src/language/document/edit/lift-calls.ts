// Lifting: turns an operator of one round of a loop over experts into one for all rounds.

import { type Argument, bindFirst, parseAnnotation } from "#core/dimops";
import { type Attribute, type Attributes, integersIn, type LibraryEntry, library } from "#core/ir";
import type { OperatorCall } from "../trace/operator-call.ts";
import { knownSize, type Size } from "../trace/size.ts";
import type { PlainOperand, TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Makes an operator before the lifted one and returns its result, of the given shape. */
type Before = (call: OperatorCall, shape: readonly Size[]) => TracedTensor;

/** An operator of one round, with operands that hold all rounds. */
interface Lifting {
  readonly operator: TracedOperator;
  readonly entry: LibraryEntry;
  /** Whether each operand differs by round; then its leading dim is the rounds. */
  readonly isOwn: readonly boolean[];
  readonly size: number;
  readonly before: Before;
}

type Operand = TracedTensor | PlainOperand;

/** Identifier of the rounds' dim in annotations. */
const round = "e";

/**
 * The call that does for all rounds what an operator does in one. An operator without a matching
 * library rule is known by its shapes only.
 */
export function liftedCalls(
  operator: TracedOperator,
  isOwn: readonly boolean[],
  size: number,
  before: Before,
): OperatorCall {
  const entry = library.get(operator.entry ?? "");
  const lifting = entry && { operator, entry, isOwn, size, before };
  const call = lifting && byEntry(lifting);
  return call ?? byShape(operator, isOwn);
}

function byEntry(lifting: Lifting): OperatorCall | undefined {
  const { operator, entry, isOwn } = lifting;
  const text = operator.annotations[0]?.text ?? "";
  if (entry.name === "expert_dispatch")
    return annotated(lifting, operator.inputs, { ...operator.attributes, own: isOwn[0] ? 1 : 0 });
  if (entry.name === "expert_combine") return annotated(lifting, operator.inputs);
  if (isPointwise(text)) return annotated(lifting, aligned(lifting));
  const isProduct = products.has(entry.name) && (entry.name !== "linear" || isOwn[1] === true);
  if (isProduct) return contracted(lifting, text);
  const attributes = alongDims(lifting);
  if (attributes === undefined || !isOwn.every(Boolean)) return undefined;
  const call = annotated(lifting, operator.inputs, attributes);
  return fits(call, lifting) ? call : undefined;
}

const products: ReadonlySet<string> = new Set(["linear", "matmul", "einsum", "outer"]);

/** Call of a library entry, annotated for the shapes of all rounds. */
function annotated(
  { operator, entry }: Lifting,
  inputs: readonly Operand[],
  attributes: Attributes = operator.attributes ?? {},
): OperatorCall {
  const text = entry.annotate({ inputs: inputs.map(shapeOf), attributes });
  return {
    ...{ op: operator.op, stem: operator.stem, entry: entry.name, annotations: [{ text }], inputs },
    ...{ integers: integersIn(attributes), attributes, linear: entry.linear },
    ...{ reducesInside: operator.reducesInside, span: operator.span },
  };
}

function shapeOf(operand: Operand): readonly (number | undefined)[] | undefined {
  return operand.kind === "tensor" ? operand.shape?.map(knownSize) : undefined;
}

/** Identifiers per shape on both sides of an annotation, without reduction marks. */
function wordsOf(text: string): { inputs: readonly string[][]; outputs: readonly string[][] } {
  const [left = "", right = ""] = text.split("->");
  const side = (shapes: string) =>
    shapes.split(",").map((shape) =>
      shape
        .trim()
        .split(/\s+/)
        .map((word) => word.replace(/[+^]$/, "")),
    );
  return { inputs: side(left), outputs: side(right) };
}

/**
 * Whether an annotation is pointwise: each operand broadcasts to the trailing dims of the one
 * result.
 */
function isPointwise(text: string): boolean {
  const { inputs, outputs } = wordsOf(text);
  const [output = [], ...others] = outputs;
  if (others.length > 0 || /[(+^]/.test(text)) return false;
  if (!inputs.some(({ length }) => length === output.length)) return false;
  return inputs.every(
    (words) =>
      words.join() === "?" ||
      words.every((word, at) => word === "1" || word === output[output.length - words.length + at]),
  );
}

/** Operands with dims of size 1 inserted after the rounds, so that all have the same rank. */
function aligned(lifting: Lifting): readonly Operand[] {
  const { operator, isOwn } = lifting;
  const rank = Math.max(
    ...operator.inputs.map((each, at) => rankOf(each) - (isOwn[at] === true ? 1 : 0)),
  );
  return operator.inputs.map((each, at) =>
    each.kind === "tensor" && isOwn[at] === true ? withRank(lifting, each, rank + 1) : each,
  );
}

function rankOf(operand: Operand): number {
  return operand.kind === "tensor" ? (operand.shape?.length ?? 0) : 0;
}

function withRank(lifting: Lifting, tensor: TracedTensor, rank: number): TracedTensor {
  const [first = 1, ...rest] = tensor.shape ?? [];
  const missing = rank - rest.length - 1;
  if (missing <= 0) return tensor;
  const shape = [first, ...Array.from({ length: missing }, () => 1), ...rest];
  return reshaped(lifting, tensor, shape);
}

function reshaped(
  { operator, before }: Lifting,
  tensor: TracedTensor,
  shape: readonly Size[],
): TracedTensor {
  const entry = library.get("reshape");
  const sizes = shape.map((each) => knownSize(each) ?? 1);
  if (entry === undefined) return tensor;
  const attributes = { shape: sizes };
  const text = entry.annotate({ inputs: [shapeOf(tensor)], attributes });
  const call = {
    ...{ op: "reshape", stem: "reshape", entry: "reshape", annotations: [{ text }] },
    ...{ inputs: [tensor], integers: {}, attributes, linear: entry.linear },
    ...{ reducesInside: false, span: operator.span },
  };
  return before(call, shape);
}

/**
 * A product in every round as one contraction with the rounds as a batch dim; `undefined` for
 * annotations without plain identifiers.
 */
function contracted(lifting: Lifting, text: string): OperatorCall | undefined {
  const { operator, isOwn, before, size } = lifting;
  const einsum = library.get("einsum");
  const { inputs, outputs } = wordsOf(text);
  const [output = []] = outputs;
  const all = [...inputs.flat(), ...output];
  if (einsum === undefined || all.some((word) => !/^[a-z]\w*$/i.test(word))) return undefined;
  const own = all.includes(round) ? `${round}${round}` : round;
  const factors = operator.entry === "linear" ? inputs.slice(0, 2) : inputs;
  const terms = factors.map((words, at) => (isOwn[at] === true ? [own, ...words] : words));
  const equation = `${terms.map((words) => words.join(" ")).join(", ")} -> ${[own, ...output].join(" ")}`;
  const operands = operator.inputs.slice(0, factors.length);
  const call = annotated({ ...lifting, entry: einsum }, operands, { equation });
  const bias = operator.inputs[factors.length];
  const product = { ...call, op: "einsum" };
  const add = library.get("add");
  if (bias?.kind !== "tensor" || add === undefined) return product;
  const shape = [size, ...(operator.outputs[0]?.shape ?? [])];
  const sum = before(product, shape);
  const added = isOwn[factors.length] === true ? withRank(lifting, bias, shape.length) : bias;
  return { ...annotated({ ...lifting, entry: add }, [sum, added], {}), op: "add" };
}

/**
 * Attributes that name dims or shapes, with the rounds as an additional leading dim; `undefined`
 * when that is not possible.
 */
function alongDims({ operator, entry, size }: Lifting): Attributes | undefined {
  const [x] = operator.inputs;
  const rank = x === undefined ? 0 : rankOf(x) - 1;
  const said: Readonly<Record<string, Attribute>> = operator.attributes ?? {};
  if (entry.name === "flatten") return undefined;
  if (entry.name === "reshape") return { shape: [size, ...madeSizes(operator)] };
  if (entry.name === "expand") return { size: [size, ...madeSizes(operator)] };
  if (reductions.has(entry.name) && said.dim === undefined && said.axis === undefined)
    return { ...said, dim: Array.from({ length: rank }, (_, dim) => dim + 1) };
  const moved = Object.entries(said).map(([name, value]): [string, Attribute] => {
    if (!dimNames.has(name)) return [name, value];
    if (typeof value === "number") return [name, behind(value)];
    return [name, Array.isArray(value) ? value.map(behind) : value];
  });
  const attributes = Object.fromEntries(moved);
  if (entry.name !== "permute" || !Array.isArray(attributes.dims)) return attributes;
  return { ...attributes, dims: [0, ...attributes.dims] };
}

function behind(dim: number): number {
  return dim < 0 ? dim : dim + 1;
}

function madeSizes({ outputs }: TracedOperator): readonly number[] {
  return (outputs[0]?.shape ?? []).map((each) => knownSize(each) ?? 1);
}

const dimNames: ReadonlySet<string> = new Set(["dim", "axis", "dims", "dim0", "dim1"]);

const reductions: ReadonlySet<string> = new Set([
  "sum",
  "mean",
  "max",
  "min",
  "amax",
  "amin",
  "prod",
]);

/** Whether a lifted call gives the operator's result shapes with the rounds in front. */
function fits(call: OperatorCall, { operator, size }: Lifting): boolean {
  const read = parseAnnotation(call.annotations[0]?.text ?? "");
  const inputs = call.inputs.map((each): Argument | undefined => {
    const shape = shapeOf(each);
    if (each.kind === "plain") return { kind: "plain", value: each.text };
    return shape?.every((one) => one !== undefined)
      ? { kind: "tensor", shape: shape.map((one) => one ?? 1) }
      : undefined;
  });
  if (!read.ok || inputs.includes(undefined)) return false;
  const given = inputs.filter((each) => each !== undefined);
  const bound = bindFirst([read.value], given, call.integers);
  if (!bound.ok) return false;
  return operator.outputs.every((output, at) => {
    const shape = [size, ...(output.shape ?? []).map(knownSize)];
    return bound.value.outputs[at]?.join() === shape.join();
  });
}

/** Call known by its shapes only: the annotation of one round with the rounds' dim in front. */
function byShape(operator: TracedOperator, isOwn: readonly boolean[]): OperatorCall {
  const text = operator.annotations[0]?.text ?? "";
  const [left = "", right = ""] = text.split("->");
  const own = new RegExp(`\\b${round}\\b`).test(text) ? `${round}${round}` : round;
  const shapes = (side: string) => side.split(",").map((shape) => shape.trim());
  const led = (shape: string) => (shape === "1" || shape === "()" ? own : `${own} ${shape}`);
  const inputs = shapes(left).map((shape, at) => (isOwn[at] === true ? led(shape) : shape));
  const outputs = shapes(right).map(led);
  return {
    ...{ op: operator.op, stem: operator.stem, inputs: operator.inputs, integers: {} },
    annotations: [{ text: `${inputs.join(", ")} -> ${outputs.join(", ")}` }],
    ...{ linear: [], reducesInside: operator.reducesInside, span: operator.span },
  };
}
