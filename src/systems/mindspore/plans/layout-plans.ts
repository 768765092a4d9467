import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { blockCount, type DeviceMesh, type Part, wholeAxis } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import { meshFor } from "#language/document/graph";
import type { LayoutSpec, LayoutStrategy, WrittenAxes } from "#language/document/trace";
import { unequalLists } from "../out-strategy.ts";
import { refuse, withReduced } from "./reduced-plan.ts";

type Cuts = Readonly<Record<string, readonly Part[]>>;

/**
 * The plan of an operator with a strategy of Layouts; `undefined` with a diagnostic if MindSpore
 * refuses it (mindspore.md §5.1).
 */
export function layoutPlan(
  operator: Operator,
  strategy: LayoutStrategy,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const { span } = strategy;
  const spec = strategy.inputs[0]?.spec;
  if (spec === undefined || strategy.inputs.length !== operator.inputs.length) {
    const message = `the strategy of "${operator.name}" has ${strategy.inputs.length} layouts for ${operator.inputs.length} inputs`;
    diagnostics.push(refuse(span, message));
    return undefined;
  }
  const own = meshFor(spec, mesh);
  const lists = (dims: readonly WrittenAxes[]) => dims.map((dim) => partsIn(dim, spec, own));
  const cuts = cutsOf(
    operator,
    strategy.inputs.map(({ dims }) => lists(dims)),
  );
  const fault = typeof cuts === "string" ? cuts : indivisible(operator, cuts);
  if (typeof cuts === "string" || fault !== undefined) {
    diagnostics.push(refuse(span, fault ?? ""));
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

/** The parts of each index axis, or a message on layouts that do not fit together. */
function cutsOf(
  operator: Operator,
  inputs: readonly (readonly (readonly Part[])[])[],
): Cuts | string {
  const cuts: Record<string, readonly Part[]> = {};
  for (const [index, operand] of operator.inputs.entries()) {
    const parts = inputs[index] ?? [];
    if (parts.length !== operand.dims.length) {
      return `layout ${index + 1} of the strategy of "${operator.name}" has ${parts.length} dims, but its input has ${operand.dims.length}`;
    }
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const list = parts[dim] ?? [];
      const known = splittable === undefined ? [] : fieldOf(cuts, splittable);
      if (known !== undefined && !sameParts(known, list)) {
        return unequalLists(operator, splittable, dim, index);
      }
      if (splittable !== undefined) cuts[splittable] = list;
    }
  }
  return cuts;
}

function indivisible(operator: Operator, cuts: Cuts): string | undefined {
  const axis = operator.axes.find(
    ({ name, size }) => size % blockCount(fieldOf(cuts, name) ?? []) !== 0,
  );
  if (axis === undefined) return undefined;
  const pieces = blockCount(fieldOf(cuts, axis.name) ?? []);
  return `"${axis.name}" of "${operator.name}" has ${axis.size} elements, which cannot be divided into ${pieces} equal pieces`;
}

/** The mesh parts of the axes that a called layout names for a dim; a virtual axis gives pieces. */
export function partsIn(dim: WrittenAxes, spec: LayoutSpec, mesh: DeviceMesh): readonly Part[] {
  return dim.axes.map(({ name }): Part => {
    const isVirtual = !mesh.axes.some((axis) => axis.name === name);
    return isVirtual
      ? { kind: "pieces", count: spec.deviceMatrix.at(-1) ?? 1 }
      : wholeAxis(mesh, name);
  });
}

function sameParts(a: readonly Part[], b: readonly Part[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
