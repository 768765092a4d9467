import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import type { DeviceMesh, Part } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import {
  axisCuts,
  batchParallelPieces,
  type TupleStrategy as CheckedTuple,
  checkDeviceCount,
  checkPieces,
  deviceMatrix,
} from "#systems/mindspore";
import { arrange } from "./arrangement.ts";
import { type BuiltGraph, shapeOf } from "./build-graph.ts";
import { completed, meshOfSpec } from "./document-mesh.ts";
import { layoutPlan } from "./layout-plans.ts";
import { isSemiAuto } from "./parallel-mode.ts";
import { piecesOf, withReduced } from "./reduced-plan.ts";
import type { Trace, TracedOperator, TupleStrategy } from "./trace.ts";

/** An operator with a tuple strategy and its device matrix, in the order of its index axes. */
export interface TupleCuts {
  readonly operator: Operator;
  readonly matrix: readonly number[];
  readonly strategy: TupleStrategy;
}

/** Checks every tuple strategy of a program; the ones that MindSpore refuses are left out. */
export function readTuples(built: BuiltGraph): {
  readonly cuts: readonly TupleCuts[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const read = [...built.operatorOf].flatMap(([traced, operator]) => {
    const { strategy } = traced;
    if (strategy?.kind !== "tuples") return [];
    const { pieces, diagnostics } = axisCuts(operator, shapesOf(traced), written(strategy));
    return [
      { cut: { operator, matrix: deviceMatrix(operator.axes, pieces), strategy }, diagnostics },
    ];
  });
  return {
    cuts: read.filter(({ diagnostics }) => diagnostics.length === 0).map(({ cut }) => cut),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function shapesOf(traced: TracedOperator): readonly (readonly number[])[] {
  return traced.inputs.flatMap((input) => (input.kind === "tensor" ? [shapeOf(input)] : []));
}

/** The numbers of a tuple strategy, each at its place or at that of the whole. */
function written({ values, tree, span }: TupleStrategy): CheckedTuple {
  const operands = values.map((entries, operand) =>
    entries.map((value, dim) => {
      const entry = tree?.items[operand]?.items[dim];
      const isLiteral = entry?.kind === "literal";
      return { value, span: entry?.span ?? tree?.items[operand]?.span ?? span, isLiteral };
    }),
  );
  return { operands, span };
}

/** What `.shard(…)` asks of each operator, on the document's mesh or on its own arrangement. */
export function mindsporePlans(
  built: BuiltGraph,
  cuts: readonly TupleCuts[],
  mesh: DeviceMesh,
  trace: Trace,
): {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const plans = new Map<OperatorId, OperatorPlan>();
  const diagnostics: Diagnostic[] = [];
  if (cuts.length > 0)
    diagnostics.push(...checkDeviceCount(mesh.devices.length, cuts[0]?.strategy.span));
  for (const cut of cuts) {
    const plan = tuplePlan(cut, mesh, diagnostics);
    if (plan !== undefined) plans.set(cut.operator.id, plan);
  }
  const semiAuto = isSemiAuto(trace);
  for (const [traced, operator] of built.operatorOf) {
    if (traced.strategy?.kind === "layouts") {
      const plan = layoutPlan(operator, traced.strategy, mesh, diagnostics);
      if (plan !== undefined) plans.set(operator.id, plan);
    } else if (semiAuto && isUnset(traced)) {
      plans.set(operator.id, batchParallelPlan(operator, mesh));
    }
  }
  diagnostics.push(...otherDeviceCounts(trace, mesh));
  return { plans, diagnostics };
}

function isUnset({ strategy, reducesInside, isFree }: TracedOperator): boolean {
  return strategy === undefined && reducesInside && isFree !== true;
}

/** What MindSpore makes of an operator that nobody gave a strategy. */
function batchParallelPlan(operator: Operator, mesh: DeviceMesh): OperatorPlan {
  const pieces = batchParallelPieces(operator, mesh.devices.length);
  const sizes = completed(deviceMatrix(operator.axes, pieces), mesh.devices.length);
  const { mesh: own, parts } = arrange(mesh, sizes);
  return { strategy: { cuts: cutsOf(operator, parts), carry: [] }, mesh: own, status: "assumed" };
}

function cutsOf(
  operator: Operator,
  parts: readonly (readonly Part[])[],
): Readonly<Record<string, readonly Part[]>> {
  const named = operator.axes.map((axis, index) => [axis.name, parts[index] ?? []] as const);
  return Object.fromEntries(named.filter(([, list]) => list.length > 0));
}

/** A `Layout` for another number of devices than the text's own `Mesh(…)` fixes. */
function otherDeviceCounts(trace: Trace, mesh: DeviceMesh): readonly Diagnostic[] {
  const [written] = trace.meshes;
  if (written === undefined || written.isAssumed === true) return [];
  return trace.layouts.flatMap(({ spec, span }): Diagnostic[] => {
    const devices = meshOfSpec(spec).axes.reduce((product, { size }) => product * size, 1);
    if (devices === mesh.devices.length) return [];
    const message = `this Layout arranges ${devices} devices, but the mesh has ${mesh.devices.length}`;
    return [
      {
        code: "mindspore/layout-device-count",
        severity: "error",
        message,
        span,
        upstream: "RuntimeError",
        related: [{ message: "the mesh", span: written.span }],
      },
    ];
  });
}

function tuplePlan(
  { operator, matrix, strategy }: TupleCuts,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const { span } = strategy;
  const faults = checkPieces(operator.name, matrix, mesh.devices.length, span);
  diagnostics.push(...faults);
  if (faults.length > 0) return undefined;
  const full = completed(matrix, mesh.devices.length);
  const { mesh: own, parts } = arrange(mesh, full);
  const plan: OperatorPlan = {
    strategy: { cuts: cutsOf(operator, parts), carry: [] },
    mesh: own,
    status: "set",
    span,
  };
  const asked = strategy.outputs?.[0];
  if (asked === undefined) return plan;
  const matches = (dims: readonly (readonly Part[])[]) => sameNumbers(dims.map(piecesOf), asked);
  return withReduced(operator, plan, matches, span, diagnostics);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, index) => number === b[index]);
}
