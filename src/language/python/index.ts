// Reading a text, and running it on a host.

export { type Evaluation, evaluate } from "./compiling/evaluate.ts";
export { createParser, type Parse } from "./reading/parse.ts";
export type { Limits } from "./values/limits.ts";

// What a host gives to a program.

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

// Values of a program.

export { isComplex } from "./library/complex.ts";
export { dictOf } from "./values/text-key.ts";
export { isJsonWithin, toJson } from "./values/to-json.ts";
export type {
  ClassValue,
  FunctionValue,
  HostFunction,
  HostObject,
  HostType,
  InstanceValue,
  ModuleValue,
  Parameter,
  Value,
} from "./values/value.ts";

// Names that are not there.

export { nearestName } from "./values/near-name.ts";
