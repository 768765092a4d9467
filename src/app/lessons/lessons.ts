import {
  fewestCollectives,
  oneLayer,
  theLimitDecides,
  threeMeshes,
  twoDimsToOne,
} from "./chapters/challenges.ts";
import { columnsThenRows, oneAxisOneDim, oneMatmul, summedDim } from "./chapters/cuts.ts";
import { headsInGroups, sequenceParallel, tokensToExperts } from "./chapters/models.ts";
import { findTheFault, layoutsFromDocument } from "./chapters/proofs.ts";
import { dataParallel, zero } from "./chapters/training.ts";
import { gatherTravels, orderOfAxes, rowsToColumns, sumCarriedOn } from "./chapters/travels.ts";
import type { Lesson } from "./lesson.ts";

/** All lessons in teaching order. */
export const lessons: readonly Lesson[] = [
  oneMatmul,
  summedDim,
  gatherTravels,
  rowsToColumns,
  columnsThenRows,
  oneAxisOneDim,
  orderOfAxes,
  dataParallel,
  zero,
  sequenceParallel,
  headsInGroups,
  sumCarriedOn,
  tokensToExperts,
  findTheFault,
  layoutsFromDocument,
];

/** Challenges A to E: lessons with a scored plan, each with a lower bound for all plans. */
export const challenges: readonly Lesson[] = [
  theLimitDecides,
  oneLayer,
  twoDimsToOne,
  threeMeshes,
  fewestCollectives,
];

/** The lesson or challenge with the given id; `undefined` if there is none. */
export function lessonOf(id: string): Lesson | undefined {
  return [...lessons, ...challenges].find((lesson) => lesson.id === id);
}
