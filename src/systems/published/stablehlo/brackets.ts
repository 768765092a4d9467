// Brackets, commas and texts in quotes of MLIR, which a line is taken apart by.

/** Where the types of an operation begin: at its last ` : ` outside of brackets and texts. */
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

/** Where a text in quotes ends that begins at an offset. */
function textEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** A text whose texts in quotes are empty. */
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

/** The bracket that closes the one at an offset; texts in quotes are passed over. */
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

/** The parts of a list, by its commas outside of brackets and texts. */
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

/** What stands between the first braces of a text. */
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
