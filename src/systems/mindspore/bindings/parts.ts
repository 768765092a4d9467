import type { BindingParts } from "#language/document/bindings";
import type { HostFunction } from "#language/python";
import type { DynamicLengths } from "./dynamic-lengths.ts";

/** Services of a run that the modules of MindSpore use. */
export interface MindsporeParts extends BindingParts {
  readonly layout: HostFunction;
  readonly lengths: DynamicLengths;
}
