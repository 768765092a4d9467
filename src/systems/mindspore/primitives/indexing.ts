import { alongDim, dimsNamed, notOfRank, numberOf, numbersOf } from "./arguments.ts";
import { unlikeSizes } from "./element-wise.ts";
import {
  broadcast,
  kept,
  type LinkCall,
  type LinkedDim,
  type Links,
  type LinksOf,
  likeInput,
  own,
  sized,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

/**
 * Links of GatherD: the result has the index's shape and is cut like input and index, except on the
 * indexed dim.
 */
function gatherDim(call: LinkCall): Links | string | undefined {
  const [, index = []] = call.shapes;
  const name = "axis" in call.attributes ? "axis" : "dim";
  const [at] = dimsNamed(call, name, index.length, [0]) ?? [];
  if (at === undefined) return notOfRank(call, name, index.length);
  const dims = index.map(
    (size, dim): LinkedDim => (dim === at ? own(size) : sized(size, [0, dim], [1, dim])),
  );
  // The indexed dim may be cut in the input: each device finds its own elements and zeros for the
  // rest, and the results are summed.
  return { outputs: [dims], inner: [summed([0, at])], ...(at === 0 && { unsplit: [[0, 0]] }) };
}

/** Links of GatherNd: the input and the last dim of the indices stay whole. */
function gatherNd(call: LinkCall): Links {
  const [x = [], indices = []] = call.shapes;
  const depth = indices.at(-1) ?? 1;
  const dims = [
    ...indices.slice(0, -1).map((_, dim) => kept(call, [1, dim])),
    ...x.slice(depth).map(own),
  ];
  return { outputs: [dims] };
}

/**
 * Links of Index, which takes an index for each leading dim: their common shape stands in the place
 * of those dims, and each device finds the elements of its own block.
 */
function indexed(call: LinkCall): Links | string {
  const [x = [], ...indices] = call.shapes;
  const fault = unlikeSizes({ ...call, shapes: indices });
  if (fault !== undefined) return fault;
  const places = broadcast({ ...call, shapes: indices }).map(({ size }) => own(size));
  const inner = indices.map((_, dim) => summed([0, dim]));
  return { outputs: [[...places, ...x.slice(indices.length).map(own)]], inner };
}

/** Links of IndexSelect; its dim argument is called `axis` or `dim`. */
const indexSelect: LinksOf = (call) =>
  alongDim("axis" in call.attributes ? "axis" : "dim", 0, (_, dim) => ({
    outputs: [likeInput(call).with(dim, kept(call, [1, 0]))],
  }))(call);

/**
 * Links of row updates: the dims of the indices stay whole. Dim 0 of the input may be cut if
 * updates are added or multiplied; each device then applies the updates of its rows.
 */
function scatter(call: LinkCall): Links {
  const [x = [], indices = []] = call.shapes;
  const isWhole = /^Scatter(Update|Max|Min)$/u.test(call.op);
  const dims = x.map((size, dim) =>
    dim === 0
      ? isWhole
        ? own(size)
        : kept(call, [0, 0])
      : kept(call, [0, dim], [2, indices.length + dim - 1]),
  );
  return { outputs: [dims] };
}

/**
 * Links of updates at positions: the trailing dims are linked to those of the updates. Leading dims
 * may be cut too if updates are combined; each device then applies those inside its block.
 */
function scatterNd(call: LinkCall): Links {
  const [x = [], indices = []] = call.shapes;
  const depth = indices.at(-1) ?? 1;
  const isWhole = /Update$|^TensorScatterM(ax|in)$/u.test(call.op);
  const dims = x.map((size, dim) =>
    dim < depth
      ? isWhole
        ? own(size)
        : kept(call, [0, dim])
      : kept(call, [0, dim], [2, indices.length - 1 + dim - depth]),
  );
  return { outputs: [dims] };
}

/**
 * Links of segment reductions: the leading dims covered by the ids are combined, the others kept.
 */
function segments(call: LinkCall): Links | string {
  const [x = [], ids = []] = call.shapes;
  if (ids.some((size, dim) => size !== x[dim]))
    return `the ids of ${call.op} must have the leading dims of (${x.join(", ")}), but they have the shape (${ids.join(", ")})`;
  const rest = x.slice(ids.length).map((_, at) => kept(call, [0, ids.length + at]));
  const inner = ids.map((_, dim) => summed([0, dim], [1, dim]));
  const gathers = /M(ax|in)$/u.test(call.op);
  return { outputs: [[own(numberOf(call, "num_segments", 1)), ...rest]], inner, gathers };
}

function filled(call: LinkCall): Links | string | undefined {
  const shape = numbersOf(call, "shape");
  return shape === undefined ? undefined : { outputs: [shape.map(own)] };
}

/** Links of OneHotExt: the indices may be cut; the new dim is whole unless the strategy cuts it. */
function oneHotExt(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const depth = numberOf(call, "num_classes", 1);
  return { outputs: [[...x.map((_, dim) => kept(call, [0, dim])), own(depth)]] };
}

/** Links of OneHot: a new dim of size `depth` at the axis. */
function oneHot(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const axis = numberOf(call, "axis", -1);
  const at = axis < 0 ? x.length + 1 + axis : axis;
  const dims = x.map((_, dim) => kept(call, [0, dim]));
  return { outputs: [dims.toSpliced(at, 0, own(numberOf(call, "depth", 1)))] };
}

function pairwise(call: LinkCall): Links {
  const [a = [], b = []] = call.shapes;
  const lead = a.slice(0, -2).map((_, dim) => kept(call, [0, dim], [1, dim]));
  return { outputs: [[...lead, kept(call, [0, a.length - 2]), kept(call, [1, b.length - 2])]] };
}

function overlaps(call: LinkCall): Links {
  return { outputs: [[kept(call, [1, 0]), kept(call, [0, 0])]] };
}

function boxes(call: LinkCall): Links {
  const [x = []] = call.shapes;
  return { outputs: [[kept(call, [0, 0], [1, 0]), ...x.slice(1).map(own)]] };
}

/**
 * Links of a KV cache update: dims shared with the updates are cut alike, the positions stay whole.
 */
function cacheUpdate(call: LinkCall): Links {
  const [cache = []] = call.shapes;
  const axis = cache.length - 2;
  const dims = cache.map((size, dim): LinkedDim => {
    if (dim === axis) return own(size);
    return sized(size, [0, dim], [2, dim]);
  });
  return { outputs: [dims] };
}

/** Primitives of MindSpore that gather and scatter elements, or make tensors. */
export const indexingRows: readonly SpecRow[] = [
  ["GatherD", "", "x [dim] index", gatherDim],
  ["GatherNd", "", "input_x indices", gatherNd, { batch: [[1, 0]] }],
  ["Index", "", "input indices", indexed, { takesLists: true }],
  ["IndexSelect", "", "input [axis] index", indexSelect],
  [
    "ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterSub ScatterUpdate",
    "use_locking",
    "input_x indices updates",
    scatter,
    { batch: [] },
  ],
  [
    "ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate",
    "use_locking",
    "input_x indices updates",
    scatterNd,
    { batch: [] },
  ],
  [
    "TensorScatterAdd TensorScatterDiv TensorScatterMax TensorScatterMin TensorScatterMul TensorScatterSub",
    "",
    "input_x indices updates",
    scatterNd,
    { batch: [] },
  ],
  [
    "UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd",
    "",
    "x segment_ids [num_segments]",
    segments,
  ],
  ["FillV2", "", "[shape] value", filled],
  // Its results are inputs of the net, without links.
  ["GetNext", "types shapes output_num shared_name", "", () => undefined],
  ["Gamma", "seed seed2", "[shape] alpha beta", filled],
  ["UniformReal StandardNormal StandardLaplace", "seed seed2", "[shape]", filled],
  ["OneHotExt", "axis", "tensor [num_classes] on off [axis]", oneHotExt, { dtype: "i32" }],
  ["OneHot", "axis", "indices [depth] on_value off_value", oneHot],
  ["Cdist", "p", "x y", pairwise, { splitsFirst: true }],
  ["IOU", "mode", "a b", overlaps],
  ["BoundingBoxEncode", "means stds", "anchor groundtruth", boxes],
  [
    "CheckValid",
    "",
    "bboxes img_metas",
    (call) => ({ outputs: [[kept(call, [0, 0])]] }),
    { dtype: "bool" },
  ],
  [
    "KVCacheScatterUpdate",
    "",
    "var indices updates [axis] [reduce]",
    cacheUpdate,
    { splitsFirst: true },
  ],
  ["Range", "maxlen", "[start] [limit] [delta]", (call) => rangeOf(call, "start limit delta")],
  ["Arange", "", "[start] [end] [step] [dtype]", (call) => rangeOf(call, "start end step")],
  ["LinSpace", "", "start end [num]", (call) => rowOf(call, "num")],
  ["LinSpaceExt", "", "start end [steps] [dtype]", (call) => rowOf(call, "steps")],
  ["Eye", "", "[n] [m] [dtype]", tableOf],
  [
    "MoeComputeExpertTokens",
    "",
    "x [num_experts]",
    (call) => ({ outputs: [[own(numberOf(call, "num_experts", 1))]] }),
    { splitsFirst: true },
  ],
];

/** Links of a one-dim result with the given number of elements. */
function rowOf(call: LinkCall, name: string): Links | undefined {
  const count = numbersOf(call, name)?.[0];
  return count === undefined ? undefined : { outputs: [[own(count)]] };
}

function tableOf(call: LinkCall): Links | undefined {
  const [rows, columns] = ["n", "m"].map((name) => numbersOf(call, name)?.[0]);
  return rows === undefined || columns === undefined
    ? undefined
    : { outputs: [[own(rows), own(columns)]] };
}

function rangeOf(call: LinkCall, names: string): Links | string | undefined {
  const [start, limit, delta] = names.split(" ").map((name) => numbersOf(call, name)?.[0]);
  if (start === undefined || limit === undefined || delta === undefined || delta === 0) {
    return undefined;
  }
  return { outputs: [[own(Math.max(0, Math.ceil((limit - start) / delta)))]] };
}
