export { type IndexRange, indexRangesOf, type OperandRange } from "./index-ranges.ts";
export { lower } from "./lower.ts";
export {
  type CollectiveStep,
  type LocalStep,
  type Reason,
  type Redistribution,
  type SpmdProgram,
  type Stage,
  type Step,
  type Value,
  type ValueId,
  valueId,
} from "./program.ts";
