import type { PlanRequest } from "./problem.ts";

/** How values with several readers are priced. */
export interface Cases {
  /** Largest number of cases for a table over all readers of a value. */
  readonly whole: number;
  /** Whether values with more cases get a hub; else they are priced reader by reader. */
  readonly hubs: boolean;
  /** Whether what is too wide to solve is bounded. */
  readonly isBounded?: true;
  /**
   * In how many groups the axes of the mesh cut, each as one axis and in mesh order: fewer
   * strategies, and so a plan for a program that has too many of them (see `joinedAxes`).
   */
  readonly groups?: number;
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
const fewCases: Cases = { whole: 1e4, hubs: false };

/** The same where it is too wide for these too: its best plan is bounded, not found. */
const boundedCases: Cases = { whole: 1e4, hubs: false, isBounded: true };

/** All of them, from what proves most to what is sure to end, for a mesh of so many axes. */
export function casesOf(request: PlanRequest): readonly Cases[] {
  const joined = request.mesh.axes.map((_, at, { length }) => ({
    ...boundedCases,
    groups: length - at,
  }));
  return [wholeCases(request), fewCases, boundedCases, ...joined];
}
