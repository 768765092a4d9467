/** A string that was read, or what is wrong at `end`. */
export type ReadString =
  | { readonly kind: "string"; readonly value: string; readonly end: number }
  | { readonly kind: "fault"; readonly message: string; readonly end: number };

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Reads the JSON string whose opening quote stands at `start`. */
export function readString(text: string, start: number): ReadString {
  let value = "";
  let at = start + 1;
  for (;;) {
    const end = plainEnd(text, at);
    value += text.slice(at, end);
    at = end;
    const character = text[at];
    if (character === '"') return { kind: "string", value, end: at + 1 };
    if (character !== "\\") return brokenOff(character, at);
    const sequence = escapeAt(text, at);
    if (sequence === undefined) return { kind: "fault", message: badEscape(text, at), end: at };
    value += sequence.value;
    at += sequence.length;
  }
}

/** The end of a run of characters that stand for themselves. */
function plainEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c) break;
  }
  return at;
}

function escapeAt(text: string, at: number): { value: string; length: number } | undefined {
  const letter = text[at + 1] ?? "";
  if (letter !== "u") {
    const value = escapes.get(letter);
    return value === undefined ? undefined : { value, length: 2 };
  }
  const digits = text.slice(at + 2, at + 6);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return undefined;
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
}

function badEscape(text: string, at: number): string {
  return `"${text.slice(at, at + 2)}" is no escape that JSON knows`;
}

function brokenOff(character: string | undefined, end: number): ReadString {
  const isLineEnd = character === undefined || character === "\n" || character === "\r";
  const message = isLineEnd
    ? "this JSON text has no closing quote"
    : "JSON texts hold no control characters";
  return { kind: "fault", message, end };
}
