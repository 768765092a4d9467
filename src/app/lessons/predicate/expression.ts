import type { Span } from "#core/diagnostics";

/** The type of an expression's value. */
export type Kind = "truth" | "number" | "text";

/** Comparison operator. */
export type Comparison = "=" | "≠" | "<" | "≤" | ">" | "≥";

/** Argument of a term: a name or a number in its parentheses. */
export interface Argument {
  readonly text: string;
  readonly span: Span;
}

/** Fact about a plan: `bytes`, `count(all-gather)`, `strategy(y).k`. */
export interface Term {
  readonly kind: "term";
  readonly name: TermName;
  readonly args: readonly Argument[];
  /** Word after the point: an identifier of the operator's annotation. */
  readonly field?: string;
  readonly span: Span;
}

/** A condition on a plan, or a part of one (teaching.md §2). */
export type Expression =
  | Term
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "text"; readonly value: string; readonly span: Span }
  | { readonly kind: "in"; readonly text: string; readonly of: Expression; readonly span: Span }
  | { readonly kind: "not"; readonly of: Expression; readonly span: Span }
  | {
      readonly kind: "and" | "or";
      readonly parts: readonly Expression[];
      readonly span: Span;
    }
  | {
      readonly kind: "compare";
      readonly by: Comparison;
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: "arithmetic";
      readonly by: "+" | "-" | "*" | "/";
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    };

/** The unit of a number, which decides its format. */
export type Unit = "bytes" | "seconds" | "count";

/** Signature of a term: its arguments, its value and its unit. */
export interface TermRule {
  /** Kinds of the arguments in order; those ending in `?` are optional. */
  readonly takes: readonly (
    | "kind?"
    | "phase?"
    | "tensor"
    | "operator"
    | "number"
    | "number?"
    | "whole?"
  )[];
  readonly gives: Kind;
  readonly unit?: Unit;
  /** Whether `.identifier` may follow the term. */
  readonly hasField?: true;
  /**
   * Whether the value comes from the cost model. Such a value may not be compared with a bare
   * number, because a change of the model would invalidate the condition.
   */
  readonly isModelled?: true;
}

/** Every term by its name. */
export const terms = {
  ok: { takes: [], gives: "truth" },
  same: { takes: ["whole?"], gives: "truth" },
  count: { takes: ["kind?", "phase?"], gives: "number", unit: "count" },
  bytes: { takes: [], gives: "number", unit: "bytes" },
  time: { takes: [], gives: "number", unit: "seconds", isModelled: true },
  compute: { takes: [], gives: "number", unit: "seconds", isModelled: true },
  memory: { takes: [], gives: "number", unit: "bytes", isModelled: true },
  optimizer: { takes: [], gives: "number", unit: "bytes", isModelled: true },
  devices: { takes: [], gives: "number", unit: "count" },
  mesh: { takes: [], gives: "text" },
  room: { takes: [], gives: "number", unit: "bytes" },
  size: { takes: ["tensor"], gives: "number", unit: "bytes" },
  local: { takes: ["tensor"], gives: "number", unit: "bytes" },
  layout: { takes: ["tensor"], gives: "text" },
  rest: { takes: ["tensor"], gives: "text" },
  strategy: { takes: ["operator"], gives: "text", hasField: true },
  hold: { takes: ["number", "tensor"], gives: "text" },
  at: { takes: ["number", "number?"], gives: "truth" },
  equal: { takes: [], gives: "truth" },
  proven: { takes: [], gives: "truth" },
} as const satisfies Readonly<Record<string, TermRule>>;

/** The name of a term. */
export type TermName = keyof typeof terms;

/** The rule of a term. */
export function ruleOf(name: TermName): TermRule {
  return terms[name];
}

/** Whether a word is the name of a term. */
export function isTermName(word: string): word is TermName {
  return Object.hasOwn(terms, word);
}

/** Type of an expression's value; type faults inside it are reported by the parser. */
export function kindOf(expression: Expression): Kind {
  switch (expression.kind) {
    case "term":
      return ruleOf(expression.name).gives;
    case "number":
    case "text":
      return expression.kind;
    case "in":
      return kindOf(expression.of);
    case "arithmetic":
      return "number";
    default:
      return "truth";
  }
}

/** The expression itself and all its subexpressions. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "in":
    case "not":
      return [expression, ...partsOf(expression.of)];
    case "and":
    case "or":
      return [expression, ...expression.parts.flatMap(partsOf)];
    case "compare":
    case "arithmetic":
      return [expression, ...partsOf(expression.left), ...partsOf(expression.right)];
    default:
      return [expression];
  }
}

/** The unit of an expression's number; the ratio of two equal units is a count. */
export function unitOf(expression: Expression): Unit {
  switch (expression.kind) {
    case "term":
      return ruleOf(expression.name).unit ?? "count";
    case "in":
      return unitOf(expression.of);
    case "arithmetic": {
      const [left, right] = [unitOf(expression.left), unitOf(expression.right)];
      if (expression.by === "/") return right === "count" ? left : "count";
      return left === "count" ? right : left;
    }
    default:
      return "count";
  }
}
