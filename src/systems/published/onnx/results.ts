import { intOf } from "./call.ts";
import type { OnnxNode } from "./onnx-graph.ts";
import { dimsIn, integersOf, itemsOf, type OnnxTerm } from "./values.ts";
import type { Writing } from "./writing.ts";

/** Operators whose result has the broadcast shape of their operands. */
const broadcasting: ReadonlySet<string> = new Set(
  "Add Sub Mul Div Pow Mod Where Equal Less LessOrEqual Greater GreaterOrEqual And Or Xor Max Min Sum Mean".split(
    " ",
  ),
);

const truths: ReadonlySet<string> = new Set(
  "Equal Less LessOrEqual Greater GreaterOrEqual And Or Xor Not IsNaN IsInf".split(" "),
);

/** Rank of a result, if it can be derived: graphs query the sizes of their tensors. */
export function rankOf(
  { values }: Writing,
  node: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
): number | undefined {
  const { op, outputs, attributes } = node;
  const said = values.get(outputs[0] ?? "")?.shape?.length;
  if (said !== undefined) return said;
  const ranks = inputs.map(dimsIn);
  const [x, y] = ranks;
  if (broadcasting.has(op)) return largest(ranks);
  if (op === "MatMul") return productRank(x, y);
  if (op === "Transpose") return attributes.get("perm")?.ints?.length ?? x;
  if (op === "Gather") return x === undefined || y === undefined ? undefined : x - 1 + y;
  if (op === "Flatten" || op === "Gemm") return 2;
  const axes = attributes.get("axes")?.ints ?? integersOf(inputs[1]);
  if (op === "Unsqueeze")
    return x === undefined || axes === undefined ? undefined : x + axes.length;
  if (op === "Squeeze") return x === undefined || axes === undefined ? undefined : x - axes.length;
  if (op === "Expand") return largest([x, itemsOf(inputs[1])?.length]);
  if (op === "Einsum") return undefined;
  const isDropped = intOf(node, "keepdims", 1) === 0;
  if (op.startsWith("Arg") && isDropped) return x === undefined ? undefined : x - 1;
  if (!op.startsWith("Reduce") || !isDropped) return x;
  const isNamed = attributes.has("axes") || inputs[1] !== undefined;
  if (!isNamed) return intOf(node, "noop_with_empty_axes", 0) === 1 ? x : 0;
  return x === undefined || axes === undefined || axes.length === 0 ? undefined : x - axes.length;
}

function largest(ranks: readonly (number | undefined)[]): number | undefined {
  const known = ranks.filter((each) => each !== undefined);
  return known.length === ranks.length ? Math.max(...known) : undefined;
}

/** A vector operand adds no dim of its own to a matrix product. */
function productRank(x: number | undefined, y: number | undefined): number | undefined {
  if (x === undefined || y === undefined) return undefined;
  return Math.max(x, y, 2) - (x === 1 ? 1 : 0) - (y === 1 ? 1 : 0);
}

/** ONNX's dtype number of a result, if it can be derived. */
export function typeOf(
  { values }: Writing,
  node: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
): number | undefined {
  const said = values.get(node.outputs[0] ?? "")?.type;
  if (said !== undefined && said !== 0) return said;
  if (truths.has(node.op)) return 9;
  if (["Shape", "Size", "ArgMax", "ArgMin"].includes(node.op)) return 7;
  if (node.op === "Cast") return intOf(node, "to", 0);
  return inputs[node.op === "Where" ? 1 : 0]?.type;
}
