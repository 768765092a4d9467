import type { Span, TextEdit } from "#core/diagnostics";
import { callArguments } from "./call-arguments.ts";
import { addition } from "./edit.ts";
import { argumentRemoval } from "./edit-mesh.ts";

/**
 * The smallest edits after which the keywords of a call say `wanted`, each in Python: a value changes
 * where it stands, what stands nowhere comes behind the last argument, and what is `undefined` is
 * taken out with its comma.
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
