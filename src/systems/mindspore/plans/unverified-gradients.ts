import { product } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import { type Layout, slicesOf } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { BuiltGraph } from "#language/document/graph";
import { shapeOf, type TracedOperator } from "#language/document/trace";

/**
 * Warnings for training steps whose gradients pass operators that run unverified: the devices
 * compute other gradients than the unsharded program, whose gradients are shown.
 *
 * Not reported where both agree: for sums that stay unsynchronised, and for reshapes that leave
 * every element on its device.
 */
export function unverifiedGradients(
  built: BuiltGraph,
  plans: ReadonlyMap<OperatorId, OperatorPlan>,
): readonly Diagnostic[] {
  return [...built.operatorOf].flatMap(([traced, { id, name }]): readonly Diagnostic[] => {
    const plan = plans.get(id);
    const why = plan?.unverified && reasonOf(traced, plan);
    if (plan?.unverified === undefined || why === undefined) return [];
    return [
      {
        code: "mindspore/as-given-gradient",
        severity: "warning",
        message: `the gradients that pass "${name}" are those of the unsharded program: under "${plan.unverified.rule}" each device ${why}, so MindSpore's own differ`,
        span: plan.span ?? traced.span,
      },
    ];
  });
}

/**
 * How each device's gradient differs from the unsharded program; `undefined` if the gradients
 * agree.
 */
function reasonOf(traced: TracedOperator, { unverified }: OperatorPlan): string | undefined {
  switch (unverified?.rule) {
    case "cross_batch":
      return ownReduction(traced.op);
    case "skip_redistribution":
      return keepsElements(traced, [...(unverified.layouts?.values() ?? [])])
        ? undefined
        : "reshapes back the block that it holds";
    case "manual_split":
    case "manual_split_with_offset":
      return "adds up only what it looked up in its own rows";
    case "self_define_shard":
      return "passes back through its own blocks alone";
    default:
      return undefined;
  }
}

function ownReduction(op: string): string | undefined {
  if (op === "ReduceSum") return undefined;
  if (op === "ReduceMean") return "divides by the length of its own part";
  return "passes back to the extremes of its own part";
}

/**
 * Whether a reshape of each device's block equals the reshape of the tensor: each device holds the
 * same contiguous run of elements before and after.
 */
function keepsElements(traced: TracedOperator, layouts: readonly Layout[]): boolean {
  const shapes = [...traced.inputs, ...traced.outputs].flatMap((each) =>
    each.kind === "tensor" ? [shapeOf(each)] : [],
  );
  const [from, to] = layouts.map((layout, at) => runsOf(layout, shapes[at] ?? []));
  return from !== undefined && to !== undefined && from.join() === to.join();
}

/**
 * First element and length of every device's block as `start+length`; `undefined` unless each block
 * is one contiguous run.
 */
function runsOf(layout: Layout, shape: readonly number[]): readonly string[] | undefined {
  const strides = shape.map((_, dim) => product(shape.slice(dim + 1)));
  const runs = slicesOf(layout, shape).map(({ ranges }) => {
    const lengths = ranges.map(({ start, stop }) => stop - start);
    const first = lengths.findIndex((length) => length > 1);
    const isRun = lengths.every((length, dim) => dim <= first || length === shape[dim]);
    const start = ranges.reduce((sum, range, dim) => sum + range.start * (strides[dim] ?? 1), 0);
    return isRun || first < 0 ? `${start}+${product(lengths)}` : undefined;
  });
  return runs.every((run) => run !== undefined) ? runs : undefined;
}
