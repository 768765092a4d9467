import { type Collective, groupsOf, type LayoutStep, type Move } from "#core/collective";
import { type Checked, failed, passed } from "#core/diagnostics";
import { type DeviceMesh, type Layout, type Part, partsOfMatrix } from "#core/mesh";
import { type PricedSteps, type PriceOptions, priceSteps } from "#core/reshard";
import { mappedTensor } from "./mapped-tensor.ts";
import { redistributionFault } from "./redistribution/check-tensor.ts";
import { axisSizeOf } from "./redistribution/flat-layout.ts";
import type { MovingOperator } from "./redistribution/infer-operators.ts";
import { applyOperator, type InferenceRun, redistribute } from "./redistribution/redistribute.ts";

/** Options of MindSpore's redistribution: prices, and whether AllToAll is allowed. */
export interface MindsporeReshardOptions extends PriceOptions {
  /** `enable_alltoall`; off by default, as in MindSpore. */
  readonly allToAll?: boolean;
}

/**
 * MindSpore's redistribution between two layouts (mindspore.md §3): its logical operators, before
 * the clean-up pass of the compiler, which may gather more before it slices.
 *
 * Fails for layouts MindSpore cannot express: partial sums, uneven cuts, explicit or interleaved
 * pieces, and a different order of the devices.
 */
export function mindsporeReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  { allToAll = false, ...prices }: MindsporeReshardOptions = {},
): Checked<PricedSteps> {
  if (from.mesh.devices.join() !== to.mesh.devices.join()) {
    return refuse("MindSpore moves a tensor on one order of the devices only");
  }
  const [source, target] = [mappedTensor(from, shape), mappedTensor(to, shape)];
  if (source === undefined || target === undefined) {
    return refuse("MindSpore's layouts have whole blocks: no partial sums, no pieces");
  }
  const fault = redistributionFault(source, target);
  if (fault !== undefined) return refuse(fault);
  const { runs } = redistribute(source, target, { allToAll });
  const steps = runs.flatMap((run) => stepsOfRun(run, from.mesh, shape));
  return passed(priceSteps(between(from, to, steps), shape, prices));
}

/** The operators of one inference run as layout steps with collectives. */
function stepsOfRun(
  run: InferenceRun,
  mesh: DeviceMesh,
  shape: readonly number[],
): readonly LayoutStep[] {
  const frame = frameOf(run, mesh, shape);
  let map = run.tensorMap;
  return run.operators.map((operator) => {
    const before = frame.layoutAt(map);
    const from = operator.op === "SplitByAxis" ? undefined : frame.slotAt(map, heldDim(operator));
    map = applyOperator(map, operator);
    const to = operator.op === "ConcatByAxis" ? undefined : frame.slotAt(map, cutDim(operator));
    const part = frame.partOf(operator.axis);
    const move: Move = { part, ...(from && { from }), ...(to && { to }) };
    const collective = collectives[operator.op];
    const groups = collective === "slice" ? [] : groupsOf(mesh, [part]);
    return { collective, moves: [move], groups, before, after: frame.layoutAt(map) };
  });
}

const collectives: Readonly<Record<MovingOperator["op"], Collective>> = {
  SplitByAxis: "slice",
  ConcatByAxis: "all-gather",
  PermuteByAxis: "all-to-all",
};

function heldDim(operator: MovingOperator): number {
  return operator.op === "PermuteByAxis" ? operator.concatDim : operator.dim;
}

function cutDim(operator: MovingOperator): number {
  return operator.op === "PermuteByAxis" ? operator.splitDim : operator.dim;
}

/**
 * Maps a run's finer dims to dims of the tensor, and its device-matrix axes to parts of the mesh.
 */
function frameOf(run: InferenceRun, mesh: DeviceMesh, shape: readonly number[]) {
  const owners = partsOfMatrix(mesh, run.deviceMatrix) ?? [];
  const groups = dimGroups(run.shape, shape);
  const partOf = (value: number): Part => {
    const part = owners[run.deviceMatrix.length - 1 - value]?.[0];
    if (part === undefined) throw new Error(`no part of the mesh is axis ${value}`);
    return part;
  };
  const partsAt = (map: readonly number[], dim: number): readonly Part[] => {
    const value = map[dim] ?? -1;
    const pieces = (run.shape[dim] ?? 1) / axisSizeOf(run.deviceMatrix, value);
    const rest: readonly Part[] = pieces > 1 ? [{ kind: "pieces", count: pieces }] : [];
    return value < 0 ? rest : [partOf(value), ...rest];
  };
  const layoutAt = (map: readonly number[]): Layout => ({
    mesh,
    dims: groups.map((dims) => ({
      parts: withoutTail(dims.flatMap((dim) => partsAt(map, dim))),
      chunks: "flat",
    })),
    partials: [],
  });
  const slotAt = (map: readonly number[], dim: number) => {
    const owner = groups.findIndex((dims) => dims.includes(dim));
    const earlier = (groups[owner] ?? []).filter((other) => other < dim);
    return { dim: owner, position: earlier.flatMap((other) => partsAt(map, other)).length };
  };
  return { partOf, layoutAt, slotAt };
}

/** Groups the dims of a finer shape by the tensor dim that they make up. */
function dimGroups(
  fine: readonly number[],
  shape: readonly number[],
): readonly (readonly number[])[] {
  let next = 0;
  return shape.map((size) => {
    const dims: number[] = [];
    for (let product = 1; product < size; next++) {
      product *= fine[next] ?? size;
      dims.push(next);
    }
    return dims;
  });
}

function withoutTail(parts: readonly Part[]): readonly Part[] {
  return parts.slice(0, parts.findLastIndex(({ kind }) => kind === "axis") + 1);
}

/** The steps, with the first and last layouts replaced by the caller's own. */
function between(from: Layout, to: Layout, steps: readonly LayoutStep[]): readonly LayoutStep[] {
  return steps.map((step, at) => ({
    ...step,
    before: at === 0 ? from : step.before,
    after: at === steps.length - 1 ? to : step.after,
  }));
}

function refuse(message: string): Checked<PricedSteps> {
  return failed({ code: "mindspore/no-redistribution", severity: "error", message });
}
