import type { Training } from "#core/training";
import type { Pricing } from "./pricing.ts";
import type { PlannedValue } from "./values.ts";

/**
 * The use of a value: the layouts of its origin (`source`), of its readers and of its gradients.
 */
export interface Use {
  readonly source: number;
  /** Layouts in which readers want it, each once. */
  readonly reads: readonly number[];
  /** Layouts in which readers make its gradient, one per reader. */
  readonly gradients: readonly number[];
  /** Layouts in which the backward pass reads it again, unless gathered copies are kept. */
  readonly again: readonly number[];
  /** Layouts that are kept for the backward pass. */
  readonly holds: readonly number[];
  /** Work that overlaps with a weight's traffic; none if absent. */
  readonly cover?: Cover;
}

/** Seconds of work in the passes of a step that hides traffic. */
export interface Cover {
  readonly forward: number;
  readonly backward: number;
}

/**
 * The rule of an update: bytes of optimizer states, and the work of updating and of adding
 * gradients.
 */
export interface UpdateRule {
  /** Bytes of optimizer states per element. */
  readonly stateBytes: (bytesPerElement: number) => number;
  readonly pricing: Pick<Pricing, "addSeconds" | "accumulateSeconds" | "updateSeconds">;
  /** The ZeRO level (`Training`). */
  readonly zero: Training["zero"];
  /** Number of forward and backward passes before the update. */
  readonly runs: number;
  /**
   * Whether bytes count the tensors that are alive when the backward pass begins, a lower bound of
   * the peak; else all tensors that are ever made (planner-plain.md §7).
   */
  readonly countsTurn: boolean;
}

/** The layouts in which a trained parameter is stored and updated. */
export interface Held {
  readonly rest: number;
  readonly update: number;
}

/**
 * Whether the backward pass needs its own redistribution to a layout, although the forward pass has
 * one: always for a weight, and for an activation that is gathered again.
 */
export function isApart(
  { routes, tensor, isGatheredAgain }: PlannedValue,
  source: number,
  to: number,
): boolean {
  if (isGatheredAgain !== true) return tensor.role === "parameter";
  const isSum = routes.state(source).partials.length > 0;
  return !isSum && routes.localBytes(source) < routes.localBytes(to);
}

/** A layout without its partials. */
export function withoutPartials({ routes }: Pick<PlannedValue, "routes">, source: number): number {
  const state = routes.state(source);
  return state.partials.length === 0 ? source : routes.id({ ...state, partials: [] });
}
