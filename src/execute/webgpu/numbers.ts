import { largestWord, leastWord } from "#execute/reference";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";

/** The bits of a cell that no device has sent: NaN as a float. */
export const unfilledBits = 0x7fc00000;

/** Number known while the kernel is written; an index if it is an integer. */
export function numberLiteral(value: number, text: KernelText): Term {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return literalIndex(value);
  if (text.type === "i32") return wordLiteral(value);
  const single = Math.fround(value);
  if (Number.isNaN(single)) return notANumber(text);
  if (!Number.isFinite(single)) return infinity(single < 0, text);
  const digits = String(single);
  const written = `${/[.e]/.test(digits) ? digits : `${digits}.`}f`;
  return numberTerm(single < 0 ? `(${written})` : written);
}

function wordLiteral(value: number): Term {
  if (Number.isNaN(value)) return numberTerm(`${unfilledBits}i`);
  if (value === Number.NEGATIVE_INFINITY) return numberTerm(`i32(${leastWord})`);
  if (value === Number.POSITIVE_INFINITY) return numberTerm(`${largestWord}i`);
  return numberTerm(`i32(${value | 0})`);
}

function numberTerm(text: string): Term {
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { text, kind: "number", depth: 0, low, high };
}

/** NaN, from bits that are put together while the kernel runs, as WGSL has no literal for it. */
export function notANumber(text: KernelText): Term {
  if (text.type === "i32") return numberTerm(`${unfilledBits}i`);
  text.helpers.add("zero");
  return text.compute("number", `bitcast<f32>(${unfilledBits}u | zero)`, []);
}

export function infinity(isNegative: boolean, text: KernelText): Term {
  if (text.type === "i32") {
    return wordLiteral(isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  }
  text.helpers.add("zero");
  const bits = isNegative ? "0xff800000u" : "0x7f800000u";
  return text.compute("number", `bitcast<f32>(${bits} | zero)`, []);
}

/** An index as a number of the kernel's type. */
export function asNumber(term: Term, text: KernelText): Term {
  if (term.kind === "number") return term;
  if (text.type === "i32") return { ...term, kind: "number" };
  if (term.literal !== undefined) {
    const { literal } = term;
    return { ...term, kind: "number", text: literal < 0 ? `(${literal}.f)` : `${literal}.f` };
  }
  return text.compute("number", `f32(${term.text})`, [term]);
}
