import type { Diagnostic } from "#core/diagnostics";
import type { IndexAxis, Operator, OperatorId } from "#core/ir";
import type { DeviceMesh, Part } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import { arrange, type BuiltGraph } from "#language/document/graph";
import type { PolicyPartition, StrategyCall, Trace } from "#language/document/trace";
import { assignmentOf } from "../assigned-levels.ts";

/** Maximum number of unassigned operators for which autodist's choice is reported. */
const mostChoices = 4;

/** The plans of operators under a policy and nnScaler's defaults. */
export interface PolicyPlans {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  /** The diagnostics for the operators that the text itself splits (`set`). */
  readonly diagnostics: (set: ReadonlyMap<OperatorId, StrategyCall>) => readonly Diagnostic[];
}

/**
 * A policy's partitions as plans. Operators that the policy leaves unassigned, or that nnScaler
 * cannot split, run whole. A primitive of MindSpore is no node of nnScaler's; it follows
 * MindSpore's rules.
 */
export function policyPlans(trace: Trace, built: BuiltGraph, mesh: DeviceMesh): PolicyPlans {
  const plans = new Map<OperatorId, OperatorPlan>();
  const faults: Diagnostic[] = [];
  const unassigned = trace.unassigned.filter(({ primitive }) => primitive === undefined);
  for (const [traced, operator] of built.operatorOf) {
    const isWhole = traced.isReplicated === true || unassigned.includes(traced);
    if (isWhole) plans.set(operator.id, wholePlan(mesh));
  }
  for (const partition of trace.partitions) {
    const operator = built.operatorOf.get(partition.operator);
    if (operator === undefined) continue;
    const plan = planOf(partition, mesh, faults);
    plans.set(operator.id, plan ?? wholePlan(mesh));
  }
  const diagnostics = (set: ReadonlyMap<OperatorId, StrategyCall>) => {
    const alone = unassigned.flatMap((traced) => {
      const operator = built.operatorOf.get(traced);
      return operator === undefined || set.has(operator.id) ? [] : [operator];
    });
    return alone.length === 0 ? faults : [...faults, leftAlone(alone, trace, mesh)];
  };
  return { plans, diagnostics };
}

function wholePlan(mesh: DeviceMesh): OperatorPlan {
  return { strategy: { cuts: {}, carry: [] }, mesh, status: "assumed" };
}

function planOf(
  { levels, pieces, operator, span }: PolicyPartition,
  mesh: DeviceMesh,
  faults: Diagnostic[],
): OperatorPlan | undefined {
  const assigned = assignmentOf(levels, pieces, mesh.devices);
  if (typeof assigned === "string") {
    const reasons = {
      uneven: `its ${pieces.length} pieces cannot be shared evenly by ${mesh.devices.length} devices`,
      several: "several of its pieces are on one device while others have none",
      unsayable: "its pieces lie on the devices in an order that no layout says",
      "unknown-device": "a piece is on a device that is not in the mesh",
    };
    faults.push({
      code: "nnscaler/assignment",
      severity: "warning",
      message: `"${operator.op}" is shown replicated: ${reasons[assigned]}`,
      span,
    });
    return undefined;
  }
  const { factors, devices } = assigned;
  const between = factors.filter(({ isOnDevice }) => !isOnDevice);
  const copies = mesh.devices.length / between.reduce((all, { count }) => all * count, 1);
  const sizes = [...between.map(({ count }) => count), ...(copies > 1 ? [copies] : [])];
  const arranged = arrange(mesh, sizes, devices);
  const cuts: Record<string, readonly Part[]> = {};
  for (const factor of factors) {
    const identifier = levels[factor.level]?.identifier;
    if (identifier === undefined) continue;
    const parts = factor.isOnDevice
      ? [{ kind: "pieces" as const, count: factor.count }]
      : (arranged.parts[between.indexOf(factor)] ?? []);
    cuts[identifier] = [...(fieldOf(cuts, identifier) ?? []), ...parts];
  }
  return { strategy: { cuts, carry: [] }, mesh: arranged.mesh, status: "set", span };
}

function leftAlone(
  operators: readonly Operator[],
  { policySpan }: Trace,
  mesh: DeviceMesh,
): Diagnostic {
  const names = operators.map(({ name }) => `"${name}"`);
  return {
    code: "nnscaler/unassigned-node",
    severity: "warning",
    message: `the policy leaves ${names.join(", ")} without a device: shown replicated, but nnScaler needs graph.assign for every node`,
    ...(policySpan !== undefined && { span: policySpan }),
    upstream: "RuntimeError",
    related: operators.slice(0, mostChoices).flatMap((operator) => choicesOf(operator, mesh)),
  };
}

/** Autodist's choices for an operator that a policy leaves unassigned, as related messages. */
function choicesOf(
  operator: Operator,
  { devices }: DeviceMesh,
): NonNullable<Diagnostic["related"]> {
  const options = autodistOptions(operator, devices.length);
  if (operator.span === undefined || devices.length === 1) return [];
  const split = options.length === 0 ? "" : `, or split it along ${options.join(", ")}`;
  return [
    {
      message: `autodist would replicate "${operator.name}" on all ${devices.length} devices${split}`,
      span: operator.span,
    },
  ];
}

/**
 * The identifiers along which autodist would split an operator over all devices, besides
 * replicating it (dimops.md §7): those that are not frozen, occur in an input and divide evenly.
 * Autodist also enumerates splits along two identifiers, but filters them out.
 *
 * @internal
 */
export function autodistOptions(
  { axes, inputs }: Pick<Operator, "axes" | "inputs">,
  devices: number,
): readonly string[] {
  const isRead = ({ name }: IndexAxis) =>
    inputs.some(({ dims }) => dims.some(({ splittable }) => splittable === name));
  return axes
    .filter((axis) => axis.reduction !== "^" && axis.size % devices === 0 && isRead(axis))
    .map(({ name }) => name);
}
