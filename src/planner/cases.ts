import type { PlanRequest } from "./problem.ts";

/** How values with several readers are priced. */
export interface Cases {
  /** Largest number of cases for a table over all readers of a value. */
  readonly whole: number;
  /** Whether values with more cases get a hub; else they are priced reader by reader. */
  readonly hubs: boolean;
  /** Whether what is too wide to solve is bounded. */
  readonly isBounded?: true;
}

const besideHubs: Cases = { whole: 1e6, hubs: true };
const readerByReader: Cases = { whole: 1e6, hubs: false };

/**
 * How values are priced at first. Under models of single-axis steps readers nearly always want a
 * value in one layout; pricing reader by reader is then exact, and faster than hubs.
 */
export function wholeCases({ model }: Pick<PlanRequest, "model">): Cases {
  return model === undefined ? besideHubs : readerByReader;
}

/** How values are priced where the network is too wide for `wholeCases`. */
export const fewCases: Cases = { whole: 1e4, hubs: false };

/** The same where it is too wide for these too: its best plan is bounded, not found. */
export const boundedCases: Cases = { whole: 1e4, hubs: false, isBounded: true };
