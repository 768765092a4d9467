import type { Metric } from "#app/scene/text";

/** Cost numbers that have a table of parts, with their names. */
export const metrics: readonly (readonly [Metric, string])[] = [
  ["memory", "Memory"],
  ["comm", "Communication"],
  ["time", "Time"],
];
