import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Strategy } from "#core/plan";

/** The layouts of a plan: of inputs and parameters at rest, of results as they end. */
export interface PlannedLayouts {
  readonly rest: ReadonlyMap<TensorId, Layout>;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** A plan that was found. */
export interface Optimized {
  /**
   * Seconds under the model, and a lower bound for all plans; equal where the plan is proven best.
   */
  readonly seconds: number;
  readonly bound: number;
  /** Of a measured plan: the seconds that the search added up for it. */
  readonly searched?: number;
  /** The part of `seconds` for redistributions. */
  readonly communication: number;
  /** Communication that overlaps nothing plus the operators' own work, in the model's seconds. */
  readonly ordered: number;
  readonly work: number;
  /** Bytes of the fullest device: measured if `measure` is given, else under the model. */
  readonly bytes: number;
  readonly strategies: ReadonlyMap<OperatorId, Strategy>;
  readonly layouts: PlannedLayouts;
  /** How often each collective runs. */
  readonly collectives: ReadonlyMap<string, number>;
  /**
   * Groups of mesh axes by name, where only strategies were weighed that cut by whole groups: all of
   * them were too many. The bound holds of all.
   */
  readonly joined?: readonly (readonly string[])[];
}

/** The measured cost of a whole program: seconds, and bytes of its fullest device. */
export interface Measured {
  readonly seconds: number;
  /** The part of `seconds` for communication, where it is known. */
  readonly communicationSeconds?: number;
  readonly bytes: number;
}

/** A plan, or why there is none. */
export type OptimizeOutcome =
  | { readonly ok: true; readonly value: Optimized }
  | {
      readonly ok: false;
      readonly diagnostic: Diagnostic;
      /** The plan that takes the fewest bytes, where none fits. */
      readonly leanest?: Optimized;
    };
