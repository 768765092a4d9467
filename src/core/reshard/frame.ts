import type { DeviceMesh, Part, ReduceKind } from "#core/mesh";
import type { Atom } from "./atom.ts";

/** One digit of a dim's index: fixed for the whole plan, or a slot that atoms enter and leave. */
export type Digit =
  | { readonly kind: "kept"; readonly radix: number; readonly atom: Atom | undefined }
  | { readonly kind: "slot"; readonly radix: number; readonly slot: number };

/** What stands in every slot (an index of `atoms`, or `empty`), and the set of partial atoms. */
export interface State {
  readonly slots: readonly number[];
  /** Bit i is set when atom i is partial. */
  readonly partials: number;
}

/** The number that stands for an empty slot. */
export const empty = -1;

/**
 * Two layouts of one tensor in common digits (redistribution.md §7.1). Atoms that stand in the same
 * slot on both sides, or are partial on both, take no part.
 */
export interface Frame {
  readonly mesh: DeviceMesh;
  readonly atoms: readonly Atom[];
  /** Per dim, most major first. The rest of the index is local. */
  readonly dims: readonly (readonly Digit[])[];
  /** The radix of every slot; those from `spareFrom` on are in neither layout. */
  readonly slotRadices: readonly number[];
  readonly spareFrom: number;
  readonly source: State;
  readonly target: State;
  /** How a partial atom is combined, by atom. */
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly keptPartials: readonly { readonly atom: Atom; readonly reduce: ReduceKind }[];
  /** Elements of the tensor, divided by the digits that are kept. */
  readonly elements: number;
}

/** An atom as a part of its mesh. */
export function partOf(atom: Atom): Extract<Part, { kind: "axis" }> {
  return { kind: "axis", axis: atom.axis, before: atom.before, size: atom.radix };
}

/** A text that only equal atoms of one mesh share. */
export function atomKey(atom: Atom): string {
  return `${atom.axis}:${atom.before}`;
}
