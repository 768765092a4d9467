import { complex } from "../library/complex.ts";
import type { Value } from "../values/value.ts";
import { fault } from "./cursor.ts";
import type { Token } from "./tokens.ts";

/** The value of a number: exact integers, floats, or a fault for what Python refuses. */
export function readNumber(token: Token): Value {
  const { text } = token;
  const digits = text.includes("_") ? withoutUnderscores(token) : text;
  if (/^(?:0|[1-9]\d{0,300})$/.test(digits)) return { kind: "int", value: BigInt(digits) };
  if (/[jJ]$/.test(digits)) return complex(0, Number(digits.slice(0, -1)));
  if (/^0[xXoObB]/.test(digits)) return { kind: "int", value: BigInt(digits) };
  if (/[.eE]/.test(digits)) return { kind: "float", value: Number(digits) };
  if (/^0\d*[1-9]/.test(digits)) {
    const message =
      "leading zeros in decimal integer literals are not permitted; " +
      "use an 0o prefix for octal integers";
    throw fault(message, token);
  }
  if (digits.length > 4300) {
    throw fault("Exceeds the limit (4300 digits) for integer string conversion", token);
  }
  return { kind: "int", value: BigInt(digits) };
}

function withoutUnderscores(token: Token): string {
  const { text } = token;
  if (/__|_$|_[.eE]|\._|[eE+-]_/.test(text)) throw fault("invalid decimal literal", token);
  const digits = text.replaceAll("_", "");
  if (digits.length === 2 && /[xXoObB]$/.test(digits)) throw fault("invalid number literal", token);
  return digits;
}

/** The value that a word or `...` stands for. */
export function readConstant({ text }: Token): Value | undefined {
  if (text === "None") return { kind: "none" };
  if (text === "True" || text === "False") return { kind: "bool", value: text === "True" };
  return text === "..." ? { kind: "ellipsis" } : undefined;
}
