import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Strategy } from "#core/plan";

/** The layouts of a plan: inputs and parameters at rest, results at their end. */
export interface PlannedLayouts {
  readonly rest: ReadonlyMap<TensorId, Layout>;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** A found plan. */
export interface Optimized {
  /** Seconds under the model, and a lower bound for all plans; equal if the plan is proven best. */
  readonly seconds: number;
  readonly bound: number;
  /** The seconds that the search added up, for a measured plan. */
  readonly searched?: number;
  /** The part of `seconds` for redistributions. */
  readonly communication: number;
  /**
   * Seconds of communication without overlap (`ordered`) and of the operators' own work, by the
   * model.
   */
  readonly ordered: number;
  readonly work: number;
  /** Bytes of the fullest device: measured if `measure` is given, else under the model. */
  readonly bytes: number;
  readonly strategies: ReadonlyMap<OperatorId, Strategy>;
  readonly layouts: PlannedLayouts;
  /** Number of runs of each collective. */
  readonly collectives: ReadonlyMap<string, number>;
  /**
   * Groups of mesh axes by name, if only strategies that cut by whole groups were weighed, since
   * all would have been too many. The bound holds for all.
   */
  readonly joined?: readonly (readonly string[])[];
}

/** The measured cost of a whole program: seconds, and bytes of its fullest device. */
export interface Measured {
  readonly seconds: number;
  /** The part of `seconds` for communication, if known. */
  readonly communicationSeconds?: number;
  readonly bytes: number;
}

/** A plan, or the reason why there is none. */
export type OptimizeOutcome =
  | { readonly ok: true; readonly value: Optimized }
  | {
      readonly ok: false;
      readonly diagnostic: Diagnostic;
      /** The plan with the fewest bytes, if none fits. */
      readonly leanest?: Optimized;
    };
