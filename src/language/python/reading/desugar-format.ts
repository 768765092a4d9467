import type { TextEdit } from "#core/diagnostics";
import type { LineToken } from "./line-tokens.ts";

/** Stands for the `=` right behind the colon of a format specification. */
export const equalsInFormat = "\ue000";

/** In `f"{x:=+9}"` the grammar sees `:=`, where Python sees a colon and a specification. */
export function desugarFormat({ from, text }: LineToken): readonly TextEdit[] {
  const opening = /^(?:[fF][rR]?|[rR][fF])('''|"""|'|")/.exec(text);
  if (opening === null || !text.includes(":=")) return [];
  const edits: TextEdit[] = [];
  let fields = 0;
  let brackets = 0;
  for (let at = opening[0].length; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (fields === 0) {
      if (text.startsWith("{{", at)) at += 1;
      else if (character === "{") fields = 1;
    } else if (/['"]/.test(character)) at = stringEnd(text, at);
    else if (/[([]/.test(character)) brackets += 1;
    else if (/[)\]]/.test(character)) brackets -= 1;
    else if (character === "{") fields += 1;
    else if (character === "}") fields -= 1;
    else if (brackets === 0 && text.startsWith(":=", at)) {
      edits.push({ from: from + at + 1, to: from + at + 2, text: equalsInFormat });
    }
  }
  return edits;
}

/** The closing quote of a text inside a field. */
function stringEnd(text: string, from: number): number {
  const end = text.indexOf(text.charAt(from), from + 1);
  return end < 0 ? text.length : end;
}
