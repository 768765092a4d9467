// Python values that bindings read and make.

export { backwardHook } from "./backward-hook.ts";
export { jsonOf, pythonOf } from "./plain-json.ts";
export {
  bindArguments,
  float,
  hostFunction,
  integer,
  integerOf,
  integersOf,
  itemsOf,
  namespace,
  none,
  numberOf,
  numbersIn,
  passedOn,
  text,
  textOf,
  tuple,
} from "./values.ts";
