import type { TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import { keywordEdits } from "#language/document/edit";

/**
 * The edits after which a text's last `train(…)` says `wanted`, each in Python, and no more what is
 * `undefined`; nothing at all of a text that has none of its own.
 */
export function trainCallEdits(
  { source, trace }: Document,
  wanted: Readonly<Record<string, string | undefined>>,
): readonly TextEdit[] | undefined {
  const call = trace.training.at(-1);
  const isWritten = call !== undefined && source.startsWith("train", call.span.from);
  return isWritten ? keywordEdits(source, call.span, wanted) : undefined;
}
