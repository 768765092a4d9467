import { type Bound, indexAxesOf, indexBoxOf, projectionsOf } from "#core/dimops";
import type { AffineRow, Box } from "#core/indexspace";
import {
  type LoomForm,
  type LoomOperand,
  loomAxes,
  loomOperands,
  operationNode,
  paramsOf,
  tensorNode,
} from "./from-dimops.ts";
import { type LoomGraph, type LoomNode, loomId, type TensorNode } from "./graph.ts";
import { uuidFrom } from "./uuid.ts";

export interface ReductionSplit extends LoomForm {
  /** The summed axis to split. */
  readonly axis: string;
  /** Number of blocks of equal length. */
  readonly count: number;
  /**
   * Positions of inputs outside the products: they are added once, after the sum, as the bias of a
   * linear layer.
   */
  readonly addAfter?: readonly number[];
}

/** A split sum, or why the axis cannot be split. */
export type SplitSum =
  | { readonly ok: true; readonly graph: LoomGraph }
  | { readonly ok: false; readonly why: string };

/**
 * Splits the summed axis of an annotation into the form that Loom can shard (loom.md §4.2): partial
 * results with a block axis, their sum, then the inputs added once.
 *
 * Refused if the result would change: an axis that is not summed or does not divide, several
 * outputs, or an input that lacks the axis and is not in `addAfter`.
 */
export function splitReduction(bound: Bound, options: ReductionSplit): SplitSum {
  const why = refusalOf(bound, options);
  if (why !== undefined) return { ok: false, why };
  const stage = stageOf(bound, options);
  const output = stage.operands.find(({ isOutput }) => isOutput);
  if (output === undefined) throw new Error("the one output to sum is among the operands");
  const { kernel = "op", axis, count } = options;
  const nodes = nodesOf(bound, options, stage, output);
  return { ok: true, graph: { id: loomId(uuidFrom(`graph ${kernel} ${axis} ${count}`)), nodes } };
}

function nodesOf(
  bound: Bound,
  options: ReductionSplit,
  stage: BlockStage,
  output: LoomOperand,
): readonly LoomNode[] {
  const { kernel = "op", dtype = "float32", addAfter = [], axis } = options;
  const inputs = stage.operands.filter(({ isOutput }) => !isOutput);
  const late = inputs.filter(({ operand }) => addAfter.includes(operand));
  const products = inputs.filter((operand) => !late.includes(operand));
  const part = partTensor(output, stage, options);
  const sum =
    late.length === 0
      ? output.tensor
      : tensorNode(
          `${output.name}_sum`,
          dtype,
          output.tensor.range,
          `sum ${output.name} of ${kernel}`,
        );
  const whole = stage.index.toSpliced(stage.at, 1);
  const blocks = products.map((each) => blocked(bound, each, stage, options));
  const first = operationNode(kernel, stage.index, [...blocks, partOperand(part, output, stage)], {
    ...paramsOf(bound, stage.axes),
    block_of: axis,
  });
  const second = operationNode(
    `${kernel}_sum`,
    whole,
    [summed(part, output, stage, options.count), { ...output, tensor: sum }],
    { index_names: stage.axes.toSpliced(stage.at, 1) },
  );
  const tensors = [...stage.operands.map(({ tensor }) => tensor), part];
  if (late.length === 0) return [...tensors, first, second];
  const summand: LoomOperand = { ...output, name: "sum", isOutput: false, tensor: sum };
  const names = { index_names: stage.axes.toSpliced(stage.at, 1) };
  const third = operationNode(`${kernel}_add`, whole, [summand, ...late, output], names);
  return [...tensors, sum, first, second, third];
}

/** Index of the first operation: the closed axes plus a block axis. */
interface BlockStage {
  readonly axes: readonly string[];
  readonly index: Box;
  /** Position of the block axis in the index. */
  readonly at: number;
  /** Output dim before which the partial results have their block dim. */
  readonly dim: number;
  /** Operands over the index without the block axis. */
  readonly operands: readonly LoomOperand[];
}

