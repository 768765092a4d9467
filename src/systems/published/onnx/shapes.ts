import { intOf, type OnnxCall, type OnnxMade, type WriteOnnx } from "./call.ts";
import { dimsIn, integersOf, itemsOf, tensorText } from "./values.ts";

/** Most dims of a tensor. */
const mostDims = 64;

/** Axes from an attribute or an operand; `undefined` when they are known only at run time. */
export function axesOf({ node, inputs }: OnnxCall): readonly number[] | undefined {
  const axes = node.attributes.get("axes")?.ints ?? integersOf(inputs[1]);
  return axes?.every((each) => Math.abs(each) <= mostDims) === true ? axes : undefined;
}

/** Axes counted from the front; `undefined` when one is negative and the rank is unknown. */
function placed(axes: readonly number[], rank: number | undefined): readonly number[] | undefined {
  if (axes.every((each) => each >= 0)) return axes;
  return rank === undefined ? undefined : axes.map((each) => (each < 0 ? each + rank : each));
}

/** A tensor reshaped to sizes; without sizes it becomes a scalar. */
function inSizes(x: string, sizes: readonly string[]): string {
  return sizes.length === 0 ? `${x}.squeeze()` : `${x}.reshape(${sizes.join(", ")})`;
}

function sizesOf(x: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, dim) => `${x}.shape[${dim}]`);
}

/** Operators that change shapes only. */
export const shapes: Readonly<Record<string, WriteOnnx>> = {
  Reshape: ({ node, inputs: [, to] }, x) => {
    const items = itemsOf(to);
    const isZero = intOf(node, "allowzero", 0) === 1 && items?.includes("0") === true;
    if (items === undefined || isZero) return undefined;
    const sizes = items.map((each, at) => (each === "0" ? `${x}.shape[${at}]` : each));
    return { kind: "tensor", text: inSizes(x, sizes), rank: sizes.length };
  },
  Flatten: ({ node, inputs: [term] }, x) => {
    const [axis, rank] = [intOf(node, "axis", 1), dimsIn(term)];
    if (axis === 1 && (rank ?? 2) >= 2) return `${x}.flatten(1)`;
    const [at] = placed([axis], rank) ?? [];
    if (at === undefined || at > mostDims) return undefined;
    if (at === rank) return inSizes(x, ["-1", "1"]);
    return inSizes(x, [at === 0 ? "1" : sizesOf(x, at).join(" * "), "-1"]);
  },
  Transpose: ({ node, inputs: [term] }, x) => {
    const rank = dimsIn(term) ?? 0;
    const turned = Array.from({ length: rank }, (_, at) => rank - 1 - at);
    const perm = node.attributes.get("perm")?.ints ?? turned;
    return perm.length === 0 ? undefined : `${x}.permute(${perm.join(", ")})`;
  },
  Concat: ({ node, inputs }) => {
    const parts = inputs.map((each) => each && tensorText(each));
    return `torch.cat([${parts.join(", ")}], ${intOf(node, "axis", 0)})`;
  },
  Unsqueeze: (call, x) => {
    const axes = axesOf(call);
    const rank = dimsIn(call.inputs[0]);
    if (axes === undefined) return undefined;
    const total = rank === undefined ? undefined : rank + axes.length;
    const isBehind = axes.every((each) => each < 0);
    const ordered = isBehind
      ? axes.toSorted((a, b) => b - a)
      : placed(axes, total)?.toSorted((a, b) => a - b);
    return ordered && `${x}${ordered.map((axis) => `.unsqueeze(${axis})`).join("")}`;
  },
  Squeeze: (call, x) => {
    const axes = axesOf(call);
    if (axes === undefined) return call.inputs[1] === undefined ? `${x}.squeeze()` : undefined;
    const isBehind = axes.every((each) => each < 0);
    const ordered = isBehind
      ? axes.toSorted((a, b) => a - b)
      : placed(axes, dimsIn(call.inputs[0]))?.toSorted((a, b) => b - a);
    return ordered && `${x}${ordered.map((axis) => `.squeeze(${axis})`).join("")}`;
  },
  Slice: sliced,
  Expand: ({ inputs: [term, to] }, x) => {
    const [items, rank] = [itemsOf(to), dimsIn(term)];
    if (items === undefined || (rank === undefined && items.includes("1"))) return undefined;
    const before = items.length - (rank ?? items.length);
    // Size 1, and dims that are not given, leave the tensor's dim unchanged.
    const kept = Array.from({ length: Math.max(0, -before) }, () => "-1");
    const sizes = items.map((each, at) => (each === "1" && at >= before ? "-1" : each));
    return `${x}.expand(${[...kept, ...sizes].join(", ")})`;
  },
  Tile: ({ inputs: [, times] }, x) => {
    const items = itemsOf(times);
    return items && `${x}.repeat(${items.join(", ")})`;
  },
  Gather: gathered,
  GatherElements: ({ node, inputs: [, index] }, x) =>
    index && `torch.gather(${x}, ${intOf(node, "axis", 0)}, ${tensorText(index)})`,
};

function sliced({ node, inputs: [term, from, to, axes, steps] }: OnnxCall, x: string): OnnxMade {
  const { attributes } = node;
  const [starts, ends] = [from, to].map(
    (each, at) => itemsOf(each) ?? attributes.get(at === 0 ? "starts" : "ends")?.ints?.map(String),
  );
  const said =
    axes === undefined
      ? (attributes.get("axes")?.ints ?? starts?.map((_, at) => at))
      : integersOf(axes);
  const dims = said && placed(said, dimsIn(term));
  const strides = steps === undefined ? dims?.map(() => 1) : integersOf(steps);
  if (starts === undefined || ends === undefined || dims === undefined || strides === undefined)
    return undefined;
  if (strides.some((each) => each < 1) || dims.some((dim) => dim > mostDims)) return undefined;
  const parts = new Map(
    dims.map((dim, at) => {
      const end = Number(ends[at]) >= 2 ** 31 - 1 ? "" : (ends[at] ?? "");
      const stride = strides[at] === 1 ? "" : `:${strides[at]}`;
      return [dim, `${starts[at]}:${end}${stride}`];
    }),
  );
  const last = Math.max(...parts.keys());
  const list = Array.from({ length: last + 1 }, (_, dim) => parts.get(dim) ?? ":");
  return `${x}[${list.join(", ")}]`;
}

/** Gathers rows by index; indices known only at run time are assumed to be non-negative. */
function gathered({ node, inputs: [term, index], shapeOf }: OnnxCall, x: string): OnnxMade {
  const axis = intOf(node, "axis", 0);
  if (index === undefined) return undefined;
  const at = integersOf(index);
  if (index.kind === "ints" && index.isScalar && at !== undefined)
    return `${x}.select(${axis}, ${at[0]})`;
  const dim = axis < 0 && at?.some((each) => each < 0) ? placed([axis], dimsIn(term))?.[0] : axis;
  if (dim === undefined) return undefined;
  const places =
    index.kind === "ints" && at !== undefined
      ? {
          ...index,
          items: at.map((each) => (each < 0 ? `${x}.shape[${dim}] - ${-each}` : `${each}`)),
        }
      : index;
  if (axis === 0 && shapeOf(0)?.length === 2) return `F.embedding(${tensorText(places)}, ${x})`;
  const isRow = index.kind === "ints" || (index.kind === "tensor" && index.rank === 1);
  return isRow ? `${x}.index_select(${axis}, ${tensorText(places)})` : undefined;
}
