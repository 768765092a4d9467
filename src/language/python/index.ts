export { isComplex } from "./complex.ts";
export { type Evaluation, evaluate, type Options } from "./evaluate.ts";
export type {
  Argument,
  Binding,
  Context,
  Frame,
  Host,
  Replacement,
  SpanTree,
} from "./host.ts";
export { hostClass } from "./host-class.ts";
export type { Limits } from "./limits.ts";
export { meantBy } from "./near-name.ts";
export { createLibraryParser, createParser, type Parse, type ParseLibrary } from "./parse.ts";
export { dictOf } from "./text-key.ts";
export { isJsonWithin, toJson } from "./to-json.ts";
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
} from "./value.ts";
