// Calls of library entries: arguments, operands, and results that are scalars.

import type { Attribute, Attributes, CallShapes, LibraryEntry } from "#core/ir";
import type { Argument, Frame, Value } from "#language/python";
import { knownSize } from "../trace/size.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import type { ShardStrategy } from "../trace/written-layouts.ts";
import { rankByDims } from "./argument-checks.ts";
import { assumedOf } from "./assumed.ts";
import { giveRank, rankByLayer, rankIn, rankTaken } from "./guessed-rank.ts";
import { bindArguments, integersOf, itemsOf } from "./values/values.ts";

/** Arguments of library operators that determine the shape of a result. */
const shapeArguments: ReadonlySet<string> = new Set([
  ...["shape", "size", "sizes", "start", "stop", "step", "repeats", "chunks", "sections"],
  ...["split_size_or_sections", "split_size", "dims", "dim", "axis", "k", "num_classes"],
  ...["dim0", "dim1", "start_dim", "end_dim", "keepdim", "reduction"],
  ...["pad", "padding", "stride", "kernel_size", "dilation", "groups", "scale_factor"],
]);

/** Whether a shape argument of a call is an unknown value, or contains one. */
export function hasUnknownSize(bound: ReadonlyMap<string, Argument>): boolean {
  return [...bound].some(
    ([name, { value }]) =>
      shapeArguments.has(name) &&
      (itemsOf(value)?.some((each) => assumedOf(each) !== undefined) ??
        assumedOf(value) !== undefined),
  );
}

/** Whether a shape argument of a call is a tensor, or contains one. */
export function hasSizeOfData(
  bound: ReadonlyMap<string, Argument>,
  tensorOf: (value: Value) => TracedTensor | undefined,
): boolean {
  for (const [name, { value }] of bound) {
    if (!shapeArguments.has(name)) continue;
    const items = itemsOf(value) ?? [value];
    if (items.some((each) => tensorOf(each) !== undefined)) return true;
  }
  return false;
}

/**
 * Arguments of a call by parameter. Sizes passed in a row (`view(2, 3)`) are gathered into one
 * tuple where the entry takes a list.
 */
export function boundTo(
  entry: LibraryEntry,
  names: readonly string[],
  args: readonly Argument[],
): ReturnType<typeof bindArguments> {
  const leading = entry.leading === undefined ? 0 : 1;
  const first = args[leading + entry.tensors];
  const gathers = entry.gathers !== undefined && first?.name === undefined;
  if (!gathers || first === undefined || !isSize(first.value)) return bindArguments(names, args);
  const row = args.slice(leading + entry.tensors);
  const numbers = row.filter(({ name, value }) => name === undefined && isSize(value));
  const items = numbers.map(({ value }) => value);
  const list: Argument = { value: { kind: "tuple", items }, span: first.span };
  const others = args.filter((argument) => !numbers.includes(argument));
  const { bound, extra } = bindArguments(names, others);
  return { bound: new Map(bound).set(entry.gathers ?? "", list), extra };
}

/** Whether a value can be one size in a row: an integer, or a host value that stands for one. */
function isSize(value: Value): boolean {
  return value.kind === "int" || value.kind === "host";
}

/** Operand values of a call in parameter order. */
export function operandsIn(
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
): readonly Value[] {
  const values: Value[] = [];
  const given = entry.parameters.slice(0, entry.tensors).map((name) => bound.get(name)?.value);
  const last = given.findLastIndex((value) => value !== undefined);
  for (const [at, value] of given.slice(0, last + 1).entries()) {
    // A skipped optional operand keeps its place, as None, before later ones.
    const none = at < entry.required ? undefined : ({ kind: "none" } as const);
    const operand = value ?? none;
    if (operand !== undefined) values.push(operand);
  }
  return entry.variadic ? values.flatMap((value) => itemsOf(value) ?? [value]) : values;
}

/** Shape of an operand in the form that library entries take; `undefined` when unknown. */
export function shapeOf(operand: TracedTensor | PlainOperand): CallShapes["inputs"][number] {
  return operand.kind === "tensor" ? operand.shape?.map(knownSize) : undefined;
}

/**
 * Gives each operand of unknown rank the rank that its sharding strategy, the entry or the call's
 * dims tell, else one by the surrounding layer.
 */
