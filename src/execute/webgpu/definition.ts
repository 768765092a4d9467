import type { Combine, Definition, Loop } from "#core/ir/body";
import { type PinnedLoop, pinnedLoop } from "#execute/engine";
import { asIndex, emit } from "./expression.ts";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { asNumber, infinity } from "./numbers.ts";
import { quadSize, type Register, type Scope } from "./scope.ts";

/** The range of a definition's loop in every instance. */
export interface LoopRange {
  readonly length: number;
  readonly starts: readonly number[];
}

export type RangeOf = (loop: Loop) => LoopRange;

/**
 * Writes a definition at several cells at once: its value, combined over its loops. Reads that
 * cells share, in a row or column of a tile, are done once.
 *
 * @param scopes one per cell
 * @param unroll how many terms of the innermost loop are added in one go
 */
export function emitDefinition(
  definition: Definition,
  scopes: readonly Scope[],
  rangeOf: RangeOf,
  unroll: number,
): readonly Term[] {
  const text = scopes[0]?.text;
  if (text === undefined) return [];
  const { over, combine, value } = definition;
  if (over.length === 0) return scopes.map((scope) => asNumber(emit(value, scope), text));
  const pinned = pinnedLoop(definition);
  const fold: Fold = {
    text,
    combine,
    value,
    names: scopes.map(() => text.name("sum")),
    rangeOf,
    unroll,
    // The single term of a pinned loop is inside a branch, which not all threads of a quad may
    // enter.
    hasQuads: scopes[0]?.hasQuads === true && unroll === quadSize && pinned === undefined,
  };
  for (const name of fold.names) text.statement(`var ${name} = ${startOf(combine, text)};`);
  const loops = over.filter(({ axis }) => axis !== pinned?.axis);
  foldLoops(loops, scopes, fold, (inner) => {
    if (pinned === undefined) joinTerms(inner, fold);
    else joinPinned(pinned, over, inner, fold);
  });
  const depth = text.depth;
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return fold.names.map((name): Term => ({ text: name, kind: "number", depth, low, high }));
}

interface Fold {
  readonly text: KernelText;
  readonly combine: Combine;
  readonly value: Definition["value"];
  readonly names: readonly string[];
  readonly rangeOf: RangeOf;
  readonly unroll: number;
  readonly hasQuads: boolean;
}

function startOf(combine: Combine, text: KernelText): string {
  switch (combine) {
    case "sum":
      return asNumber(literalIndex(0), text).text;
    case "prod":
      return asNumber(literalIndex(1), text).text;
    case "max":
      return infinity(true, text).text;
    case "min":
      return infinity(false, text).text;
  }
}

/** Several steps of the innermost loop: per step the scopes of all cells. */
type Steps = readonly (readonly Scope[])[];

function foldLoops(
  loops: readonly Loop[],
  scopes: readonly Scope[],
  fold: Fold,
  visit: (steps: Steps) => void,
): void {
  const [loop, ...rest] = loops;
  if (loop === undefined) {
    visit([scopes]);
    return;
  }
  const { text, rangeOf, unroll } = fold;
  const { length, starts } = rangeOf(loop);
  const at = (local: Term): readonly Scope[] =>
    scopes.map((scope) => withRegister(scope, loop.axis, { local, starts }));
  if (rest.length > 0) {
    overLoop(text, length, 1, (index) => foldLoops(rest, at(index), fold, visit));
    return;
  }
  const step = length < 2 * unroll ? 1 : unroll;
  const whole = length - (length % step);
  overLoop(text, whole, step, (index) => {
    const isShared = fold.hasQuads && step === quadSize;
    const steps = Array.from({ length: step }, (_, add) => {
      const local = text.sum(index, literalIndex(add));
      const register = { local, starts, ...(isShared && { quad: { at: add, first: index } }) };
      return scopes.map((scope) => withRegister(scope, loop.axis, register));
    });
    visit(steps);
  });
  const tail = Array.from({ length: length - whole }, (_, add) => at(literalIndex(whole + add)));
  if (tail.length > 0) visit(tail);
}

function withRegister(scope: Scope, name: string, register: Register): Scope {
  return { ...scope, registers: new Map(scope.registers).set(name, register) };
}

function overLoop(
  text: KernelText,
  length: number,
  step: number,
  body: (index: Term) => void,
): void {
  if (length === 0) return;
  if (length === step) {
    body(literalIndex(0));
    return;
  }
  const name = text.name("k");
  text.open(`for (var ${name} = 0i; ${name} < ${length}i; ${name} += ${step}i)`);
  body({ text: name, kind: "index", depth: text.depth, low: 0, high: length - step });
  text.close();
}

function joinTerms(steps: Steps, { text, combine, value, names }: Fold): void {
  for (const [cell, name] of names.entries()) {
    const terms = steps.flatMap((scopes) => {
      const scope = scopes[cell];
      return scope === undefined ? [] : [asNumber(emit(value, scope), text).text];
    });
    text.statement(`${name} = ${joined(combine, name, terms)};`);
  }
}

function joined(combine: Combine, name: string, terms: readonly string[]): string {
  if (combine === "sum") return `${name} + (${terms.join(" + ")})`;
  if (combine === "prod") return [name, ...terms].join(" * ");
  return terms.reduce((held, term) => `${combine}(${held}, ${term})`, name);
}

/** Joins the single term of a sum that is not 0, if this instance has it. */
function joinPinned(
  { axis, at, value }: PinnedLoop,
  over: readonly Loop[],
  steps: Steps,
  { text, names, rangeOf }: Fold,
): void {
  const loop = over.find((each) => each.axis === axis);
  if (loop === undefined) throw new Error(`no loop ${axis}`);
  const { length, starts } = rangeOf(loop);
  for (const scopes of steps) {
    for (const [cell, scope] of scopes.entries()) {
      const index = asIndex(emit(at, scope), scope);
      const local = text.sum(index, text.scaled(text.column(starts), -1));
      text.open(`if (bitcast<u32>(${local.text}) < ${length}u)`);
      const inside = withRegister(scope, axis, { local, starts });
      const term = asNumber(emit(value, inside), text);
      text.statement(`${names[cell]} = ${names[cell]} + ${term.text};`);
      text.close();
    }
  }
}
