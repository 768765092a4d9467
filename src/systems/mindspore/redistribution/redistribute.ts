import {
  axisSizeOf,
  baseSliceShape,
  type FlatLayout,
  flattened,
  type MappedTensor,
  normalized,
  squeezed,
} from "./flat-layout.ts";
import { inferOperators, type LogicalOperator, type MovingOperator } from "./infer-operators.ts";
import { unify } from "./unify.ts";

/** One run of operator inference: its operators share one device matrix and one shape. */
export interface InferenceRun {
  readonly deviceMatrix: readonly number[];
  readonly shape: readonly number[];
  /** The tensor map before the first operator. */
  readonly tensorMap: readonly number[];
  readonly operators: readonly MovingOperator[];
}

/** MindSpore's redistribution of a tensor from one layout to another. */
export interface Redistribution {
  /** The logical operators, including Reshapes. */
  readonly operators: readonly LogicalOperator[];
  /** The device matrix of each operator's axes; `[]` for a Reshape. */
  readonly matrices: readonly (readonly number[])[];
  /** One run, or two around a full Reshape if the layouts are not expandable. */
  readonly runs: readonly InferenceRun[];
  readonly isExpandable: boolean;
  /** Base slice shapes before and after, by the configured layouts. */
  readonly sliceFrom: readonly number[];
  readonly sliceTo: readonly number[];
}

/** Options of a redistribution. */
export interface RedistributionOptions {
  /** `enable_alltoall`; off by default, as in MindSpore. */
  readonly allToAll?: boolean;
  /**
   * Whether MindSpore's checkpoint conversion engine runs it, which adds Reshapes even to an empty
   * list.
   */
  readonly offline?: boolean;
}

/**
 * MindSpore's tensor redistribution (mindspore.md §3), before its clean-up pass.
 *
 * The caller must check that both layouts are even and have equal numbers of devices and of
 * elements.
 */
export function redistribute(
  from: MappedTensor,
  to: MappedTensor,
  { allToAll = false, offline = false }: RedistributionOptions = {},
): Redistribution {
  const [source, target] = [normalized(flattened(from)), normalized(flattened(to))];
  const pair = unify(squeezed(source), squeezed(target));
  const runs =
    pair === undefined
      ? throughWhole(source, target, allToAll)
      : [runBetween(pair.from, pair.to, allToAll)];
  const ends = { sliceFrom: baseSliceShape(from), sliceTo: baseSliceShape(to) };
  const isIdle = runs.every((run) => run.operators.length === 0);
  const steps =
    isIdle && !offline
      ? reshapes([ends.sliceFrom, ends.sliceTo])
      : wrapped(runs, { ...ends, source, target });
  return {
    operators: steps.map(({ operator }) => operator),
    matrices: steps.map(({ matrix }) => matrix),
    runs,
    isExpandable: pair !== undefined,
    ...ends,
  };
}

function runBetween(from: FlatLayout, to: FlatLayout, allToAll: boolean): InferenceRun {
  const { deviceMatrix, shape, tensorMap } = from;
  const operators = inferOperators(deviceMatrix, tensorMap, to.tensorMap, allToAll);
  return { deviceMatrix, shape, tensorMap, operators };
}

/**
 * Two runs: a full gather on the source's matrix, then slices on the target's (mindspore.md §3.7).
 */
function throughWhole(
  source: FlatLayout,
  target: FlatLayout,
  allToAll: boolean,
): readonly InferenceRun[] {
  const whole = ({ tensorMap, ...layout }: FlatLayout): FlatLayout => ({
    ...layout,
    tensorMap: tensorMap.map(() => -1),
  });
  return [runBetween(source, whole(source), allToAll), runBetween(whole(target), target, allToAll)];
}

interface WrappedStep {
  readonly operator: LogicalOperator;
  readonly matrix: readonly number[];
}

interface Ends {
  readonly source: FlatLayout;
  readonly target: FlatLayout;
  readonly sliceFrom: readonly number[];
  readonly sliceTo: readonly number[];
}

/**
 * The operators of the runs, with a Reshape wherever the next operator needs another local shape
 * (mindspore.md §3.6).
 */
function wrapped(runs: readonly InferenceRun[], ends: Ends): readonly WrappedStep[] {
  const steps: WrappedStep[] = [];
  let before = [ends.sliceFrom, sliceShape(ends.source)];
  for (const run of runs) {
    steps.push(...reshapes([...before, sliceShape(run)]));
    steps.push(...run.operators.map((operator) => ({ operator, matrix: run.deviceMatrix })));
    before = [sliceShape({ ...run, tensorMap: mapAfter(run) })];
  }
  return [...steps, ...reshapes([...before, sliceShape(ends.target), ends.sliceTo])];
}

/** A Reshape for every shape that differs from its predecessor. */
function reshapes(shapes: readonly (readonly number[])[]): readonly WrappedStep[] {
  return shapes.flatMap((shape, at): WrappedStep[] => {
    const before = shapes[at - 1];
    if (before === undefined || before.join() === shape.join()) return [];
    return [{ operator: { op: "Reshape", shape }, matrix: [] }];
  });
}

/** The local shape of a layout with one axis per dim. */
export function sliceShape({ deviceMatrix, tensorMap, shape }: FlatLayout): readonly number[] {
  return shape.map((size, dim) => size / axisSizeOf(deviceMatrix, tensorMap[dim] ?? -1));
}

/** The tensor map after the operators of a run. */
function mapAfter({ tensorMap, operators }: InferenceRun): readonly number[] {
  return operators.reduce(applyOperator, tensorMap);
}

/** The tensor map after one operator. */
export function applyOperator(map: readonly number[], operator: MovingOperator): readonly number[] {
  switch (operator.op) {
    case "SplitByAxis":
      return map.with(operator.dim, operator.axis);
    case "ConcatByAxis":
      return map.with(operator.dim, -1);
    case "PermuteByAxis":
      return map.with(operator.concatDim, -1).with(operator.splitDim, operator.axis);
  }
}
