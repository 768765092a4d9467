import type { Hardware } from "./cost.ts";

/**
 * By how much longer kernels take in whole steps of several devices than alone on one: collectives
 * take processors and memory traffic from them, and all devices share power. One factor per chip,
 * from published steps (cost.md §2); 1 where a device works alone, and where nothing is known.
 */
export function crowdingOf({ crowding = 1 }: Hardware, devices: number): number {
  return devices > 1 ? crowding : 1;
}
