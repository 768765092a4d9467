import { isRowOfNumbers } from "./constants.ts";
import type { OpenDims, PlacedOperator } from "./placed-operators.ts";
import { isReciprocal } from "./primitive-name.ts";

/**
 * The operators in the compiled graph for one placed operator: itself, with preparing operators if
 * each device looks up in a part of the operand, or replacements (the `ReplaceGraphs` of
 * MindSpore's operator classes).
 */
export function standingFor(placed: PlacedOperator, openDims: OpenDims): readonly string[] {
  const { op, exchanges, model, traced } = placed;
  if (isRowOfNumbers({ op, inputs: traced.inputs })) return [];
  const sends = (model?.forward.length ?? 0) > 0;
  if (op === "RmsNorm" && sends) return ["Square", "Mul", "Mul"];
  // Three-dimensional windows with border exchange run as two-dimensional ones, between Transposes.
  if (exchanges === true && op.endsWith("3D")) return ["Transpose"];
  // Triu reads its operand's shape if the lengths of rows or columns are known only at run time.
  const [x] = traced.inputs;
  const rank = x?.kind === "tensor" ? (x.shape?.length ?? 0) : 0;
  if (op === "Triu" && x?.kind === "tensor" && [...openDims(x)].some((dim) => dim >= rank - 2))
    return ["Shape", "Triu"];
  if (isReciprocal(traced)) {
    const [number] = traced.inputs;
    const isOne = number?.kind === "plain" && number.text.trim() === "1";
    return isOne ? ["Reciprocal"] : ["Reciprocal", "Muls"];
  }
  return [...before(placed, sends), op];
}

function before(
  { op, traced, strategies = [] }: PlacedOperator,
  sends: boolean,
): readonly string[] {
  const attributes = traced.primitive?.attributes ?? [];
  const isManual = attributes.some(({ name }) => name.startsWith("manual_split"));
  const [cut = []] = strategies;
  const isCut = (dims: number) => cut.slice(0, dims).some((pieces) => pieces > 1);
  if (/^(Gather|SparseGatherV2|Embedding|IndexSelect)$/.test(op))
    return sends || isManual ? ["Sub"] : [];
  if (op === "GatherD") return sends ? ["Sub"] : [];
  if (op === "CropAndResize") return isCut(1) ? ["Sub"] : [];
  if (/^OneHot(Ext)?$/.test(op))
    return (cut.at(classDim(traced)) ?? 1) > 1 ? ["FloorDiv", "Sub"] : [];
  if (op === "Stack") return traced.primitive?.arguments.listed === true ? ["make_list"] : [];
  if (op === "Range")
    return traced.inputs.flatMap(({ kind }) => (kind === "tensor" ? ["TensorToScalar"] : []));
  if (op === "LinSpace") return ["Sub", "Add"];
  if (op === "LinSpaceExt") return ["ScalarSub", "ScalarAdd"];
  if (op === "ROIAlign") return isCut(1) ? ["StridedSlice", "TensorScatterUpdate"] : [];
  if (/^Scatter(Add|Sub|Mul|Div)$|^ScatterNd(Add|Sub)$|^TensorScatter(Add|Sub|Mul|Div)$/.test(op)) {
    return isCut(indexed(traced.inputs[1], op)) ? ["Sub", "Mul"] : [];
  }
  return [];
}

/** The dim of OneHot's result that holds the classes. */
function classDim({ primitive }: PlacedOperator["traced"]): number {
  const { axis } = primitive?.arguments ?? {};
  return typeof axis === "number" ? axis : -1;
}

/** Number of leading dims that the indices of a scatter address. */
function indexed(indices: PlacedOperator["traced"]["inputs"][number] | undefined, op: string) {
  if (/^Scatter(Add|Sub|Mul|Div)$/.test(op)) return 1;
  const last = indices?.kind === "tensor" ? indices.shape?.at(-1) : undefined;
  return typeof last === "number" ? last : 1;
}
