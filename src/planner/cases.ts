import type { PlanRequest } from "./problem.ts";

/** How values with several readers are priced. */
export interface Cases {
  /** Up to how many cases as a whole. */
  readonly whole: number;
  /** Whether those with more of them have hubs; reader by reader where not. */
  readonly hubs: boolean;
}

const besideHubs: Cases = { whole: 1e6, hubs: true };
const readerByReader: Cases = { whole: 1e6, hubs: false };

/**
 * How values are priced at first. Where readers want one value alike, as they nearly always do under
 * models of single-axis steps, reader by reader is exact too, and quicker than hubs.
 */
export function wholeCases({ model }: Pick<PlanRequest, "model">): Cases {
  return model === undefined ? besideHubs : readerByReader;
}

/** The same where that is too wide. */
export const fewCases: Cases = { whole: 1e4, hubs: false };
