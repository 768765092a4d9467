import type { Planner } from "./planner.ts";
import { spawnPlanner } from "./spawn.ts";

/** Loads the code of the planner and makes one; rejects when that cannot be loaded. */
export async function loadPlanner(): Promise<Planner> {
  const { createPlanner } = await import("./planner.ts");
  return createPlanner(spawnPlanner);
}
