import type { Diagnostic } from "#core/diagnostics";
import { chunkLengths, lengthOf } from "#core/indexspace";
import type { Graph, Operand, Operator } from "#core/ir";
import { createMesh, type DeviceMesh, wholeAxis } from "#core/mesh";
import { checkStrategy, type OperatorPlan, type Strategy } from "#core/plan";
import type { GraphReading, OperationView } from "#systems/system/graph";
import { drawnPieces } from "../drawn-pieces.ts";
import { gridOfShards } from "../grid-of-shards.ts";
import { cutsOnMesh, type Grid, type GridCuts, meshOfGrids } from "./mesh-of-grids.ts";

/** Largest mesh that is derived from Applications; a larger one is no sensible plan. */
const mostDevices = 4096;

/** An operation that its Applications cut into a grid. */
export interface CutOperation {
  readonly operation: OperationView;
  readonly operator: Operator;
  readonly grid: Grid;
  /** Lengths of the pieces per index axis, where they differ from the ceiling division. */
  readonly sizes: readonly (readonly number[] | undefined)[];
}

/** Cuts of operators read from the Applications of a LoomGraph. */
export interface ReadApplications {
  readonly cut: readonly CutOperation[];
  /** Applications that no plan expresses, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
  /** A mesh that holds all grids; absent where one device suffices. */
  readonly mesh?: DeviceMesh;
}

/**
 * Reads Applications as grids; one Application that covers its whole operation is a grid of one
 * piece.
 */
export function readApplications({ operations }: GraphReading, graph: Graph): ReadApplications {
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const read = operations.flatMap((operation) => {
    const operator = operators.get(operation.operator);
    if (operator === undefined || operation.shards.length === 0) return [];
    const found = cutOf(operation, operator);
    const why = typeof found === "string" ? found : faultOf(found, graph);
    return [{ operator, found, why }];
  });
  const cut = read.flatMap(({ found, why }) =>
    why === undefined && typeof found !== "string" ? [found] : [],
  );
  const irregular = read.flatMap(({ operator, why }) =>
    why === undefined ? [] : [notAPlan(operator, why)],
  );
  const { axes } = meshOfGrids(cut.map(({ grid }) => grid));
  const count = axes.reduce((product, { size }) => product * size, 1);
  if (count > mostDevices) return { cut: [], diagnostics: [...irregular, tooLarge(count)] };
  const mesh = count === 1 ? undefined : createMesh(axes);
  return { cut, diagnostics: irregular, ...(mesh?.ok === true && { mesh: mesh.value }) };
}

/**
 * Operator plans equal to Applications on a given mesh; `undefined` for a grid that the mesh does
 * not hold.
 */
export function plansOn(
  mesh: DeviceMesh,
  cut: readonly CutOperation[],
): readonly (OperatorPlan | undefined)[] {
  const cuts = cutsOnMesh(
    mesh.axes,
    cut.map(({ grid }) => grid),
  );
  return cut.map((each, at): OperatorPlan | undefined => {
    const own = cuts[at];
    return own && { strategy: strategyOf(each, own, mesh), mesh, status: "set" };
  });
}

/** Whether a plan cuts an operation into exactly the pieces of its Applications. */
export function isCutAlike(
  operation: OperationView,
  operator: Operator,
  plan: OperatorPlan,
): boolean {
  const keyOf = (boxes: readonly unknown[]) => boxes.map((box) => JSON.stringify(box)).sort();
  const wanted = keyOf(drawnPieces(operation, operator, plan));
  const isFilled = (box: OperationView["index"]) =>
    (box ?? []).every((range) => lengthOf(range) > 0);
  const filled = operation.shards.map(({ index }) => index ?? []).filter(isFilled);
  const said = [...new Set(keyOf(filled))];
  return wanted.length === said.length && wanted.every((key, at) => key === said[at]);
}

