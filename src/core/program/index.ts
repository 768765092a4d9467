export { lower } from "./lower.ts";
export {
  type CollectiveStep,
  type LocalStep,
  type Phase,
  type Reason,
  type Redistribution,
  type SpmdProgram,
  type Stage,
  type Step,
  type Value,
  type ValueId,
  valueId,
} from "./program.ts";
