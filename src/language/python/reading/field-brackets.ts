import { fieldOf } from "#core/records";
import { partners } from "./lines.ts";
import { quotedAt } from "./tokens.ts";

/**
 * First mismatched or unclosed bracket of a replacement field, with CPython's message; `undefined`
 * when all match.
 */
export function wrongBracket(
  text: string,
  from: number,
  end: number,
): { readonly message: string; readonly at: number } | undefined {
  const open: { readonly mark: string; readonly at: number }[] = [];
  for (let at = from; at < end; at += 1) {
    const mark = text.charAt(at);
    if (mark === "'" || mark === '"') at = (quotedAt(text, at, true)?.to ?? end) - 1;
    else if (fieldOf(partners, mark) !== undefined) open.push({ mark, at });
    else if (mark === ")" || mark === "]" || mark === "}") {
      const last = open.pop();
      if (last === undefined) return { message: `unmatched '${mark}'`, at };
      if (fieldOf(partners, last.mark) === mark) continue;
      const fault = `does not match opening parenthesis '${last.mark}'`;
      return { message: `closing parenthesis '${mark}' ${fault}`, at };
    }
  }
  const last = open.at(-1);
  return last === undefined ? undefined : { message: `unmatched '${last.mark}'`, at: last.at };
}
