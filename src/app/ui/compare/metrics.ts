import type { Metric } from "#app/scene/text";

/** The numbers that have a table. */
export const metrics: readonly (readonly [Metric, string])[] = [
  ["memory", "Memory"],
  ["comm", "Communication"],
  ["time", "Time"],
];
