// Data types of values.

export { castArguments, castingNow, inSingle } from "./casting.ts";
export { DTypeValues, dtypeOf, longDType, typeSaid } from "./dtype-values.ts";
export { typeOfTensorClass } from "./tensor-casts.ts";
export type { Casting, CastingRules, Typed, ValueTypes } from "./value-types.ts";
