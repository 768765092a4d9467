import { integer, integers } from "./attributes.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { torchDtype } from "./types.ts";
import { type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/** Batch dims and summed dims of two operands. */
interface Contraction {
  readonly batch: readonly [readonly number[], readonly number[]];
  readonly summed: readonly [readonly number[], readonly number[]];
}

/** Writes `dot_general` as a matrix product if it is one, else as an `einsum`. */
export function contraction(
  writer: Writer,
  operation: Operation,
  [x, y]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  if (type === undefined || x === undefined || y === undefined) return undefined;
  const dims = contractionOf(operation.text);
  if (dims === undefined) return undefined;
  const [a, b] = [x, y].map((each) => inType(each, type)) as [string, string];
  const text = productText(dims, x.type, y.type, a, b);
  return bind(writer, operation, text, type);
}

function contractionOf(text: string): Contraction | undefined {
  const pair = (short: string, left: string, right: string) => {
    const [, a, b] =
      new RegExp(String.raw`\b${short} = \[([\d, ]*)\] x \[([\d, ]*)\]`, "u").exec(text) ?? [];
    const listed = (part: string) =>
      part
        .split(",")
        .filter((each) => each.trim() !== "")
        .map(Number);
    if (a !== undefined && b !== undefined) return [listed(a), listed(b)] as const;
    return [integers(text, left) ?? [], integers(text, right) ?? []] as const;
  };
  return {
    batch: pair("batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions"),
    summed: pair("contracting_dims", "lhs_contracting_dimensions", "rhs_contracting_dimensions"),
  };
}

/** An operand converted to the result's dtype, in which sums are accumulated. */
function inType(value: Value, type: TensorType): string {
  const word = torchDtype(type.dtype);
  const text = wholeText(value);
  return value.type.dtype === type.dtype || word === undefined ? text : `${text}.to(${word})`;
}

function productText(
  { batch, summed }: Contraction,
  x: TensorType,
  y: TensorType,
  a: string,
  b: string,
): string {
  const [xBatch, yBatch] = batch;
  const [xSummed, ySummed] = summed;
  const isLeading = [xBatch, yBatch].every((list) => list.every((dim, at) => dim === at));
  const isMatrices =
    xSummed.length === 1 && isLeading && xSummed[0] === x.shape.length - 1 && x.shape.length > 1;
  const rank = yBatch.length + 2;
  const fits = y.shape.length === rank && (xBatch.length === 0 || x.shape.length === rank);
  if (isMatrices && fits && ySummed[0] === rank - 2) return `${a} @ ${b}`;
  if (isMatrices && fits && ySummed[0] === rank - 1) {
    return rank === 2 ? `F.linear(${a}, ${b})` : `${a} @ ${b}.transpose(-2, -1)`;
  }
  return `torch.einsum("${formula({ batch, summed }, x, y)}", ${a}, ${b})`;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/**
 * Einsum formula, such as `abc,acd->abd`: batch dims first, then the remaining dims of each
 * operand.
 */
function formula({ batch, summed }: Contraction, x: TensorType, y: TensorType): string {
  let next = 0;
  const fresh = () => letters[next++ % letters.length] ?? "a";
  const left = x.shape.map(fresh);
  const right = y.shape.map((_, dim) => {
    const inBatch = batch[1].indexOf(dim);
    const inSum = summed[1].indexOf(dim);
    if (inBatch >= 0) return left[batch[0][inBatch] ?? 0] ?? "";
    return inSum >= 0 ? (left[summed[0][inSum] ?? 0] ?? "") : fresh();
  });
  const kept = (dims: readonly string[], at: 0 | 1) =>
    dims.filter((_, dim) => !batch[at].includes(dim) && !summed[at].includes(dim));
  const result = [...batch[0].map((dim) => left[dim] ?? ""), ...kept(left, 0), ...kept(right, 1)];
  return `${left.join("")},${right.join("")}->${result.join("")}`;
}

/** Dim roles of a convolution's operands: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`. */
const dimNumbers = /dim_numbers = \[([^\]]*)\]x\[([^\]]*)\]->\[([^\]]*)\]/u;

/**
 * Writes a convolution over one to three spatial dims as PyTorch's, with dims permuted to its
 * order.
 */
export function convolution(
  writer: Writer,
  operation: Operation,
  [x, weight]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const { text } = operation;
  const [, own, kernel, made] = dimNumbers.exec(text) ?? [];
  if (type === undefined || x === undefined || weight === undefined) return undefined;
  if (own === undefined || kernel === undefined || made === undefined) return undefined;
  const rank = type.shape.length - 2;
  const settings = settingsOf(text, rank);
  if (settings === undefined || rank < 1 || rank > 3) return undefined;
  const space = Array.from({ length: rank }, (_, at) => String(at));
  const ordered = (value: Value, list: string, order: readonly string[]) =>
    permuted(inType(value, type), positions(list, order));
  let input = ordered(x, own, ["b", "f", ...space]);
  const { low, high, stride, dilation, groups } = settings;
  const isEven = low.every((each, at) => each === high[at]);
  if (!isEven) {
    const sides = low.map((each, at) => [each, high[at] ?? 0]).toReversed();
    input = `F.pad(${input}, (${sides.flat().join(", ")}))`;
  }
  const padding = isEven ? low : low.map(() => 0);
  const words = [
    input,
    ordered(weight, kernel, ["o", "i", ...space]),
    `stride=(${stride.join(", ")},)`,
    `padding=(${padding.join(", ")},)`,
    `dilation=(${dilation.join(", ")},)`,
    `groups=${groups}`,
  ].map((each) => each.replace(/, (?:,\))/u, ")"));
  const call = `F.conv${rank}d(${words.join(", ").replaceAll(/(\(\d+(?:, \d+)+),\)/gu, "$1)")})`;
  const back = positions(
    ["b", "f", ...space].join(", "),
    made.split(",").map((each) => each.trim()),
  );
  return bind(writer, operation, permuted(call, back), type);
}

interface Settings {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
}

/** Settings of a convolution; `undefined` when PyTorch's has no equivalent. */
function settingsOf(text: string, rank: number): Settings | undefined {
  const ones = Array.from({ length: rank }, () => 1);
  const pad = integers(text, "pad") ?? Array.from({ length: 2 * rank }, () => 0);
  const isOne = (name: string) => (integers(text, name) ?? ones).every((each) => each === 1);
  const isReversed = /reverse = \[[^\]]*true/u.test(text);
  const isPlain =
    isOne("lhs_dilate") && !isReversed && (integer(text, "batch_group_count") ?? 1) === 1;
  if (!isPlain || pad.some((each) => each < 0)) return undefined;
  return {
    low: pad.filter((_, at) => at % 2 === 0),
    high: pad.filter((_, at) => at % 2 === 1),
    stride: integers(text, "stride") ?? ones,
    dilation: integers(text, "rhs_dilate") ?? ones,
    groups: integer(text, "feature_group_count") ?? 1,
  };
}

/** Positions in a list of the dims in `order`. */
function positions(list: string, order: readonly string[]): readonly number[] {
  const parts = list.split(",").map((each) => each.trim());
  return order.map((each) => parts.indexOf(each));
}

function permuted(text: string, dims: readonly number[]): string {
  return dims.every((dim, at) => dim === at) ? text : `${text}.permute(${dims.join(", ")})`;
}
