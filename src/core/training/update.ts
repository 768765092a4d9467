import { entryOf, type Tensor, type TensorId } from "#core/ir";
import { type Layout, sameBlocks } from "#core/mesh";
import type { Gradients } from "./gradients.ts";
import { bindOrThrow, layoutPlan } from "./new-call.ts";
import { heldTypes, optimizerStates } from "./precision.ts";
import { splitFurther } from "./split-further.ts";
import type { Training } from "./training.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/** A parameter with its complete gradient, and the layout in which its update works. */
export interface Trained {
  readonly parameter: Tensor;
  readonly gradient: TensorId;
  readonly layout: Layout | undefined;
  /** Whether it rests in smaller blocks than its readers need, so that it is gathered for them. */
  readonly isGathered: boolean;
}

/**
 * Chooses the layout in which a parameter is updated, once its gradient is known: the layout at
 * rest or, with ZeRO, blocks that are also split over the axes that the gradient is summed over.
 *
 * With `zero` 3 the parameter itself is split in this way. The gradient is combined at once without
 * ZeRO and with `zero` 2 or 3; with `zero` 1 it is combined when the update reads it. With
 * microbatches a gradient is added to the earlier ones. With `zero` 2 and 3 this happens after
 * combining, so that the sum is split too, else before, so that it is combined once (planner.md
 * §6.3).
 */
export function trained(
  draft: TrainingGraphBuilder,
  gradients: Gradients,
  parameter: Tensor,
  { zero, microbatches = 1, ...policy }: Training,
): Trained {
  const { gradient: dtype } = heldTypes(policy, parameter.dtype);
  const isSummed = microbatches > 1;
  const total = gradients.total(parameter.id);
  const isMain = dtype !== parameter.dtype && !isSummed;
  const made = isMain ? gradients.cast(parameter.id, total, dtype) : total;
  const { tensor: fresh, layout: left } = made;
  const placed = draft.placements.get(parameter.id);
  const summed = left?.partials.map(({ part }) => part) ?? [];
  const layout = placed && atUpdate(placed.layout, parameter, summed, zero);
  if (layout !== undefined) castThere(draft, parameter, made.tensor, layout, { zero, ...policy });
  const isEarly = zero >= 2;
  if (layout !== undefined && isEarly) place(draft, fresh, layout);
  const gradient = isSummed
    ? gradients.accumulate(parameter.id, fresh, isEarly ? layout : left, dtype)
    : fresh;
  if (layout !== undefined && zero === 0) place(draft, gradient, layout);
  if (placed === undefined || layout === undefined || zero !== 3) {
    return { parameter, gradient, layout, isGathered: false };
  }
  draft.placements.set(parameter.id, { ...placed, layout });
  const isGathered = !sameBlocks(placed.layout, layout, parameter.shape);
  return { parameter, gradient, layout, isGathered };
}

/**
 * Casts a parameter that is cut before it is gathered, each device its own piece. If gradients are
 * summed in the low type, the sum is cast back.
 */
function castThere(
  draft: TrainingGraphBuilder,
  { id }: Tensor,
  gradient: TensorId,
  layout: Layout,
  { zero, precision, reduces = "f32" }: Pick<Training, "zero" | "precision" | "reduces">,
): void {
  if (zero === 3) {
    for (const cast of draft.castsOf(id)) draft.plans.set(cast.id, layoutPlan(cast, layout));
  }
  const maker = precision === "fsdp" && reduces !== "f32" ? draft.operatorOf(gradient) : undefined;
  if (maker?.entry === "cast") draft.plans.set(maker.id, layoutPlan(maker, layout));
}

function atUpdate(
  layout: Layout,
  { shape }: Tensor,
  summed: Parameters<typeof splitFurther>[2],
  zero: Training["zero"],
): Layout {
  return zero === 0 ? layout : splitFurther(layout, shape, summed);
}

function place(draft: TrainingGraphBuilder, tensor: TensorId, layout: Layout): void {
  draft.placements.set(tensor, { layout, status: "inferred" });
}

/**
 * The update of one parameter, in place, or of its master copy where the policy of data types has one
 * (planner.md §6.3). Returns the results.
 */
export function addUpdate(
  draft: TrainingGraphBuilder,
  { parameter, gradient, layout }: Trained,
  { optimizer, numbers, ...policy }: Training,
): readonly TensorId[] {
  const entry = entryOf(optimizer);
  if (entry === undefined) throw new Error(`the library has no "${optimizer}"`);
  const { hasMaster, state: dtype } = heldTypes(policy, parameter.dtype);
  const typed = dtype === parameter.dtype ? {} : { dtype };
  const names = [...(hasMaster ? ["master"] : []), ...optimizerStates[optimizer]];
  const state = names.map((name) =>
    draft.addTensor(`${parameter.name}.${name}`, parameter, { role: "state", ...typed }),
  );
  const [first = parameter, ...rest] = hasMaster ? state : [parameter, ...state];
  const call = bindOrThrow(
    {
      entry,
      inputs: [first, draft.tensorOf(gradient), ...rest],
      attributes: { master: hasMaster, ...numbers },
      phase: "update",
      givesScalars: parameter.shape.length === 0,
    },
    draft.calls,
  );
  const results = [parameter, ...state].map((old) =>
    draft.addTensor(`${old.name}.new`, old, { role: old.role, replaces: old.id }),
  );
  const operator = call.operator(results.map(({ id }) => id));
  draft.add(operator, layout && layoutPlan(operator, layout));
  const placed = draft.placements.get(parameter.id);
  const [updated] = results;
  if (placed !== undefined && updated !== undefined) {
    draft.placements.set(updated.id, { layout: placed.layout, status: "inferred" });
  }
  return results.map(({ id }) => id);
}
