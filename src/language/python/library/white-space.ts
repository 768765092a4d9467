const breaks: ReadonlySet<number> = new Set([10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029]);

/** Whether Python treats a character as white space (`str.isspace`). */
export function isSpace(character: string): boolean {
  const point = character.charCodeAt(0);
  if (point > 0x20 && point < 0x80) return false;
  if (point === 0x20) return true;
  const isSeparator = (point >= 0x1c && point <= 0x1f) || point === 0x85;
  return isSeparator || (/^\s$/.test(character) && point !== 0xfeff);
}

/** Text without leading and trailing characters for which `isGone` holds. */
export function trimmed(
  text: string,
  isGone: (character: string) => boolean,
  ends: { readonly left: boolean; readonly right: boolean },
): string {
  const points = Array.from(text);
  let start = 0;
  let end = points.length;
  while (ends.left && start < end && isGone(points[start] ?? "")) start += 1;
  while (ends.right && end > start && isGone(points[end - 1] ?? "")) end -= 1;
  return points.slice(start, end).join("");
}

/**
 * Words separated by white space, at most `most` of them before the rest stays whole; all when
 * `most < 0`.
 */
export function wordsOf(text: string, most: number): readonly string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    while (at < text.length && isSpace(text.charAt(at))) at += 1;
    if (at >= text.length) break;
    if (most >= 0 && words.length >= most) {
      words.push(text.slice(at));
      break;
    }
    const start = at;
    while (at < text.length && !isSpace(text.charAt(at))) at += 1;
    words.push(text.slice(start, at));
  }
  return words;
}

/** Like `wordsOf`, counted from the right: the rest stays whole at the beginning. */
export function wordsFromRight(text: string, most: number): readonly string[] {
  const reversed = Array.from(text).reverse().join("");
  return wordsOf(reversed, most)
    .map((word) => Array.from(word).reverse().join(""))
    .reverse();
}

/** The lines of a text, each with the characters that end it when `keepEnds`. */
export function linesOf(text: string, keepEnds: boolean): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!breaks.has(text.charCodeAt(at))) continue;
    const isPair = text.charAt(at) === "\r" && text.charAt(at + 1) === "\n";
    const end = isPair ? at + 2 : at + 1;
    lines.push(text.slice(start, keepEnds ? end : at));
    if (isPair) at += 1;
    start = end;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
