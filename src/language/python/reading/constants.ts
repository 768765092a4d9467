import type { SyntaxNode } from "@lezer/common";
import { fieldOf } from "#core/records";
import { complex } from "../library/complex.ts";
import type { Value } from "../values/value.ts";
import { type Reading, SyntaxFault, spanOf, textOf, unsupported } from "./reading.ts";

/** The value of a `Number` node: exact integers, floats, or a fault for what Python refuses. */
export function readNumber(reading: Reading, node: SyntaxNode): Value {
  const text = textOf(reading, node);
  const digits = text.replaceAll("_", "");
  if (/__|_$|_[.eE]|\._|[eE+-]_/.test(text)) {
    throw new SyntaxFault("SyntaxError", "invalid decimal literal", spanOf(reading, node));
  }
  if (/[jJ]$/.test(digits)) return complex(0, Number(digits.slice(0, -1)));
  if (/^0[xXoObB]/.test(digits)) return readPrefixed(reading, node, digits);
  if (/[.eE]/.test(digits)) return { kind: "float", value: Number(digits) };
  if (/^0\d*[1-9]/.test(digits)) {
    const message =
      "leading zeros in decimal integer literals are not permitted; " +
      "use an 0o prefix for octal integers";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, node));
  }
  if (digits.length > 4300) {
    const message = "Exceeds the limit (4300 digits) for integer string conversion";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, node));
  }
  return { kind: "int", value: BigInt(digits) };
}

function readPrefixed(reading: Reading, node: SyntaxNode, digits: string): Value {
  if (digits.length === 2) {
    throw new SyntaxFault("SyntaxError", "invalid number literal", spanOf(reading, node));
  }
  return { kind: "int", value: BigInt(digits) };
}

export interface StringParts {
  /** The text between the quotes, escapes still in place. */
  readonly from: number;
  readonly to: number;
  readonly raw: boolean;
  readonly bytes: boolean;
}

/** Where the content of a `String` or `FormatString` node stands. */
export function contentOf(reading: Reading, node: SyntaxNode): StringParts {
  const text = textOf(reading, node);
  const opening = /^([A-Za-z]*)('''|"""|'|")/.exec(text);
  const prefix = opening?.[1] ?? "";
  const quotes = opening?.[2] ?? "'";
  const start = prefix.length + quotes.length;
  const isClosed = text.length >= start + quotes.length && text.endsWith(quotes);
  if (!isClosed) throw unterminated(reading, node, prefix, quotes);
  return {
    from: node.from + start,
    to: node.to - quotes.length,
    raw: /r/i.test(prefix),
    bytes: /b/i.test(prefix),
  };
}

function unterminated(
  reading: Reading,
  node: SyntaxNode,
  prefix: string,
  quotes: string,
): SyntaxFault {
  const what = `${/f/i.test(prefix) ? "f-string" : "string"} literal`;
  const line = reading.lineOf(reading.original(node.to));
  const kind = quotes.length === 3 ? "triple-quoted string" : what;
  const message = `unterminated ${kind}${quotes.length === 3 ? " literal" : ""} (detected at line ${line})`;
  return new SyntaxFault("SyntaxError", message, spanOf(reading, node));
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};

/** The text of a literal with its escapes replaced, as Python does; unknown escapes stay. */
export function replaceEscapes(reading: Reading, text: string, node: SyntaxNode): string {
  const normal = text.replace(/\r\n?/g, "\n");
  if (!normal.includes("\\")) return normal;
  return normal.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole, octal?: string, two?: string, four?: string, eight?: string, other?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      const hex = two ?? four ?? eight;
      if (hex !== undefined) return fromHex(reading, hex, node);
      if (other === "x" || other === "u" || other === "U" || other === "N") {
        throw badEscape(reading, `\\${other}`, node);
      }
      return fieldOf(simpleEscapes, other ?? "") ?? whole;
    },
  );
}

function fromHex(reading: Reading, hex: string, node: SyntaxNode): string {
  const point = Number.parseInt(hex, 16);
  if (point > 0x10ffff) throw badEscape(reading, "\\U", node);
  return String.fromCodePoint(point);
}

function badEscape(reading: Reading, what: string, node: SyntaxNode): SyntaxFault {
  if (what === "\\N") return unsupported(reading, "a named character escape", node);
  const message = `(unicode error) 'unicodeescape' codec can't decode bytes: truncated ${what}XX escape`;
  return new SyntaxFault("SyntaxError", message, spanOf(reading, node));
}