export function giveRanks(
  entry: LibraryEntry,
  inputs: readonly (TracedTensor | PlainOperand)[],
  attributes: Attributes,
  strategy: ShardStrategy | undefined,
  frames: readonly Frame[],
): void {
  for (const [index, operand] of inputs.entries()) {
    if (operand.kind !== "tensor" || operand.shape !== undefined) continue;
    const said = rankIn(strategy, index) ?? rankTaken(entry, inputs, attributes, index);
    const asked = index === 0 ? rankByDims(entry, attributes) : undefined;
    giveRank(operand, said ?? asked ?? rankByLayer(frames));
  }
}

/** Non-tensor arguments of a call, by parameter. */
export function attributesIn(bound: ReadonlyMap<string, Argument>): Attributes {
  const attributes: Record<string, Attribute> = {};
  for (const [name, { value }] of bound) {
    const attribute = attributeOf(value);
    if (attribute !== undefined) attributes[name] = attribute;
  }
  return attributes;
}

function attributeOf(value: Value): Attribute | undefined {
  const list = integersOf(value);
  if (list !== undefined) return list.length > 0 ? list : undefined;
  if (value.kind === "int") return Number(value.value);
  const isPlain = value.kind === "float" || value.kind === "bool" || value.kind === "str";
  return isPlain ? value.value : undefined;
}

/**
 * Whether a result that an annotation writes as `1` is a scalar. Annotations have no notation for
 * scalars (they are recorded with shape (1,)), but programs read their rank, `x.dim()`.
 *
 * @param bound the arguments by parameter
 * @param annotation the annotation of the call
 */
export function isScalarResult(
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  inputs: readonly (TracedTensor | PlainOperand)[],
  annotation: string,
): boolean {
  if (entry.name === "reshape") return itemsOf(bound.get("shape")?.value)?.length === 0;
  if (annotation.split("->")[1]?.trim() !== "1") return false;
  if (entry.name === "squeeze") return !bound.has("dim") || rankOf(inputs[0]) <= 1;
  if (addsDims.has(entry.name)) return false;
  if (entry.parameters.includes("keepdim")) return !isTrue(bound.get("keepdim"));
  if (entry.parameters.includes("reduction") || contracts.has(entry.name)) return true;
  return inputs.every((operand) => rankOf(operand) === 0);
}

/**
 * An annotation with scalars written as `1` instead of `()` or nothing.
 *
 * @returns the annotation, and whether the call's results are scalars
 */
export function withoutScalars(
  annotation: string,
  inputs: readonly (TracedTensor | PlainOperand)[],
): { readonly text: string; readonly givesScalars: boolean } {
  const [read = [], written = []] = annotation
    .split("->")
    .map((side) => side.split(",").map((shape) => shape.trim()));
  const isScalar = (shape: string) => shape === "" || shape === "()";
  const isOfScalars = written.join() === "*" && inputs.every((each) => rankOf(each) === 0);
  const side = (shapes: readonly string[]) =>
    shapes.map((shape) => (isScalar(shape) ? "1" : shape)).join(", ");
  return {
    text: `${side(read)} -> ${side(written)}`,
    givesScalars: isOfScalars || written.every(isScalar),
  };
}

/** Operators whose result rank follows from their arguments, so that a result `1` is no scalar. */
const addsDims: ReadonlySet<string> = new Set([
  ...["unsqueeze", "expand", "repeat", "stack", "concat", "flatten", "pad", "tile", "sum_to"],
]);

/** Operators that remove dims: applied to vectors they give a scalar. */
const contracts: ReadonlySet<string> = new Set(["select", "einsum", "matmul", "argmax", "argmin"]);

/** Whether an operand is a tensor without dims. */
export function isRankZero(operand: TracedTensor | PlainOperand): boolean {
  return operand.kind === "tensor" && operand.shape?.length === 0;
}

/** Rank of an operand; a plain number has rank 0. */
function rankOf(operand: TracedTensor | PlainOperand | undefined): number {
  return operand?.kind === "tensor" ? (operand.shape?.length ?? 1) : 0;
}

function isTrue(argument: Argument | undefined): boolean {
  return argument?.value.kind === "bool" && argument.value.value;
}

/** Entries that return a tuple for any number of results. */
export const alwaysRows: ReadonlySet<string> = new Set(["split", "chunk"]);
