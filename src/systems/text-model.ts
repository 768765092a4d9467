import type { Document } from "#language/document";
import type { ReadModules } from "#systems/arrays";
import { nodesOfText, type TextModel } from "#systems/nnscaler";
import { modulesOfText } from "#systems/torch";

export type { ReadModules, TextModel };

/** The modules of a text by their own paths, read when they are asked for. */
export function textModules({ trace, built }: Document): ReadModules {
  return () => modulesOfText({ trace, built });
}

/** The one module of a text that computes all its operators, as a tracer of its calls names them. */
export function textModel({ trace, built, source }: Document): TextModel | undefined {
  return nodesOfText({ trace, built, source });
}
