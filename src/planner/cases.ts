import type { PlanRequest } from "./problem.ts";

/** The way in which values with several readers are priced. */
export interface Cases {
  /** Largest number of cases for a table over all readers of a value. */
  readonly whole: number;
  /** Whether values with more cases get a hub; otherwise they are priced reader by reader. */
  readonly hubs: boolean;
  /** Whether a part that is too wide to solve is bounded. */
  readonly isBounded?: true;
  /**
   * The number of groups into which the mesh axes are joined, each cutting as one axis and in mesh
   * order. Fewer groups mean fewer strategies, and so a plan for a program that has too many (see
   * `joinedAxes`).
   */
  readonly groups?: number;
}

const besideHubs: Cases = { whole: 1e6, hubs: true };
const readerByReader: Cases = { whole: 1e6, hubs: false };

/**
 * The first way to price values. Under models of single-axis steps readers nearly always want a
 * value in one layout; pricing reader by reader is then exact, and faster than hubs.
 */
export function wholeCases({ model }: Pick<PlanRequest, "model">): Cases {
  return model === undefined ? besideHubs : readerByReader;
}

/** The way to price values if the network is too wide for `wholeCases`. */
const fewCases: Cases = { whole: 1e4, hubs: false };

/**
 * The way to price values if the network is too wide for `fewCases` too: the best plan is bounded,
 * not found.
 */
const boundedCases: Cases = { whole: 1e4, hubs: false, isBounded: true };

/**
 * All methods for a request, ordered from the strongest proof to the method that always terminates.
 */
export function casesOf(request: PlanRequest): readonly Cases[] {
  const joined = request.mesh.axes.map((_, at, { length }) => ({
    ...boundedCases,
    groups: length - at,
  }));
  return [wholeCases(request), fewCases, boundedCases, ...joined];
}
