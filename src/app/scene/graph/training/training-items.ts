import type { Operator, Tensor, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import type { BlockRun } from "../canvas-blocks.ts";

/** A card of a training step, or equal ones as one: of gradients, or of updates. */
export interface TrainingItem {
  readonly key: string;
  readonly kind: "gradient" | "update";
  /** The row of the forward program that it belongs to. */
  readonly row: number;
  /** One operator, or several where the card stands for folded equal blocks. */
  readonly operators: readonly Operator[];
  /** The folded runs that it stands for. */
  readonly runs: readonly BlockRun[];
  /** What is drawn of its results: of gradients those that others read. */
  readonly results: readonly TensorId[];
  /** What an update keeps beside its parameter. */
  readonly states: readonly TensorId[];
  /** Of folded blocks: what is sent inside. */
  readonly inside: readonly Redistribution[];
}

/** Where a redistribution of a training step stands. */
export interface TrainingBadge {
  readonly redistribution: Redistribution;
  /** The key of the item beside which it stands. */
  readonly host: string;
  /** `before` an item that reads the value, `behind` the item that makes it. */
  readonly side: "before" | "behind";
}

/** A value on its way through a training step, by the keys of items, seeds and badges. */
export interface TrainingEdge {
  readonly from: string;
  readonly to: string;
  readonly tensor: TensorId;
}

/** What comes with the training of a program, by the rows of the forward program. */
export interface TrainingFlow {
  /** In the order in which they run. */
  readonly items: readonly TrainingItem[];
  /** Gradients that are given: of the loss; each with its first reader. */
  readonly seeds: readonly { readonly tensor: Tensor; readonly reader: string }[];
  readonly badges: readonly TrainingBadge[];
  readonly edges: readonly TrainingEdge[];
}

/** The key of a redistribution among the items of training. */
export function badgeKey(redistribution: number): string {
  return `badge ${redistribution}`;
}

/** The key of a given gradient among the items of training. */
export function seedKey(tensor: TensorId): string {
  return `seed ${tensor}`;
}
