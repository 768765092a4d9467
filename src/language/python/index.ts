export { type Evaluation, evaluate, type Options } from "./compiling/evaluate.ts";
export { isComplex } from "./library/complex.ts";
export { createParser, type Parse } from "./reading/parse.ts";
export type {
  Argument,
  Binding,
  Context,
  Frame,
  Host,
  Replacement,
  SpanTree,
} from "./values/host.ts";
export { hostClass } from "./values/host-class.ts";
export type { Limits } from "./values/limits.ts";
export { meantBy } from "./values/near-name.ts";
export { dictOf } from "./values/text-key.ts";
export { isJsonWithin, toJson } from "./values/to-json.ts";
export type {
  ClassValue,
  DictValue,
  FunctionValue,
  HostFunction,
  HostObject,
  HostType,
  InstanceValue,
  ListValue,
  ModuleValue,
  Parameter,
  SetValue,
  TupleValue,
  Value,
} from "./values/value.ts";
