import type { Document } from "#language/document";
import type { ReadModel, ReadModules } from "#systems/arrays";
import { nodesOfText } from "#systems/nnscaler";
import { modulesOfText } from "#systems/torch";

export type { ReadModel, ReadModules };

/** Reader of a text's modules by path; it runs on request. */
export function textModules({ trace, built }: Document): ReadModules {
  return () => modulesOfText({ trace, built });
}

/**
 * Reader of the one module that computes all operators of a text, with the names that a tracer
 * gives its calls; it runs on request.
 */
export function textModel({ trace, built, source }: Document): ReadModel {
  return () => nodesOfText({ trace, built, source });
}
