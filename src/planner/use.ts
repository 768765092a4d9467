import type { Training } from "#core/training";
import type { Pricing } from "./pricing.ts";
import type { PlannedValue } from "./values.ts";

/** How a value is used: where it lies, what its readers want and make. */
export interface Use {
  readonly source: number;
  /** Layouts in which readers want it; the same one counts once. */
  readonly reads: readonly number[];
  /** Layouts in which readers make its gradient; one entry for each of them. */
  readonly gradients: readonly number[];
  /** Layouts in which the backward pass reads it again, where what was gathered is not kept. */
  readonly again: readonly number[];
  /** Layouts that are kept for the backward pass. */
  readonly holds: readonly number[];
}

/** What an optimizer keeps and does per trained parameter, and what adding gradients takes. */
export interface UpdateRule {
  /** Bytes of its states per element. */
  readonly stateBytes: (bytesPerElement: number) => number;
  readonly pricing: Pick<Pricing, "addSeconds" | "accumulateSeconds" | "updateSeconds">;
  /** What lies split over the axes that a parameter's gradient is summed over (`Training`). */
  readonly zero: Training["zero"];
  /** How often forward and backward pass run before the update. */
  readonly runs: number;
  /**
   * Whether bytes are those that are there when the backward pass begins, which no device goes
   * below; else those of everything that is ever made (planner-plain.md §7).
   */
  readonly countsTurn: boolean;
}

/** Where a trained parameter lies, and where its update works. */
export interface Held {
  readonly rest: number;
  readonly update: number;
}

/** The layout that is left of one once its partial sums are combined. */
export function withoutPartials({ routes }: Pick<PlannedValue, "routes">, source: number): number {
  const state = routes.state(source);
  return state.partials.length === 0 ? source : routes.id({ ...state, partials: [] });
}
