import { classLosses } from "./class-loss.ts";
import { distanceLosses } from "./distance-loss.ts";
import { elementLosses } from "./element-losses.ts";
import type { LibraryEntry } from "./entry.ts";

/** Losses: of classes, element by element, and of distances between rows. */
export const losses: readonly LibraryEntry[] = [
  ...classLosses,
  ...elementLosses,
  ...distanceLosses,
];
