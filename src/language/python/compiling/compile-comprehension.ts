import { weigh } from "../reading/children.ts";
import type { Clause, Expression } from "../reading/syntax.ts";
import { advanceOf } from "../values/iterate.ts";
import { keyOf } from "../values/keys.ts";
import { setEntry } from "../values/set-item.ts";
import { truth } from "../values/truth.ts";
import type { Advance, DictValue, SetValue, Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { generatorOver } from "./generators.ts";
import {
  comprehensionScope,
  createEnvironment,
  type Environment,
  type Evaluate,
  type Scope,
} from "./scope.ts";

type ComprehensionExpression = Extract<Expression, { kind: "comprehension" }>;

/** Comprehensions of every kind; a generator expression runs lazily. */
export function compileComprehension(
  compiler: Compiler,
  scope: Scope,
  expression: ComprehensionExpression,
): Evaluate {
  const { rt } = compiler;
  const { clauses } = expression;
  const [outermost] = clauses;
  if (outermost === undefined) throw new Error("a comprehension has a clause");
  const source = compiler.expression(scope, outermost.iterable);
  const inner = comprehensionScope(scope, expression);
  const loops = clauses.map((clause, index) => compileClause(compiler, inner, clause, index));
  const collect = collector(compiler, inner, expression);
  const start = (environment: Environment) => {
    const from = advanceOf(rt, source(environment), outermost.iterable.span);
    const slots = new Array<Value | undefined>(inner.slots.size).fill(undefined);
    return { from, own: createEnvironment(environment, slots) };
  };
  const unread = unreadRounds(compiler, expression);
  return (environment) => {
    const asked = rt.unknownAsked;
    const { from, own } = start(environment);
    if (rt.unknownAsked === asked) return collect(own, roundsOf(own, loops, from));
    const first = from();
    if (first === undefined) return unread();
    return collect(own, roundsOf(own, loops, startingWith(first, from)));
  };
}

/**
 * Additional steps per round whose item is kept, since allocating costs more than most expressions.
 */
const costOfKeeping = 2;

/** Builds the value of a comprehension from its rounds. */
function collector(
  compiler: Compiler,
  scope: Scope,
  { span, of, element, value }: ComprehensionExpression,
): (own: Environment, next: NextRound) => Value {
  const { rt } = compiler;
  const evaluate = compiler.expression(scope, element);
  const kept = of === "generator" ? 0 : costOfKeeping;
  const cost = weigh(element) + (value === undefined ? 0 : weigh(value)) + kept;
  const round = (environment: Environment) => {
    rt.tick(cost, span);
    return evaluate(environment);
  };
  if (of === "generator")
    return (own, next) =>
      generatorOver(
        rt,
        "<genexpr>",
        itemsOf(next, () => round(own)),
      );
  if (of === "dict") {
    const entry = value === undefined ? evaluate : compiler.expression(scope, value);
    return (own, next) => {
      const made: DictValue = { kind: "dict", entries: new Map() };
      while (next()) {
        const key = round(own);
        setEntry(rt, made, key, entry(own), span);
      }
      return made;
    };
  }
  if (of === "set") {
    return (own, next) => {
      const made: SetValue = { kind: "set", frozen: false, members: new Map() };
      while (next()) {
        const item = round(own);
        const key = keyOf(rt, item, span);
        rt.allocate(2, span);
        if (!made.members.has(key)) made.members.set(key, item);
      }
      return made;
    };
  }
  return (own, next) => {
    const items: Value[] = [];
    let further: Value | undefined;
    while (next()) {
      rt.allocate(1, span);
      items.push(further ?? round(own));
      if (isLarge(items)) further ??= rt.host.recovered?.("row", undefined, span, rt.context);
    }
    return { kind: "list", items };
  };
}

/** Largest table of numbers that is computed whole; of larger ones some rows are enough. */
const mostNumbers = 32_768;

/** Whether the rows so far are numerous and alike enough to stop making rows. */
function isLarge(rows: readonly Value[]): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first?.kind !== "list" || last?.kind !== "list") return false;
  const { length } = first.items;
  if (rows.length < 2 || rows.length * length < mostNumbers) return false;
  const isNumber = (each: Value | undefined) => each?.kind === "float" || each?.kind === "int";
  return last.items.length === length && isNumber(first.items[0]) && isNumber(last.items[0]);
}

/** Comprehension over an unknown number of rounds: one unknown item represents all. */
function unreadRounds(
  { rt }: Compiler,
  { of, span, clauses }: ComprehensionExpression,
): () => Value {
  const at = clauses[0]?.iterable.span ?? span;
  return () => {
    const name = rt.source.slice(at.from, at.to);
    const item = rt.host.recovered?.(name, undefined, at, rt.context) ?? { kind: "unknown" };
    switch (of) {
      case "list":
        return { kind: "list", items: [item] };
      case "generator":
        return generatorOver(rt, "<genexpr>", once(item));
      default:
        return item;
    }
  };
}

function* once(item: Value): Generator<Value, Value> {
  yield item;
  return { kind: "none" };
}

function startingWith(first: Value, advance: Advance): Advance {
  let isBegun = false;
  return () => {
    if (isBegun) return advance();
    isBegun = true;
    return first;
  };
}

interface Loop {
  /** Starts the loop's iteration; the outermost loop is started outside. */
  readonly start: (environment: Environment) => Advance;
  /** Stores an item; false when a condition rejects it. */
  readonly accept: (environment: Environment, item: Value) => boolean;
}

function compileClause(compiler: Compiler, scope: Scope, clause: Clause, index: number): Loop {
  const { rt } = compiler;
  const store = compiler.target(scope, clause.target);
  const source = index === 0 ? undefined : compiler.expression(scope, clause.iterable);
  const { span } = clause.iterable;
  const cost = clause.conditions.reduce((total, condition) => total + weigh(condition), 1);
  const conditions = clause.conditions.map((condition) => ({
    span: condition.span,
    test: compiler.expression(scope, condition),
  }));
  return {
    start: (environment) =>
      source === undefined ? () => undefined : advanceOf(rt, source(environment), span),
    accept: (environment, item) => {
      rt.tick(cost, span);
      store(environment, item);
      return conditions.every(({ test, span: at }) => truth(rt, test(environment), at));
    },
  };
}

/**
 * Advances nested loops to their next round, whose names are in the environment; false after the
 * last.
 */
type NextRound = () => boolean;

/**
 * Rounds of nested loops as one iteration: nested generators would pass each round through all
 * levels.
 */
function roundsOf(environment: Environment, loops: readonly Loop[], from: Advance): NextRound {
  const begun = [from];
  return () => {
    for (let advance = begun.at(-1); advance !== undefined; advance = begun.at(-1)) {
      const item = advance();
      if (item === undefined) begun.pop();
      else if (loops[begun.length - 1]?.accept(environment, item)) {
        const inner = loops[begun.length];
        if (inner === undefined) return true;
        begun.push(inner.start(environment));
      }
    }
    return false;
  };
}

function* itemsOf(next: NextRound, round: () => Value): Generator<Value, Value> {
  while (next()) yield round();
  return { kind: "none" };
}
