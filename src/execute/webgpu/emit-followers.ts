import { emit } from "./expression.ts";
import { atHand, type Follower } from "./followers.ts";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { asNumber } from "./numbers.ts";
import { registersOf } from "./output-space.ts";
import { type Digit, digitsAt, wordAt } from "./places.ts";

/**
 * Emits the statements that use the number at one word of a block, whose index is given as digits.
 */
export function emitFollowers(
  followers: readonly Follower[],
  digits: readonly Digit[],
  value: Term,
  text: KernelText,
): void {
  for (const { scope, space, target, value: expr, strides, followers: next } of followers) {
    const places = space.counters.map(({ length }, at) =>
      digitAt(digits, strides[at] ?? 0, length, text),
    );
    const registers = registersOf(space, places, text);
    const tables = new Map(scope.tables).set(atHand, value);
    const made = asNumber(emit(expr, { ...scope, text, registers, hasQuads: false, tables }), text);
    const word = wordAt(space, places, text);
    text.statement(`${text.buffer(target, "read_write")}[${word.text}] = ${made.text};`);
    emitFollowers(next, digitsAt(space, places), made, text);
  }
}

/** `⌊word / stride⌋ mod length`, from the digits of the word that decide it. */
function digitAt(digits: readonly Digit[], stride: number, length: number, text: KernelText): Term {
  if (length === 1 || stride === 0) return literalIndex(0);
  const end = stride * length;
  let sum: Term | undefined = literalIndex(0);
  for (const { term, step, length: many } of digits) {
    if (many === 1 || step * many <= stride || step >= end) continue;
    const part = partBetween(term, step, many, [stride, end], text);
    sum = part && sum && text.sum(sum, part);
  }
  if (sum !== undefined) return sum;
  const word = digits.reduce(
    (all, { term, step }) => text.sum(all, text.scaled(term, step)),
    literalIndex(0),
  );
  return text.digits(text.digits(word, stride)[0], length)[1];
}

/** The share of a digit between two places of a word; `undefined` if they cut it unevenly. */
function partBetween(
  term: Term,
  step: number,
  length: number,
  [stride, end]: readonly [number, number],
  text: KernelText,
): Term | undefined {
  const below = Math.max(1, stride / step);
  const least = Math.max(step, stride);
  const isEven = [below, least / stride, end / least].every(Number.isInteger);
  if (!isEven) return undefined;
  const above = text.digits(term, below)[0];
  const inside = step * length > end ? text.digits(above, end / least)[1] : above;
  return text.scaled(inside, least / stride);
}
