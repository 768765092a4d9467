import type { Overlap } from "#core/training";

/** Rules for the execution of a program. */
export interface RunRules {
  /** Kinds of work that may overlap in time; none if absent. */
  readonly overlap?: Overlap;
  /** Whether the host launches every operator by itself, as eager frameworks do. */
  readonly isEager?: boolean;
  /** Whether a compiler fuses chains of kernels that move bytes. */
  readonly isCompiled?: boolean;
}
