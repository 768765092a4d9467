import type { Collective } from "#core/collective";
import type { Link } from "#core/mesh";

/** An axis of the mesh as a route sees it. */
export interface RouteAxis {
  readonly size: number;
  readonly link: Link;
}

/** The facts about one step from which its price follows. */
export interface PricedMove {
  readonly collective: Collective;
  /**
   * Mesh axes of the step: one, or several for a permute or for a fused step if the model fuses.
   */
  readonly axes: readonly RouteAxis[];
  /** Bytes that a device holds before the step. */
  readonly bytes: number;
  /**
   * The dim that loses axes, and the dim that gets them; for a fused step or a permute, the first
   * such dims.
   */
  readonly from?: number;
  readonly to?: number;
}

/** Seconds of one step; infinite if the model has no such step. */
export type PriceMove = (move: PricedMove) => number;
