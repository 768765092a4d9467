import type { Overlap } from "#core/training";

/** How a program runs. */
export interface RunRules {
  /** Which kinds of work may run at the same time; none when unsaid. */
  readonly overlap?: Overlap;
  /** Whether the host launches every operator by itself, as eager frameworks do. */
  readonly isEager?: boolean;
  /** Whether a compiler fuses chains of kernels that move bytes. */
  readonly isCompiled?: boolean;
}
