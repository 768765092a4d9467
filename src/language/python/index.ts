// Parsing and evaluation of a text.

export { evaluate } from "./compiling/evaluate.ts";
export { createParser } from "./reading/parse.ts";
export type { Expression, FunctionNode, Statement } from "./reading/syntax.ts";

// Interface of the host that runs a program.

export type { Binding, Host, LoopWatch, Replacement } from "./values/host.ts";
export { hostClass } from "./values/host-class.ts";
export type { SpanTree } from "./values/tree.ts";

// Values of a program.

export { isComplex } from "./library/complex.ts";
export { dictOf } from "./values/text-key.ts";
export { isJsonWithin, toJson } from "./values/to-json.ts";
export type {
  Argument,
  ClassValue,
  Context,
  Frame,
  FunctionValue,
  HostFunction,
  HostObject,
  HostType,
  InstanceValue,
  ModuleValue,
  NumberOrigin,
  Value,
} from "./values/value.ts";

// Suggestions for misspelt names.

export { nearestName } from "./values/near-name.ts";
