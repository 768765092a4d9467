import type { Definition, Expr } from "#core/ir";
import { type Compute, compile, type Program } from "./compile-expression.ts";

/** A loop over a half-open range of one register. */
export interface Counter {
  readonly register: number;
  readonly start: number;
  readonly stop: number;
}

/** Where an axis or loop runs on this device. */
export type CounterOf = (loop: Definition["over"][number]) => Counter;

/** Compiles a definition: its value, combined over its loops. */
export function compileDefinition(
  definition: Definition,
  program: Program,
  counterOf: CounterOf,
): Compute {
  const pinned = definition.combine === "sum" ? pinnedLoop(definition) : undefined;
  const value = compile(pinned?.value ?? definition.value, program);
  const counters = definition.over
    .filter(({ axis }) => axis !== pinned?.axis)
    .map((loop) => counterOf(loop));
  const run =
    pinned === undefined
      ? value
      : pin(
          value,
          compile(pinned.at, program),
          counterOf(definition.over.find(({ axis }) => axis === pinned.axis) ?? pinned),
          program,
        );
  if (definition.over.length === 0) return run;
  return looped(run, definition.combine, counters, program);
}

interface Pinned {
  readonly axis: string;
  readonly at: Expr;
  readonly value: Expr;
}

/**
 * A sum whose terms are 0 unless a loop's index equals an expression free of it has one term: the
 * one at that index. Embeddings, gathers and their kin are written that way.
 */
function pinnedLoop({ over, value }: Definition): Pinned | undefined {
  if (value.kind !== "apply" || value.function !== "select") return undefined;
  const [condition, yes, no] = value.args;
  if (no?.kind !== "number" || no.value !== 0 || yes === undefined) return undefined;
  const sides = condition && equated(condition);
  const [left, right] = sides ?? [];
  if (left?.kind !== "index" || right === undefined) return undefined;
  const isLoop = over.some(({ axis }) => axis === left.axis);
  return isLoop && isFree(right, left.axis)
    ? { axis: left.axis, at: right, value: yes }
    : undefined;
}

/** The sides of an equality, which is written as `a ≤ b` times `b ≤ a`. */
function equated(expr: Expr): readonly [Expr, Expr] | undefined {
  if (expr.kind !== "apply" || expr.function !== "mul") return undefined;
  const [below, above] = expr.args;
  if (below?.kind !== "apply" || above?.kind !== "apply") return undefined;
  if (below.function !== "less-equal" || above.function !== "less-equal") return undefined;
  const [a, b] = below.args;
  return a !== undefined && b !== undefined && above.args[0] === b && above.args[1] === a
    ? [a, b]
    : undefined;
}

/** Whether an expression reads an operand or a number, but nothing that follows an axis itself. */
function isFree(expr: Expr, axis: string): boolean {
  switch (expr.kind) {
    case "number":
      return true;
    case "index":
      return expr.axis !== axis;
    case "table":
      return false;
    case "read":
      return expr.at === undefined || expr.at.every((each) => isFree(each, axis));
    case "apply":
      return expr.args.every((arg) => isFree(arg, axis));
  }
}

function pin(
  value: Compute,
  at: Compute,
  { register, start, stop }: Counter,
  program: Program,
): Compute {
  const { registers } = program;
  return () => {
    const index = at();
    if (!(index >= start && index < stop)) return Number.isNaN(index) ? index : 0;
    registers[register] = index;
    return value();
  };
}

const starts = { sum: 0, prod: 1, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY };

function looped(
  run: Compute,
  combine: Definition["combine"],
  counters: readonly Counter[],
  { registers }: Program,
): Compute {
  const join = joinOf(combine);
  const depthCount = counters.length;
  const visit = (depth: number, held: number): number => {
    if (depth === depthCount) return join(held, run());
    const counter = counters[depth];
    if (counter === undefined) return held;
    let result = held;
    for (let index = counter.start; index < counter.stop; index += 1) {
      registers[counter.register] = index;
      result = visit(depth + 1, result);
    }
    return result;
  };
  return () => visit(0, starts[combine]);
}

function joinOf(combine: Definition["combine"]): (held: number, added: number) => number {
  switch (combine) {
    case "sum":
      return (held, added) => held + added;
    case "prod":
      return (held, added) => held * added;
    case "max":
      return Math.max;
    case "min":
      return Math.min;
  }
}
