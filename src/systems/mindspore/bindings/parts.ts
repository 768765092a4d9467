import type { BindingParts } from "#language/document/bindings";
import type { HostFunction } from "#language/python";
import type { DynamicLengths } from "./dynamic-lengths.ts";

/** What the modules of MindSpore are made of. */
export interface MindsporeParts extends BindingParts {
  readonly layout: HostFunction;
  readonly lengths: DynamicLengths;
}
