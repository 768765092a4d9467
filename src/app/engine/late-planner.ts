import type { Planner } from "./planner.ts";
import { spawnPlanner } from "./spawn.ts";

/** The planner, whose code comes when it is first needed. Rejects when it cannot be loaded. */
export async function loadPlanner(): Promise<Planner> {
  const { createPlanner } = await import("./planner.ts");
  return createPlanner(spawnPlanner);
}
