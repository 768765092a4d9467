// The differences between two plans.

export {
  type BoardBefore,
  type BoardMark,
  type BoardMarks,
  boardMarks,
} from "./board-marks.ts";
export {
  type CardDifference,
  type CardParts,
  cardDifference,
} from "./card-difference.ts";
export type {
  DifferenceLine,
  DifferenceMark,
  DifferenceSign,
  PlanDifference,
  RemovedRedistribution,
  TensorBefore,
} from "./difference.ts";
export { planDifference } from "./plan-difference.ts";
