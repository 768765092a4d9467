import type { Collective, Move, Transfer } from "#core/collective";
import type { DeviceId, Layout } from "#core/mesh";

/** One collective of a plan, slices included. */
export interface ReshardStep {
  readonly collective: Collective;
  /** What each part of the mesh does; empty where only `transfers` tell. */
  readonly moves: readonly Move[];
  /** The parts that take part, as the layout text writes them, in mesh order. */
  readonly axes: readonly string[];
  /** The devices that talk with each other, each group in the order of the parts. */
  readonly groups: readonly (readonly DeviceId[])[];
  /** What travels, where it does not follow from the moves: permutes and exchanges. */
  readonly transfers?: readonly Transfer[];
  /** The layout after the step. */
  readonly layout: Layout;
  /** Elements that the busiest device receives. */
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
}
