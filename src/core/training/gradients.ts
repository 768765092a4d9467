import { entryOf, type Operator, type Tensor, type TensorId } from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import { groupedBy } from "#core/records";
import { bindSure, layoutPlan } from "./new-call.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/** What one reader of a tensor contributes to its gradient, and how its operator leaves it. */
export interface Contribution {
  readonly tensor: TensorId;
  /** Unknown where propagation chooses the strategy. */
  readonly layout: Layout | undefined;
}

/**
 * Contributions to the gradients of tensors. Those that lie alike are added before they are
 * combined, so partial sums of one tensor meet in one collective; the others after.
 */
export class Gradients {
  private readonly draft: TrainingGraphBuilder;
  private readonly ownLayout: (tensor: TensorId) => Layout | undefined;
  private readonly parts = new Map<TensorId, readonly Contribution[]>();

  /**
   * @param ownLayout where the gradient of a tensor is added up; as its operator leaves it when
   * unsaid
   */
  constructor(
    draft: TrainingGraphBuilder,
    ownLayout = (tensor: TensorId) => draft.ownLayout(tensor),
  ) {
    this.draft = draft;
    this.ownLayout = ownLayout;
  }

  has(tensor: TensorId): boolean {
    return this.parts.has(tensor);
  }

  contribute(tensor: TensorId, part: Contribution): void {
    this.parts.set(tensor, [...(this.parts.get(tensor) ?? []), part]);
  }

  /** The whole gradient of a tensor: the sum of what its readers contribute; zeros without any. */
  total(tensor: TensorId): Contribution {
    const parts = this.parts.get(tensor) ?? [this.zeros(tensor)];
    const sums = alike(parts).map((group) =>
      group.reduce((sum, part) => this.sum(tensor, sum, part, sum.layout)),
    );
    const total = sums.reduce((sum, part) => this.sum(tensor, sum, part, undefined));
    this.parts.set(tensor, [total]);
    return total;
  }

  /** Adds two contributions: as they lie when both lie alike, else as the tensor itself does. */
  private sum(
    of: TensorId,
    a: Contribution,
    b: Contribution,
    common: Layout | undefined,
  ): Contribution {
    const layout = common ?? this.ownLayout(of);
    const inputs = [a, b].map((part) => this.draft.tensorOf(part.tensor));
    return { tensor: this.elementWise("add", of, inputs, layout), layout };
  }

  /** The sum of a gradient over all micro-batches, in the layout in which the gradient lies. */
  accumulate(
    of: TensorId,
    fresh: TensorId,
    layout: Layout | undefined,
    dtype: Tensor["dtype"],
  ): TensorId {
    return this.elementWise("accumulate", of, [this.draft.tensorOf(fresh)], layout, dtype);
  }

  /** A contribution in the data type of its tensor, or in another one, as it lies. */
  cast(of: TensorId, from: Contribution, dtype?: Tensor["dtype"]): Contribution {
    const read = [this.draft.tensorOf(from.tensor)];
    const { layout } = from;
    return { tensor: this.elementWise("cast", of, read, layout, dtype), layout };
  }

  private zeros(of: TensorId): Contribution {
    const layout = this.draft.ownLayout(of);
    return {
      tensor: this.elementWise("zeros_like", of, [this.draft.tensorOf(of)], layout),
      layout,
    };
  }

  private elementWise(
    op: string,
    of: TensorId,
    inputs: readonly Tensor[],
    layout: Layout | undefined,
    dtype = this.draft.tensorOf(of).dtype,
  ): TensorId {
    const entry = entryOf(op);
    if (entry === undefined) throw new Error(`the library has no "${op}"`);
    const like = this.draft.tensorOf(of);
    const maker = this.draft.makerOf(of);
    const call = bindSure(
      {
        entry,
        inputs,
        attributes: op === "cast" ? { dtype } : {},
        phase: "backward",
        givesScalars: like.shape.length === 0,
        ...(maker !== undefined && { of: maker }),
      },
      this.draft.calls,
    );
    const name = `${like.name}.grad${op === "accumulate" ? ".sum" : ""}`;
    const result = this.draft.addTensor(name, like, {
      role: "gradient",
      gradientOf: of,
      ...(dtype !== like.dtype && { dtype }),
    });
    const operator: Operator = { ...call.operator([result.id]), reducesInside: false };
    this.draft.add(operator, layout && layoutPlan(operator, layout));
    return result.id;
  }
}

/** Contributions in groups that lie in one layout. */
function alike(parts: readonly Contribution[]): readonly (readonly Contribution[])[] {
  const groups = groupedBy(parts, (part) =>
    part.layout === undefined ? "" : layoutKey(part.layout),
  );
  return [...groups.values()];
}
