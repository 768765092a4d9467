// The types of results.

export {
  arrayPromotion,
  isFloat,
  mixedTypes,
  type Promotion,
  promotedPair,
  resultType,
  type TypedOperand,
  type TypeRule,
  tensorPromotion,
} from "./result-types.ts";
