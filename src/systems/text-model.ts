import type { Document } from "#language/document";
import { nodesOfText, type TextModel } from "#systems/nnscaler";

export type { TextModel };

/** The one module of a text that computes all its operators, as a tracer of its calls names them. */
export function textModel({ trace, built, source }: Document): TextModel | undefined {
  return nodesOfText({ trace, built, source });
}
