import type { Span } from "#core/diagnostics";
import type { OperatorId, Status, TensorId } from "#core/ir";
import type { DeviceMesh, DimLayout, Layout, Part } from "#core/mesh";
import type { Microbatches } from "./microbatches.ts";

/** How an operator is split: mesh parts per index axis, outermost first; absent = not cut. */
export interface Strategy {
  readonly cuts: Readonly<Record<string, readonly Part[]>>;
  /** Lengths of the pieces of a cut index axis, in order, where they are not those of the ceiling. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>;
  /** Parts over which a partial operand passes through. */
  readonly carry: readonly Part[];
}

/**
 * What an operator does because the text says so, though its own rule says otherwise: it is run
 * that way and never repaired, so that its values may differ from those of the unsharded program
 * (program.md, `unverified`).
 */
export interface Unverified {
  /** The attribute that says so, e.g. `cross_batch`. */
  readonly rule: string;
  /** Index axes that are cut beside the strategy: nothing is combined over their parts. */
  readonly axes?: Readonly<Record<string, DimLayout>>;
  /**
   * Operands that lie as written, by tensor. Each device then runs the operator on its own blocks
   * alone, as if they were whole tensors.
   */
  readonly layouts?: ReadonlyMap<TensorId, Layout>;
}

/** The strategy of one operator, on its own arrangement of the devices when it has one. */
export interface OperatorPlan {
  readonly strategy: Strategy;
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  /** Where an operator that reduces inside leaves its result, when not simply combined. */
  readonly reduced?: Layout;
  readonly unverified?: Unverified;
}

/** How an input, parameter or placed tensor lies. */
export interface Placement {
  readonly layout: Layout;
  readonly status: Status;
  readonly span?: Span;
}

/** Which steps redistributions of a tensor take, where that is not the default (design.md §4). */
export interface ReshardRequest {
  /** The name of a tensor, or names with `*`. */
  readonly target: string;
  /** How many of them communicate, as a plan of our own front; or the system whose own they are. */
  readonly steps: number | string;
  /** Only for redistributions to this layout. */
  readonly to?: Layout;
  readonly span?: Span;
}

/** A strategy per operator and a layout per input and parameter (design.md §1). */
export interface Plan {
  readonly mesh: DeviceMesh;
  readonly operators: ReadonlyMap<OperatorId, OperatorPlan>;
  /** Layouts at rest of inputs and parameters; of activations only where the text places them. */
  readonly placements: ReadonlyMap<TensorId, Placement>;
  /** In the order of the text; `reshardRequestOf` says which counts. */
  readonly reshards?: readonly ReshardRequest[];
  /** How results have to end, where they are not just combined. */
  readonly ends?: ReadonlyMap<TensorId, Layout>;
  /** How a training step runs on one part of the batch after the other. */
  readonly microbatches?: Microbatches;
  /** Parameters that are gathered again for the backward pass of every operator that reads them. */
  readonly gatheredAgain?: ReadonlySet<TensorId>;
}
