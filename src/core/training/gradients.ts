import { entryOf, type Operator, type Tensor, type TensorId } from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import { groupedBy } from "#core/records";
import { bindOrThrow, layoutPlan } from "./new-call.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/** One reader's contribution to a tensor's gradient, and its layout. */
export interface Contribution {
  readonly tensor: TensorId;
  /** `undefined` if propagation chooses the strategy. */
  readonly layout: Layout | undefined;
}

/**
 * Contributions to the gradients of tensors. Those with equal layouts are added before they are
 * combined, so that partial sums of one tensor meet in one collective; the others after.
 */
export class Gradients {
  private readonly draft: TrainingGraphBuilder;
  private readonly ownLayout: (tensor: TensorId) => Layout | undefined;
  private readonly parts = new Map<TensorId, readonly Contribution[]>();

  /**
   * @param ownLayout the layout in which a tensor's gradient is added up; if absent, the layout of
   * its operator's result
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

  /** The whole gradient of a tensor: the sum of its readers' contributions; zeros without any. */
  total(tensor: TensorId): Contribution {
    const parts = this.parts.get(tensor) ?? [this.zeros(tensor)];
    const sums = alike(parts).map((group) =>
      group.reduce((sum, part) => this.sum(tensor, sum, part, sum.layout)),
    );
    const total = sums.reduce((sum, part) => this.sum(tensor, sum, part, undefined));
    this.parts.set(tensor, [total]);
    return total;
  }

  /** The sum of two contributions: in their layout if it is the same, else in the tensor's own. */
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

  /** Sum of a gradient over all micro-batches, in the layout of the gradient. */
  accumulate(
    of: TensorId,
    fresh: TensorId,
    layout: Layout | undefined,
    dtype: Tensor["dtype"],
  ): TensorId {
    return this.elementWise("accumulate", of, [this.draft.tensorOf(fresh)], layout, dtype);
  }

  /**
   * A contribution cast to the data type of its tensor, or to the given one, in the same layout.
   */
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
    const call = bindOrThrow(
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

/** Contributions in groups of equal layout. */
function alike(parts: readonly Contribution[]): readonly (readonly Contribution[])[] {
  const groups = groupedBy(parts, (part) =>
    part.layout === undefined ? "" : layoutKey(part.layout),
  );
  return [...groups.values()];
}
