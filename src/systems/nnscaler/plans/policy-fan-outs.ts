import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, Tensor } from "#core/ir";
import { type Slice, slicesOf } from "#core/mesh";
import { type OperatorPlan, wantedLayout } from "#core/plan";
import type { BuiltGraph } from "#language/document/graph";
import type { Trace } from "#language/document/trace";
import { type FanOutFault, fanOutFault, type Reader, weightGradient } from "../fan-out.ts";

/**
 * Warnings for tensors with several readers whose gradients nnScaler could not accumulate under a
 * policy: it raises before it runs anything, while the plan can be drawn (dimops.md §3). A policy
 * that calls `graph.multiref` is not checked.
 */
export function policyFanOuts(
  trace: Trace,
  built: BuiltGraph,
  plans: ReadonlyMap<OperatorId, OperatorPlan>,
): readonly Diagnostic[] {
  if (trace.partitions.length === 0 || trace.multiref === true) return [];
  return built.graph.tensors.flatMap((tensor): readonly Diagnostic[] => {
    const readers = readersOf(tensor, built, plans);
    const fault = readers.length < 2 ? undefined : faultOf(tensor, readers);
    if (fault === undefined) return [];
    const span = trace.policySpan ?? trace.partitions[0]?.span;
    return [
      {
        code: "nnscaler/needs-multiref",
        severity: "warning",
        message: fault.message,
        upstream: fault.kind,
        ...(span !== undefined && { span }),
      },
    ];
  });
}

interface BlockReader extends Reader {
  readonly slices: readonly Slice[];
}

/** nnScaler's nodes that read a tensor, under their plans. */
function readersOf(
  tensor: Tensor,
  { operatorOf }: BuiltGraph,
  plans: ReadonlyMap<OperatorId, OperatorPlan>,
): readonly BlockReader[] {
  return [...operatorOf].flatMap(([traced, operator]) => {
    const plan = plans.get(operator.id);
    const operand = operator.inputs.find((each) => each.tensor === tensor.id);
    if (plan === undefined || operand === undefined || traced.primitive !== undefined) return [];
    const slices = slicesOf(wantedLayout(operand, plan), tensor.shape);
    const blocks = slices.map(({ device, ranges }) => `${device}:${rangesText(ranges)}`).join(";");
    const isPartitioned = Object.values(plan.strategy.cuts).some((parts) => parts.length > 0);
    return [{ operator: operator.name, blocks, isPartitioned, slices }];
  });
}

function rangesText(ranges: Slice["ranges"]): string {
  return ranges.map(({ start, stop }) => `${start}-${stop}`).join(",");
}

/** The fault of a tensor's readers; inputs of the program need no gradient. */
function faultOf(tensor: Tensor, readers: readonly BlockReader[]): FanOutFault | undefined {
  if (tensor.role === "activation") return fanOutFault(tensor.name, readers);
  if (tensor.role !== "parameter") return undefined;
  const slicesBy = new Map(readers.map(({ blocks, slices }) => [blocks, slices]));
  const gradient = weightGradient(tensor.name, readers, (one, other) =>
    overlapInPart(slicesBy.get(one) ?? [], slicesBy.get(other) ?? []),
  );
  return gradient.kind === "refused" ? gradient.fault : undefined;
}

function overlapInPart(one: readonly Slice[], other: readonly Slice[]): boolean {
  return one.some(({ ranges }) =>
    other.some(
      (slice) =>
        rangesText(slice.ranges) !== rangesText(ranges) &&
        ranges.every(({ start, stop }, dim) => {
          const theirs = slice.ranges[dim];
          return theirs !== undefined && start < theirs.stop && theirs.start < stop;
        }),
    ),
  );
}
