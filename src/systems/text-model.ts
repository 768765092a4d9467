import type { Document } from "#language/document";
import type { ReadModel, ReadModules } from "#systems/arrays";
import { nodesOfText } from "#systems/nnscaler";
import { modulesOfText } from "#systems/torch";

export type { ReadModel, ReadModules };

/** The modules of a text by their own paths, read when they are asked for. */
export function textModules({ trace, built }: Document): ReadModules {
  return () => modulesOfText({ trace, built });
}

/**
 * The one module of a text that computes all its operators, as a tracer of its calls names them, found
 * when it is asked for.
 */
export function textModel({ trace, built, source }: Document): ReadModel {
  return () => nodesOfText({ trace, built, source });
}