function strategyOf(
  { operation, sizes }: CutOperation,
  cuts: GridCuts,
  mesh: DeviceMesh,
): Strategy {
  const named = operation.axes.flatMap((name, axis) => {
    const parts = (cuts[axis] ?? []).map((each) => wholeAxis(mesh, each));
    return parts.length === 0 ? [] : [[name, parts] as const];
  });
  const lengths = operation.axes.flatMap((name, axis) => {
    const own = sizes[axis];
    return own === undefined ? [] : [[name, own] as const];
  });
  return {
    cuts: Object.fromEntries(named),
    carry: [],
    ...(lengths.length > 0 && { sizes: Object.fromEntries(lengths) }),
  };
}

/** The grid formed by the shards of an operation, or why they form none. */
function cutOf(operation: OperationView, operator: Operator): CutOperation | string {
  const { index, shards, axes } = operation;
  if (index === undefined) {
    if (shards.length > 1) return "it has no index that fits its selections";
    return { operation, operator, grid: { counts: [], dims: [] }, sizes: [] };
  }
  const boxes = shards.map((shard) => shard.index);
  const grid = gridOfShards(index, boxes, axes);
  if (!grid.ok) return grid.why;
  const counts = grid.lengths.map(({ length }) => Math.max(1, length));
  const sizes = grid.lengths.map((lengths, axis) => {
    const size = operator.axes[axis]?.size ?? 0;
    const equal = chunkLengths(size, Math.ceil(size / Math.max(1, lengths.length)));
    const isEqual =
      lengths.length === equal.length && lengths.every((each, n) => each === equal[n]);
    return isEqual ? undefined : lengths;
  });
  return { operation, operator, grid: gridOf(operator, operation, counts), sizes };
}

/** Why a grid cannot be drawn as a plan; `undefined` when it can. */
function faultOf({ operation, operator, grid, sizes }: CutOperation, graph: Graph) {
  if (grid.counts.every((count) => count === 1)) return undefined;
  const created = createMesh(meshOfGrids([grid]).axes);
  if (!created.ok) return "no mesh holds them";
  const uneven = operation.axes.findIndex((_, axis) => sizes[axis] !== undefined);
  const isDrawn = operator.outputs.every((operand) => movesPlainly(operand, uneven));
  if (uneven >= 0 && !isDrawn) {
    const lengths = sizes[uneven]?.join(", ");
    return `along "${operation.axes[uneven]}" their lengths ${lengths} are no equal pieces, and its results do not move with that axis alone`;
  }
  const [plan] = plansOn(created.value, [{ operation, operator, grid, sizes }]);
  const [fault] = (plan && checkStrategy(graph, operator, plan)) ?? [];
  return fault?.severity === "error" ? fault.message : undefined;
}

/** Whether an axis moves dims of an operand only by whole extents and alone. */
function movesPlainly({ projection = [] }: Operand, axis: number): boolean {
  return projection.every(({ coefficients, extent }) => {
    const moving = coefficients.filter((factor) => factor !== 0);
    const factor = coefficients[axis] ?? 0;
    return factor === 0 || (moving.length === 1 && factor === extent);
  });
}

/** A grid, with the tensor dims along which its axes run. */
function gridOf(
  { inputs, outputs }: Operator,
  { axes }: OperationView,
  counts: readonly number[],
): Grid {
  const dims = axes.map((name) =>
    [...inputs, ...outputs].flatMap(({ tensor, dims: all }) =>
      all.flatMap(({ splittable }, dim) => (splittable === name ? [`${tensor} ${dim}`] : [])),
    ),
  );
  return { counts, dims };
}

function notAPlan({ name, span }: Operator, why: string): Diagnostic {
  return {
    code: "loom/applications-irregular",
    severity: "info",
    message: `the Applications of "${name}" are no plan for a mesh, so they are not drawn: ${why}`,
    ...(span !== undefined && { span }),
  };
}

function tooLarge(count: number): Diagnostic {
  return {
    code: "loom/applications-too-many",
    severity: "info",
    message: `the Applications are not drawn: a mesh that holds them all has ${count} devices, more than ${mostDevices}`,
  };
}
