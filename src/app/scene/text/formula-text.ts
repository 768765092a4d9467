import type { Factor, Formula, Term, Unit } from "#core/collective";
import { formatBytes, formatCount, formatRate, formatSeconds } from "./numbers.ts";

/** A number with its unit. */
export function formatAmount(value: number, unit: Unit): string {
  switch (unit) {
    case "s":
      return formatSeconds(value);
    case "B":
      return formatBytes(value);
    case "B/s":
      return `${formatBytes(value)}/s`;
    case "FLOP":
    case "FLOP/s":
      return formatRate(value, unit);
    case "1":
      return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(3)));
  }
}

/** A term in symbols, `2 · (n − 1) · α`, and with its numbers, `2 · (4 − 1) · 3.00 µs`. */
export function termText({ factors }: Term): {
  readonly symbols: string;
  readonly numbers: string;
} {
  const numberOf = ({ text, value, unit }: Factor) => text ?? formatAmount(value, unit);
  return {
    symbols: productText(factors, ({ symbol }) => symbol),
    numbers: productText(factors, numberOf),
  };
}

function productText(factors: readonly Factor[], textOf: (factor: Factor) => string): string {
  const above = factors.filter(({ divides }) => divides !== true).map(textOf);
  const below = factors.filter(({ divides }) => divides === true).map(textOf);
  return [above.join(" · "), ...below].join(" ÷ ");
}

/** The operation that combines a formula's terms, in words; empty for one term. */
export function joinText({ joins, terms }: Formula): string {
  if (terms.length < 2) return "";
  return joins === "sum" ? "the sum of" : "the larger of";
}
