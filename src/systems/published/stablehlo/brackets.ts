// Splits MLIR text at brackets and commas, outside quoted strings.

/** Offset of an operation's types: its last ` : ` outside brackets and strings. */
export function signatureAt(text: string): number {
  let found = -1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = textEnd(text, at);
    else if (character === "(" || character === "[" || character === "{") depth += 1;
    else if (character === ")" || character === "]" || character === "}") depth -= 1;
    else if (character === "<") depth += 1;
    else if (character === ">" && text[at - 1] !== "-") depth -= 1;
    else if (character === ":" && depth === 0 && text[at + 1] === " ") found = at;
  }
  return found;
}

/** End offset of the quoted string that begins at an offset. */
function textEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** The text with every quoted string emptied. */
export function withoutTexts(text: string): string {
  let [without, from] = ["", 0];
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    const end = textEnd(text, at);
    if (end >= text.length) break;
    without += `${text.slice(from, at)}""`;
    from = end + 1;
  }
  return without + text.slice(from);
}

/** Offset of the bracket that closes the one at an offset; quoted strings are skipped. */
export function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = textEnd(text, at);
    else if (character === "(") depth += 1;
    else if (character === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** Parts of a list, split at commas outside brackets and strings. */
export function splitTop(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') at = textEnd(text, at);
    else if ("([{<".includes(character)) depth += 1;
    else if (")]}".includes(character) || (character === ">" && text[at - 1] !== "-")) depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  const last = text.slice(from);
  return last.trim() === "" ? parts : [...parts, last];
}

/** The text between the first braces. */
export function bracesIn(text: string): string {
  const open = text.indexOf("{");
  if (open < 0) return "";
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '"') at = textEnd(text, at);
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "}") {
      depth -= 1;
      if (depth === 0) return text.slice(open + 1, at);
    }
  }
  return "";
}
