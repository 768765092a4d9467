import type { Span, TextEdit } from "#core/diagnostics";
import { callArguments } from "./call-arguments.ts";
import { addition } from "./edit.ts";
import { argumentRemoval } from "./edit-mesh.ts";

/**
 * Smallest edits that set the keywords of a call to the `wanted` Python texts. Existing values are
 * changed in place, new ones follow the last argument, and `undefined` removes a keyword with its
 * comma.
 */
export function keywordEdits(
  source: string,
  call: Span,
  wanted: Readonly<Record<string, string | undefined>>,
): readonly TextEdit[] {
  const written = callArguments(source, call);
  const texts = Object.entries(wanted).map(
    ([name, text]) => [name, text, written.find((each) => each.name === name)] as const,
  );
  const changed = texts.flatMap(([, text, known]): readonly TextEdit[] => {
    if (known === undefined) return [];
    if (text === undefined) return [argumentRemoval(source, call, known.valueSpan)];
    return [{ ...known.valueSpan, text }];
  });
  const added = texts.flatMap(([name, text, known]) =>
    known === undefined && text !== undefined ? [`, ${name}=${text}`] : [],
  );
  return added.length === 0 ? changed : [...changed, addition(source, call, added.join(""))];
}
