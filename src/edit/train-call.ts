import type { TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import { keywordEdits } from "#language/document/edit";

/**
 * Edits that give a text's last `train(…)` the `wanted` arguments, as Python code, and remove those
 * that are `undefined`. Returns `undefined` for a text without a `train(…)`.
 */
export function trainCallEdits(
  { source, trace }: Document,
  wanted: Readonly<Record<string, string | undefined>>,
): readonly TextEdit[] | undefined {
  const call = trace.training.at(-1);
  const isWritten = call !== undefined && source.startsWith("train", call.span.from);
  return isWritten ? keywordEdits(source, call.span, wanted) : undefined;
}
