import figures from "./model-figures.json" with { type: "json" };

/** The costs of one step of a plan on one device. */
export interface PlanFigures {
  readonly seconds: number;
  /** Seconds for which devices wait for redistributions. */
  readonly exposedSeconds: number;
  readonly memoryBytes: number;
}

interface Tag {
  readonly text: string;
  readonly hue: number;
}

/** Figures on the card of a model, which would take too long to compute when the card is shown. */
export interface ModelFigures {
  /** Peak memory of one device. */
  readonly memoryBytes: number;
  readonly mesh: readonly (Tag & { readonly size: number })[];
  readonly deviceCount: number;
  /** Senders and their bytes, most first. */
  readonly contributors: readonly {
    readonly collective: string;
    readonly axes: readonly Tag[];
    readonly count: number;
  }[];
  /** Received by the busiest device. */
  readonly bytes: number;
  /** The plan of the text. */
  readonly hand: PlanFigures;
  /** The planner's plan, if its step is shorter by at least a thousandth. */
  readonly planned?: PlanFigures;
}

/** Figures by the name of the example. A test computes all and writes them (`vitest -u`). */
export const modelFigures: Readonly<Record<string, ModelFigures>> = figures;
