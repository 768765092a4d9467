import type { Box } from "#core/indexspace";
import type { DeviceId, Part } from "#core/mesh";

/** The seven collectives that change a tensor's layout; `slice` sends nothing. */
export const collectives = [
  "slice",
  "all-gather",
  "reduce-scatter",
  "all-reduce",
  "all-to-all",
  "collective-permute",
  "exchange",
] as const;

/** Name of a collective. */
export type Collective = (typeof collectives)[number];

/** A position inside a dim: `position` counts that dim's parts, outermost first. */
export interface Slot {
  readonly dim: number;
  readonly position: number;
}

/**
 * One move of a collective: what happens to one part of the mesh.
 *
 * With `from` and `to` the part moves between dims or positions; without `from` it cuts a new slot
 * (slice; reduce-scatter when the part was partial); without `to` it leaves (gather); with neither
 * it is an all-reduce of that part.
 */
export interface Move {
  readonly part: Part;
  readonly from?: Slot;
  readonly to?: Slot;
}

/** One box of a tensor that travels, in the tensor's own indices. */
export interface Transfer {
  readonly from: DeviceId;
  readonly to: DeviceId;
  readonly range: Box;
}
