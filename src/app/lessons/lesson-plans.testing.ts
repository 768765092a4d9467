import { challengesPlans } from "./chapters/challenges-plans.testing.ts";
import { cutsPlans } from "./chapters/cuts-plans.testing.ts";
import { modelsPlans } from "./chapters/models-plans.testing.ts";
import { proofsPlans } from "./chapters/proofs-plans.testing.ts";
import { trainingPlans } from "./chapters/training-plans.testing.ts";
import { travelsPlans } from "./chapters/travels-plans.testing.ts";
import type { LessonPlans } from "./chapters/tried.testing.ts";

/** Plans for every step with a goal: at least three right, three wrong and one unexpected. */
export const lessonPlans: readonly LessonPlans[] = [
  ...cutsPlans,
  ...travelsPlans,
  ...trainingPlans,
  ...modelsPlans,
  ...proofsPlans,
  ...challengesPlans,
];
