// The types of results.

export {
  isFloat,
  mixedTypes,
  promotedPair,
  resultType,
  type TypedOperand,
  type TypeRule,
} from "./result-types.ts";
