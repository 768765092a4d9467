import type { Diagnostic, Span } from "#core/diagnostics";
import type { Operand, Operator, OperatorId } from "#core/ir";
import { type DeviceMesh, type Layout, type Part, wholeAxis } from "#core/mesh";
import { mentions, type OperatorPlan, producedLayout } from "#core/plan";
import {
  axisCuts,
  batchParallelPieces,
  type TupleStrategy as CheckedTuple,
  checkDeviceCount,
  checkPieces,
  deviceMatrix,
  type LayoutSpec,
  reducedLayout,
  unequalLists,
} from "#systems/mindspore";
import { arrange } from "./arrangement.ts";
import { type BuiltGraph, shapeOf } from "./build-graph.ts";
import { completed, meshFor, meshOfSpec } from "./document-mesh.ts";
import { isSemiAuto } from "./parallel-mode.ts";
import type { LayoutStrategy, Trace, TracedOperator, TupleStrategy, WrittenAxes } from "./trace.ts";

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
    entries.map((value, dim) => ({
      value,
      span: tree?.items[operand]?.items[dim]?.span ?? tree?.items[operand]?.span ?? span,
    })),
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
  const pieces = (list: readonly Part[]) =>
    list.reduce((n, part) => n * (part.kind === "axis" ? part.size : 1), 1);
  return withReduced(
    operator,
    plan,
    (dims) => sameNumbers(dims.map(pieces), asked),
    span,
    diagnostics,
  );
}

function layoutPlan(
  operator: Operator,
  strategy: LayoutStrategy,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const { span } = strategy;
  const spec = strategy.inputs[0]?.spec;
  if (spec === undefined || strategy.inputs.length !== operator.inputs.length) {
    diagnostics.push(
      refuse(
        span,
        `the strategy of "${operator.name}" has ${strategy.inputs.length} layouts for ${operator.inputs.length} inputs`,
      ),
    );
    return undefined;
  }
  const own = meshFor(spec, mesh);
  const lists = (dims: readonly WrittenAxes[]) => dims.map((dim) => partsIn(dim, spec, own));
  const cuts: Record<string, readonly Part[]> = {};
  for (const [index, operand] of operator.inputs.entries()) {
    const parts = lists(strategy.inputs[index]?.dims ?? []);
    if (parts.length !== operand.dims.length) {
      diagnostics.push(
        refuse(
          span,
          `layout ${index + 1} of the strategy of "${operator.name}" has ${parts.length} dims, but its input has ${operand.dims.length}`,
        ),
      );
      return undefined;
    }
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const list = parts[dim] ?? [];
      const known = splittable === undefined ? undefined : cuts[splittable];
      if (splittable === undefined || (known !== undefined && !sameParts(known, list))) {
        if (splittable === undefined && list.length === 0) continue;
        diagnostics.push(refuse(span, unequalLists(operator, splittable, dim, index)));
        return undefined;
      }
      cuts[splittable] = list;
    }
  }
  const indivisible = operator.axes.find(
    ({ name, size }) => size % piecesOf(cuts[name] ?? []) !== 0,
  );
  if (indivisible !== undefined) {
    const { name, size } = indivisible;
    const pieces = piecesOf(cuts[name] ?? []);
    diagnostics.push(
      refuse(
        span,
        `"${name}" of "${operator.name}" has ${size} elements, which cannot be divided into ${pieces} equal pieces`,
      ),
    );
    return undefined;
  }
  const kept = Object.fromEntries(Object.entries(cuts).filter(([, list]) => list.length > 0));
  const plan: OperatorPlan = {
    strategy: { cuts: kept, carry: [] },
    mesh: own,
    status: "set",
    span,
  };
  const asked = strategy.outputs?.[0];
  if (asked === undefined) return plan;
  const wanted = lists(asked.dims);
  const matches = (dims: readonly (readonly Part[])[]) =>
    dims.length === wanted.length && dims.every((list, dim) => sameParts(list, wanted[dim] ?? []));
  return withReduced(operator, plan, matches, span, diagnostics);
}

function partsIn(dim: WrittenAxes, spec: LayoutSpec, mesh: DeviceMesh): readonly Part[] {
  return dim.axes.map(({ name }): Part => {
    const isVirtual = !mesh.axes.some((axis) => axis.name === name);
    return isVirtual
      ? { kind: "pieces", count: spec.deviceMatrix.at(-1) ?? 1 }
      : wholeAxis(mesh, name);
  });
}

/** Adds the `out_strategy`: combined in place, or scattered over dim 0; anything else is refused. */
function withReduced(
  operator: Operator,
  plan: OperatorPlan,
  matches: (dims: readonly (readonly Part[])[]) => boolean,
  span: Span,
  diagnostics: Diagnostic[],
): OperatorPlan {
  const [output] = operator.outputs;
  if (output === undefined) return plan;
  const produced = producedLayout(operator, output, plan);
  const contracted = operator.axes
    .filter(({ name, reduction }) => reduction === "+" && !mentions(output, name))
    .flatMap(({ name }) => plan.strategy.cuts[name] ?? []);
  const reduced = reducedLayout(produced, contracted, matches);
  const uneven = reduced && unevenDim(operator, output, reduced);
  if (uneven !== undefined) {
    diagnostics.push(refuse(span, uneven));
    return plan;
  }
  if (reduced !== undefined) return { ...plan, reduced };
  diagnostics.push(
    refuse(
      span,
      `the out_strategy of "${operator.name}" is neither its result combined in place nor scattered over dim 0`,
    ),
  );
  return plan;
}

/** Why the result of an operator cannot lie as its out_strategy says, if it cannot. */
function unevenDim(operator: Operator, output: Operand, layout: Layout): string | undefined {
  for (const [dim, { parts }] of layout.dims.entries()) {
    const names = output.dims[dim]?.identifiers ?? [];
    const sizes = names.map((name) => operator.axes.find((axis) => axis.name === name)?.size ?? 1);
    const size = sizes.reduce((product, each) => product * each, 1);
    const pieces = piecesOf(parts);
    if (size % pieces !== 0) {
      return `dim ${dim} of "${operator.name}" has ${size} elements, which cannot be divided into ${pieces} equal pieces`;
    }
  }
  return undefined;
}

function piecesOf(parts: readonly Part[]): number {
  return parts.reduce(
    (product, part) => product * (part.kind === "axis" ? part.size : part.count),
    1,
  );
}

function refuse(span: Span, message: string): Diagnostic {
  return {
    code: "mindspore/strategy-refused",
    severity: "error",
    message,
    span,
    upstream: "RuntimeError",
  };
}

function sameParts(a: readonly Part[], b: readonly Part[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, index) => number === b[index]);
}
