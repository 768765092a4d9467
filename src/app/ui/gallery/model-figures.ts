import figures from "./model-figures.json" with { type: "json" };

/** Costs of one step of a plan on one device. */
export interface PlanFigures {
  readonly seconds: number;
  /** Seconds in which devices wait for redistributions. */
  readonly exposedSeconds: number;
  readonly memoryBytes: number;
}

interface Tag {
  readonly text: string;
  readonly hue: number;
}

/**
 * Precomputed figures on the card of a model; computing them when the card is shown would take too
 * long.
 */
export interface ModelFigures {
  /** Peak memory of one device. */
  readonly memoryBytes: number;
  readonly mesh: readonly (Tag & { readonly size: number })[];
  readonly deviceCount: number;
  /** Largest communication costs, in descending order of bytes. */
  readonly contributors: readonly {
    readonly collective: string;
    readonly axes: readonly Tag[];
    readonly count: number;
  }[];
  /** Bytes received by the busiest device. */
  readonly bytes: number;
  /** Plan of the example's text. */
  readonly hand: PlanFigures;
  /** Planner's plan, if its step is shorter by at least a thousandth. */
  readonly planned?: PlanFigures;
}

/** Figures by example name. A test computes and writes them (`vitest -u`). */
export const modelFigures: Readonly<Record<string, ModelFigures>> = figures;
