import { groupsOf } from "#core/collective";
import { bytesOf, type Tensor } from "#core/ir";
import { type Layout, replicationOf } from "#core/mesh";
import { flatSteps, type SpmdProgram } from "#core/program";
import { priceSteps } from "#core/reshard";
import {
  type EdgeFigures,
  type EdgeRow,
  gradientsIn,
  nothingSent,
  type OwnGradient,
  whyItDiffers,
} from "#systems/system";
import { mindsporeSteps, ownCause } from "./steps.ts";

/**
 * Rows of MindSpore's mirror operators (mindspore.md §5): for every parameter that an operator
 * reads, the gradient is summed once over all devices that hold the same slice, including copies of
 * the calculation. Without a backward pass in the text the rows are asides: what training would
 * add.
 */
export function mirrorRows(program: SpmdProgram): readonly EdgeRow[] {
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const isTrained = program.graph.operators.some(({ phase }) => phase === "backward");
  const ours = gradientsIn(program);
  const reads = flatSteps(program).flatMap((step) =>
    step.kind === "local" && step.phase === "forward" ? step.inputs : [],
  );
  const done = new Set<string>();
  return reads.flatMap((id): readonly EdgeRow[] => {
    const value = values.get(id);
    const tensor = value && tensors.get(value.tensor);
    if (value?.role !== "parameter" || tensor === undefined) return [];
    if (done.has(tensor.id)) return [];
    done.add(tensor.id);
    const own = ours.get(`${tensor.name}.grad`);
    const row = mirrorRow(tensor, value.layout, own, isTrained);
    return row === undefined ? [] : [row];
  });
}

function mirrorRow(
  tensor: Tensor,
  layout: Layout,
  own: OwnGradient | undefined,
  isTrained: boolean,
): EdgeRow | undefined {
  const copies = replicationOf(layout);
  if (copies.length === 0) return undefined;
  const step = {
    collective: "all-reduce",
    moves: copies.map((part) => ({ part })),
    groups: groupsOf(layout.mesh, copies),
    before: { ...layout, partials: copies.map((part) => ({ part, reduce: "sum" as const })) },
    after: layout,
  } as const;
  const options = { bytesPerElement: bytesOf(tensor.dtype) };
  const { steps: priced, bytes, seconds } = priceSteps([step], tensor.shape, options);
  const words = "_MirrorOperator";
  const steps = priced.map(({ collective, axes }) => ({ collective, axes, words }));
  const ours = own?.figures ?? { steps: [], bytes: 0, seconds: 0 };
  const why = whyMirrored(ours, { steps, bytes, seconds }, own !== undefined, isTrained);
  return {
    kind: "edge",
    tensor: tensor.id,
    name: tensor.name,
    reason: "gradient",
    ...(own !== undefined && { redistribution: own.index }),
    ours,
    theirs: { ...nothingSent(mindsporeSteps, why), steps, bytes, seconds },
    phase: "backward",
    count: 1,
    ...(!isTrained && { isAside: true as const }),
  };
}

function whyMirrored(
  ours: EdgeFigures,
  theirs: EdgeFigures,
  hasOwn: boolean,
  isTrained: boolean,
): string {
  if (!isTrained) {
    return "In training only: the gradient is summed over all devices that hold the same slice.";
  }
  if (!hasOwn) {
    return "MindSpore sums a gradient over every device that holds the same slice, copies of the same calculation too; ours knows that those are equal.";
  }
  const facts = { isPartial: false, isAcross: false, codes: [] };
  return whyItDiffers(ownCause, ours, theirs, facts);
}
