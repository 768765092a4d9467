/** The deepest nesting of brackets in a file of data. */
const deepest = 500;

/**
 * Value of a JSON text; `undefined` for any other text, and for brackets nested deeper than in real
 * data, since each would take a hundred times its byte.
 */
export function plainJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = textEnd(text, at);
    else if (code === openList || code === openRecord) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === closeList || code === closeRecord) depth -= 1;
  }
  return false;
}

const [quote, backslash, openList, closeList, openRecord, closeRecord] = [34, 92, 91, 93, 123, 125];

/** The end of the quoted text that begins at an offset. */
function textEnd(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end >= 0) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
