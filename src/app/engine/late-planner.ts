import type { Planner } from "./planner.ts";
import { spawnPlanner } from "./spawn.ts";

/** Loads the planner's code and creates a planner; rejects if loading fails. */
export async function loadPlanner(): Promise<Planner> {
  const { createPlanner } = await import("./planner.ts");
  return createPlanner(spawnPlanner);
}