function stageOf(bound: Bound, options: ReductionSplit): BlockStage {
  const closed = loomAxes(bound, "closed");
  const order = indexAxesOf(bound).map(({ name }) => name);
  const rank = order.indexOf(options.axis);
  const behind = closed.findIndex((name) => order.indexOf(name) > rank);
  const at = behind < 0 ? closed.length : behind;
  const operands = loomOperands(bound, closed, options);
  const output = operands.find(({ isOutput }) => isOutput);
  const moved = output?.projection.findIndex(({ coefficients }) => coefficients[at] !== 0) ?? -1;
  const dim = behind < 0 || moved < 0 ? (output?.projection.length ?? 0) : moved;
  return {
    axes: closed.toSpliced(at, 0, options.axis),
    index: indexBoxOf(bound, closed).toSpliced(at, 0, { start: 0, stop: options.count }),
    at,
    dim,
    operands,
  };
}

/** An input over the index with the block axis: each block reads its part of the summed dim. */
function blocked(
  bound: Bound,
  operand: LoomOperand,
  stage: BlockStage,
  options: ReductionSplit,
): LoomOperand {
  const length = (bound.sizes.get(options.axis) ?? 0) / options.count;
  const steps = projectionsOf(bound, stage.axes)[operand.operand];
  const projection = operand.projection.map((row, dim): AffineRow => {
    const step = steps?.[dim]?.coefficients[stage.at] ?? 0;
    const without = step * ((bound.sizes.get(options.axis) ?? 1) - 1);
    return {
      coefficients: row.coefficients.toSpliced(stage.at, 0, step * length),
      offset: row.offset,
      extent: row.extent - without + step * (length - 1),
    };
  });
  return { ...operand, projection };
}

function partTensor(output: LoomOperand, stage: BlockStage, options: ReductionSplit): TensorNode {
  const { dtype = "float32", kernel = "op", count } = options;
  const range = output.tensor.range.toSpliced(stage.dim, 0, { start: 0, stop: count });
  return tensorNode(`${output.name}_part`, dtype, range, `part ${output.name} of ${kernel}`);
}

function partOperand(tensor: TensorNode, output: LoomOperand, stage: BlockStage): LoomOperand {
  const rows = output.projection.map((row): AffineRow => {
    return { ...row, coefficients: row.coefficients.toSpliced(stage.at, 0, 0) };
  });
  const coefficients = stage.index.map((_, axis) => (axis === stage.at ? 1 : 0));
  const projection = rows.toSpliced(stage.dim, 0, { coefficients, offset: 0, extent: 1 });
  return { ...output, name: "part", tensor, projection };
}

function summed(
  tensor: TensorNode,
  output: LoomOperand,
  stage: BlockStage,
  count: number,
): LoomOperand {
  const blocks = { coefficients: stage.index.slice(1).map(() => 0), offset: 0, extent: count };
  const projection = output.projection.toSpliced(stage.dim, 0, blocks);
  return { ...output, name: "part", isOutput: false, tensor, projection };
}

function refusalOf(
  bound: Bound,
  { axis, count, addAfter = [] }: ReductionSplit,
): string | undefined {
  const found = indexAxesOf(bound).find(({ name }) => name === axis);
  if (found?.reduction !== "+") return `"${axis}" is not summed, so its blocks cannot be added up`;
  if (!(count >= 1) || found.size % count !== 0)
    return `"${axis}" has ${found.size} indices, which ${count} blocks do not share evenly`;
  if (bound.outputs.filter((shape) => shape !== undefined).length !== 1)
    return `a split of "${axis}" needs exactly one output to sum`;
  const open = loomAxes(bound, "open");
  const at = open.indexOf(axis);
  const apart = projectionsOf(bound, open)
    .slice(0, bound.inputs.length)
    .findIndex((projection, input) => {
      const lacks = projection?.every(({ coefficients }) => coefficients[at] === 0) ?? false;
      return lacks !== addAfter.includes(input);
    });
  if (apart < 0) return undefined;
  return addAfter.includes(apart)
    ? `input ${apart} has "${axis}", so it cannot be added after the sum`
    : `input ${apart} lacks "${axis}": every block would count it again`;
}
