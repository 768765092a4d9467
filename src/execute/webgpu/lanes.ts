import type { Combine } from "#core/ir/body";
import { joinText } from "./join-text.ts";
import { type KernelText, literalIndex, namedNumber, type Term } from "./kernel-text.ts";
import { asNumber, infinity } from "./numbers.ts";

/**
 * Threads of a workgroup that compute a result together: their number, and the index of this
 * thread.
 */
export interface Lanes {
  readonly count: number;
  readonly own: Term;
}

/** Opens a loop over `length` cells that divides them among the lanes. */
export function openLanes(length: number, { count, own }: Lanes, text: KernelText): Term {
  const name = text.name("k");
  text.open(`for (var ${name} = ${own.text}; ${name} < ${length}i; ${name} += ${count}i)`);
  return { text: name, kind: "index", depth: text.depth, low: 0, high: length - 1, varies: true };
}

/** Single lane, which computes everything. */
export const oneLane: Lanes = { count: 1, own: literalIndex(0) };

/** Declares the variables in which lanes sum up. */
export function declareSums(count: number, combine: Combine, text: KernelText): readonly string[] {
  const names = Array.from({ length: count }, () => text.name("sum"));
  for (const name of names) text.statement(`var ${name} = ${startText(combine, text)};`);
  return names;
}

function startText(combine: Combine, text: KernelText): string {
  if (combine === "max" || combine === "min") return infinity(combine === "max", text).text;
  return asNumber(literalIndex(combine === "prod" ? 1 : 0), text).text;
}

/**
 * Joins the lanes' shares of some sums, pair by pair, always in the same order, through the array
 * `shares`.
 */
export function joinLanes(
  names: readonly string[],
  combine: Combine,
  { count, own }: Lanes,
  text: KernelText,
): readonly Term[] {
  const share = (row: number, at: string) => `shares[${at} + ${row * count}]`;
  for (const [row, name] of names.entries()) text.statement(`${share(row, own.text)} = ${name};`);
  text.statement("workgroupBarrier();");
  text.statement(`for (var half = ${count / 2}i; half > 0i; half = half / 2i) {`);
  text.statement(`  if (${own.text} < half) {`);
  for (const row of names.keys()) {
    const joined = joinText(combine, share(row, own.text), share(row, `${own.text} + half`));
    text.statement(`    ${share(row, own.text)} = ${joined};`);
  }
  text.statement("  }");
  text.statement("  workgroupBarrier();");
  text.statement("}");
  const whole = names.map((_, row) => {
    const name = text.name("whole");
    text.statement(`let ${name} = shares[${row * count}];`);
    return namedNumber(name, text.depth);
  });
  text.statement("workgroupBarrier();");
  return whole;
}
