import type { BindingParts } from "#language/document/words";
import type { HostFunction } from "#language/python";

/** What the modules of MindSpore are made of. */
export interface MindsporeParts extends BindingParts {
  readonly layout: HostFunction;
}
