import type { DeviceMesh, Part, ReduceKind } from "#core/mesh";
import type { PrimeSubAxis } from "./prime-sub-axis.ts";

/**
 * One digit of a dim's index: fixed for the whole plan, or a slot that sub-axes enter and leave.
 */
export type Digit =
  | { readonly kind: "kept"; readonly radix: number; readonly subAxis: PrimeSubAxis | undefined }
  | { readonly kind: "slot"; readonly radix: number; readonly slot: number };

/**
 * What stands in every slot (an index of `subAxes`, or `empty`), and the set of partial sub-axes.
 */
export interface State {
  readonly slots: readonly number[];
  /** Bit i is set when sub-axis i is partial. */
  readonly partials: number;
}

/** The number that stands for an empty slot. */
export const empty = -1;

/**
 * Two layouts of one tensor in common digits (redistribution.md §7.1). Sub-axes that stand in the
 * same slot on both sides, or are partial on both, take no part.
 */
export interface Frame {
  readonly mesh: DeviceMesh;
  readonly subAxes: readonly PrimeSubAxis[];
  /** Per dim, most major first. The rest of the index is local. */
  readonly dims: readonly (readonly Digit[])[];
  /** The radix of every slot; those from `spareFrom` on are in neither layout. */
  readonly slotRadices: readonly number[];
  readonly spareFrom: number;
  readonly source: State;
  readonly target: State;
  /** How a partial sub-axis is combined, by sub-axis. */
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly keptPartials: readonly { readonly subAxis: PrimeSubAxis; readonly reduce: ReduceKind }[];
  /** Elements of the tensor, divided by the digits that are kept. */
  readonly elements: number;
}

/** A sub-axis as a part of its mesh. */
export function partOf(subAxis: PrimeSubAxis): Extract<Part, { kind: "axis" }> {
  return { kind: "axis", axis: subAxis.axis, before: subAxis.before, size: subAxis.radix };
}

/** A text that only equal sub-axes of one mesh share. */
export function subAxisKey(subAxis: PrimeSubAxis): string {
  return `${subAxis.axis}:${subAxis.before}`;
}
