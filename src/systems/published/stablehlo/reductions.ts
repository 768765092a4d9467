import { integers } from "./attributes.ts";
import type { Operation, Region, TensorType } from "./mlir.ts";
import { countOf, isFloating, torchDtype } from "./types.ts";
import { numberText, type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/** Reducers by the last word of their operation. */
const reducers = ["add", "maximum", "minimum", "multiply", "and", "or"] as const;
type Reducer = (typeof reducers)[number];

/** Writes a reduction over dims, or an argmax or argmin along one. */
export function reduction(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): readonly Value[] | undefined {
  const dims = integers(operation.text, "dimensions");
  if (dims === undefined) return undefined;
  const [x, init] = operands;
  const [type] = operation.resultTypes;
  if (operation.resultTypes.length === 2) return extremum(writer, operation, operands, dims);
  const how = reducerOf(operation.text, operation.regions[0]);
  if (x === undefined || init === undefined || type === undefined || how === undefined)
    return undefined;
  if (dims.length === 0) return [{ ...x, type }];
  const made = reducedText(how, x, dims);
  if (made === undefined) return undefined;
  if (isNeutral(how, init)) return [bind(writer, operation, made, type)];
  const joined = joinedText(how, made, init);
  return joined === undefined ? undefined : [bind(writer, operation, joined, type)];
}

/** The reducer: given in the short form, or as the only operation of the region. */
export function reducerOf(text: string, region: Region | undefined): Reducer | undefined {
  const short = /applies (?:stablehlo|mhlo)\.(\w+)/u.exec(text)?.[1];
  const [first, second, ...more] = region?.operations ?? [];
  const isPlain = second?.name.endsWith(".return") === true && more.length === 0;
  const own = short ?? (isPlain ? first?.name.split(".").at(-1) : undefined);
  return reducers.find((each) => each === own);
}

function reducedText(how: Reducer, x: Value, dims: readonly number[]): string | undefined {
  const along = dims.length === 1 ? String(dims[0]) : `(${dims.join(", ")})`;
  const text = wholeText(x);
  if (x.type.dtype === "i1") {
    if (how === "and") return `torch.amin(${text}.to(torch.int32), ${along}) == 1`;
    return how === "or" ? `torch.amax(${text}.to(torch.int32), ${along}) == 1` : undefined;
  }
  switch (how) {
    case "add":
      return `${text}.sum(${along}${ownType(x.type)})`;
    case "maximum":
      return `torch.amax(${text}, ${along})`;
    case "minimum":
      return `torch.amin(${text}, ${along})`;
    case "multiply":
      return dims.length === 1 ? `torch.prod(${text}, ${along}${ownType(x.type)})` : undefined;
    case "and":
    case "or":
      return undefined;
  }
}

/** The `dtype=` argument that keeps a sum of integers in their type; PyTorch's default is int64. */
export function ownType({ dtype }: TensorType): string {
  const word = torchDtype(dtype);
  return isFloating(dtype) || word === undefined || dtype === "i64" ? "" : `, dtype=${word}`;
}

/** Whether the initial value of a reduction is neutral. */
export function isNeutral(how: Reducer, init: Value): boolean {
  if (init.kind !== "number") return false;
  const { value, type } = init;
  switch (how) {
    case "add":
      return value === 0;
    case "multiply":
      return value === 1;
    case "maximum":
      return value === leastOf(type);
    case "minimum":
      return value === -Number(leastOf(type)) || value === mostOf(type);
    case "and":
      return value === true;
    case "or":
      return value === false;
  }
}

function bitsOf(dtype: string): number {
  return Number(/\d+$/u.exec(dtype)?.[0] ?? 32);
}

function leastOf({ dtype }: TensorType): number {
  if (isFloating(dtype)) return Number.NEGATIVE_INFINITY;
  return dtype.startsWith("u") ? 0 : -(2 ** (bitsOf(dtype) - 1));
}

function mostOf({ dtype }: TensorType): number {
  if (isFloating(dtype)) return Number.POSITIVE_INFINITY;
  return dtype.startsWith("u") ? 2 ** bitsOf(dtype) - 1 : 2 ** (bitsOf(dtype) - 1) - 1;
}

/** A reduced value combined with a non-neutral initial value. */
function joinedText(how: Reducer, made: string, init: Value): string | undefined {
  const first = init.kind === "number" ? numberText(init.value, init.type.dtype) : wholeText(init);
  if (how === "add") return `${made} + ${first}`;
  if (how === "multiply") return `${made} * ${first}`;
  const tensor = wholeText(init);
  if (how === "maximum") return `torch.maximum(${made}, ${tensor})`;
  return how === "minimum" ? `torch.minimum(${made}, ${tensor})` : undefined;
}

/**
 * The maximum (or minimum) along a dim with its index: a reduction of values paired with an iota
 * that keeps the pair of the larger value.
 */
function extremum(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
  dims: readonly number[],
): readonly Value[] | undefined {
  const [x, places] = operands.filter(({ type }) => type.shape.length > 0);
  const [dim] = dims;
  const [made, at] = operation.resultTypes;
  const order = orderOf(operation.regions[0]);
  if (x === undefined || places?.kind !== "tensor" || dims.length !== 1) return undefined;
  if (places.counts !== dim || order === undefined || made === undefined) return undefined;
  if (at === undefined || countOf(x.type.shape) === 0) return undefined;
  const [value, place] = order === "GT" ? ["amax", "argmax"] : ["amin", "argmin"];
  const text = wholeText(x);
  const word = torchDtype(at.dtype);
  const values = bind(writer, { name: value }, `torch.${value}(${text}, ${dim})`, made);
  const found = `torch.${place}(${text}, ${dim})${word === undefined ? "" : `.to(${word})`}`;
  return [values, bind(writer, { name: place }, found, at)];
}

/** Whether a region keeps the larger (`GT`) or the smaller (`LT`) of its first two numbers. */
function orderOf(region: Region | undefined): "GT" | "LT" | undefined {
  const orders = (region?.operations ?? []).flatMap(({ name, text }) =>
    name.endsWith(".compare") ? [/\b(GT|LT|GE|LE)\b/u.exec(text)?.[1]] : [],
  );
  const selects = (region?.operations ?? []).filter(({ name }) => name.endsWith(".select"));
  const [first] = orders.filter((each) => each !== undefined);
  if (selects.length !== 2 || first === undefined) return undefined;
  if (first.startsWith("G")) return "GT";
  return "LT";
}
