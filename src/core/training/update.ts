import { bytesOf, entryOf, type Tensor, type TensorId } from "#core/ir";
import { type Layout, sameBlocks } from "#core/mesh";
import type { Gradients } from "./gradients.ts";
import { bindSure, layoutPlan } from "./new-call.ts";
import { splitFurther } from "./split-further.ts";
import type { Optimizer, Training } from "./training.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/** What each optimizer keeps per parameter between steps, beside a master copy. */
const states: Readonly<Record<Optimizer, readonly string[]>> = {
  sgd: [],
  momentum: ["m"],
  adam: ["m", "v"],
  adamw: ["m", "v"],
};

/** A parameter whose gradient is whole, and where its update works. */
export interface Trained {
  readonly parameter: Tensor;
  readonly gradient: TensorId;
  readonly layout: Layout | undefined;
  /** Rests in smaller blocks than its readers have: they gather it. */
  readonly isGathered: boolean;
}

/**
 * Where the update of a parameter works, decided when its gradient is there: at rest, or (zero) on
 * blocks that are also split over the axes which the gradient is summed over.
 *
 * With `zero` 3 the parameter itself lies so; with 2, and without zero, the gradient is combined
 * at once, with 1 when the update reads it. With micro-batches a gradient is added to those of the
 * earlier ones: with 2 and 3 after it is combined, so that the sum lies split too, else before, so
 * that it is combined once (planner.md §6.3).
 */
export function trained(
  draft: TrainingGraphBuilder,
  gradients: Gradients,
  parameter: Tensor,
  { zero, microbatches = 1 }: Training,
): Trained {
  const { tensor: fresh, layout: left } = gradients.total(parameter.id);
  const placed = draft.placements.get(parameter.id);
  const summed = left?.partials.map(({ part }) => part) ?? [];
  const layout = placed && atUpdate(placed.layout, parameter, summed, zero);
  const isEarly = zero >= 2;
  if (layout !== undefined && isEarly) place(draft, fresh, layout);
  const gradient =
    microbatches > 1 ? gradients.accumulate(parameter.id, fresh, isEarly ? layout : left) : fresh;
  if (layout !== undefined && zero === 0) place(draft, gradient, layout);
  if (placed === undefined || layout === undefined || zero !== 3) {
    return { parameter, gradient, layout, isGathered: false };
  }
  draft.placements.set(parameter.id, { ...placed, layout });
  const isGathered = !sameBlocks(placed.layout, layout, parameter.shape);
  return { parameter, gradient, layout, isGathered };
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
 * The update of one parameter, in place. A parameter of two bytes has a master copy in f32, which
 * is what the optimizer works on (planner.md §6.3). Returns the results.
 */
export function addUpdate(
  draft: TrainingGraphBuilder,
  { parameter, gradient, layout }: Trained,
  { optimizer, numbers }: Pick<Training, "optimizer" | "numbers">,
): readonly TensorId[] {
  const entry = entryOf(optimizer);
  if (entry === undefined) throw new Error(`the library has no "${optimizer}"`);
  const hasMaster = bytesOf(parameter.dtype) < 4;
  const names = [...(hasMaster ? ["master"] : []), ...states[optimizer]];
  const state = names.map((name) =>
    draft.addTensor(`${parameter.name}.${name}`, parameter, { role: "state", dtype: "f32" }),
  );
  const [first = parameter, ...rest] = hasMaster ? state : [parameter, ...state];
  const call = bindSure(
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
