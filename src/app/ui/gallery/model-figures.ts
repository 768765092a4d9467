import figures from "./model-figures.json" with { type: "json" };

/** What a step of a plan takes on one device. */
export interface PlanFigures {
  readonly seconds: number;
  /** That devices wait for what is sent. */
  readonly exposedSeconds: number;
  readonly memoryBytes: number;
}

interface Tag {
  readonly text: string;
  readonly hue: number;
}

/** What the card of a model says, which would take too long to work out when the card is shown. */
export interface ModelFigures {
  /** Of one device. */
  readonly memoryBytes: number;
  readonly mesh: readonly (Tag & { readonly size: number })[];
  readonly deviceCount: number;
  /** Who sends what, most bytes first. */
  readonly contributors: readonly {
    readonly collective: string;
    readonly axes: readonly Tag[];
    readonly count: number;
  }[];
  /** Received by the busiest device. */
  readonly bytes: number;
  /** Of the plan that the text says. */
  readonly hand: PlanFigures;
  /** Of the one that the planner finds, where its step is shorter by a thousandth. */
  readonly planned?: PlanFigures;
}

/** By the name of the example. A test works them all out and writes them (`vitest -u`). */
export const modelFigures: Readonly<Record<string, ModelFigures>> = figures;
