import type { Span } from "#core/diagnostics";
import type { ParameterKind } from "../values/parameter.ts";
import type { Value } from "../values/value.ts";

/** An expression; its span includes parentheses. */
export type Expression = { readonly span: Span } & ExpressionShape;

type ExpressionShape =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tuple" | "list" | "set"; readonly items: readonly Expression[] }
  | { readonly kind: "starred"; readonly value: Expression }
  | { readonly kind: "dict"; readonly entries: readonly DictEntry[] }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "boolean";
      readonly operator: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "compare"; readonly first: Expression; readonly rest: readonly Comparison[] }
  | {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly whenTrue: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: "lambda"; readonly definition: FunctionNode }
  | ({ readonly kind: "comprehension" } & Comprehension)
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly ArgumentNode[];
    }
  | {
      readonly kind: "attribute";
      readonly object: Expression;
      readonly name: string;
      readonly nameSpan: Span;
    }
  | { readonly kind: "subscript"; readonly object: Expression; readonly index: Expression }
  | {
      readonly kind: "slice";
      readonly start?: Expression;
      readonly stop?: Expression;
      readonly step?: Expression;
    }
  | {
      readonly kind: "walrus";
      readonly name: string;
      readonly nameSpan: Span;
      readonly value: Expression;
    }
  | { readonly kind: "format"; readonly parts: readonly FormatPart[] }
  | { readonly kind: "yield"; readonly value?: Expression }
  | { readonly kind: "yield-from"; readonly value: Expression }
  /**
   * Reads a hidden slot with an already evaluated part; generated for `yield` inside expressions.
   */
  | { readonly kind: "held"; readonly slot: number };

/** Entry of a dict display; without a key it is `**value`. */
export interface DictEntry {
  readonly key?: Expression;
  readonly value: Expression;
}

export interface Comparison {
  readonly operator: string;
  readonly right: Expression;
}

export interface Comprehension {
  readonly of: "list" | "set" | "dict" | "generator";
  readonly element: Expression;
  /** The value of a dict comprehension; `element` is then the key. */
  readonly value?: Expression;
  readonly clauses: readonly Clause[];
}

export interface Clause {
  readonly target: Expression;
  readonly iterable: Expression;
  readonly conditions: readonly Expression[];
}

export interface ArgumentNode {
  readonly star: "" | "*" | "**";
  readonly value: Expression;
  readonly name?: string;
  readonly nameSpan?: Span;
}

/** Literal text or a replacement field of an f-string. */
export type FormatPart = string | Replacement;

export interface Replacement {
  readonly value: Expression;
  readonly conversion?: "s" | "r" | "a";
  readonly specification?: readonly FormatPart[];
}

export interface ParameterNode {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly annotationSpan?: Span;
  readonly default?: Expression;
}

export interface FunctionNode {
  readonly name: string;
  readonly parameters: readonly ParameterNode[];
  readonly body: readonly Statement[];
  readonly span: Span;
  readonly nameSpan: Span;
  readonly bodySpan: Span;
  readonly returnAnnotationSpan?: Span;
  readonly docstring?: string;
  readonly decorators: readonly Expression[];
}

export interface ClassNode {
  readonly name: string;
  readonly args: readonly ArgumentNode[];
  readonly body: readonly Statement[];
  readonly span: Span;
  readonly nameSpan: Span;
  readonly docstring?: string;
  readonly decorators: readonly Expression[];
}

export interface Handler {
  readonly type?: Expression;
  readonly name?: string;
  readonly nameSpan?: Span;
  readonly body: readonly Statement[];
  readonly span: Span;
}

export interface ImportedName {
  /** Dotted module name, or the name inside the module of a `from` import. */
  readonly name: string;
  readonly as?: string;
  readonly span: Span;
}

export interface MatchCase {
  readonly pattern: Pattern;
  readonly guard?: Expression;
  readonly body: readonly Statement[];
}

export type Pattern = { readonly span: Span } & PatternShape;

type PatternShape =
  | { readonly kind: "capture"; readonly name: string }
  | { readonly kind: "value"; readonly value: Expression }
  | { readonly kind: "as"; readonly pattern: Pattern; readonly name: string }
  | { readonly kind: "or"; readonly patterns: readonly Pattern[] }
  | { readonly kind: "sequence"; readonly patterns: readonly Pattern[] }
  | { readonly kind: "star"; readonly name: string }
  | {
      readonly kind: "mapping";
      readonly entries: readonly { readonly key: Expression; readonly pattern: Pattern }[];
      readonly rest?: string;
    }
  | {
      readonly kind: "class";
      readonly type: Expression;
      readonly patterns: readonly Pattern[];
      readonly named: readonly { readonly name: string; readonly pattern: Pattern }[];
    };

/** A statement of the text. */
export type Statement = { readonly span: Span } & StatementShape;

type StatementShape =
  | { readonly kind: "expression"; readonly value: Expression }
  | {
      readonly kind: "assign";
      readonly targets: readonly Expression[];
      readonly value: Expression;
    }
  | {
      readonly kind: "update";
      readonly target: Expression;
      readonly operator: string;
      readonly value: Expression;
    }
  | { readonly kind: "annotation"; readonly target: Expression; readonly value?: Expression }
  | { readonly kind: "delete"; readonly targets: readonly Expression[] }
  | { readonly kind: "pass" | "break" | "continue" }
  | { readonly kind: "return"; readonly value?: Expression }
  | { readonly kind: "raise"; readonly value?: Expression; readonly cause?: Expression }
  | { readonly kind: "import"; readonly names: readonly ImportedName[] }
  | {
      readonly kind: "from-import";
      readonly module: string;
      readonly moduleSpan: Span;
      readonly names: readonly ImportedName[];
    }
  | { readonly kind: "global" | "nonlocal"; readonly names: readonly string[] }
  | { readonly kind: "assert"; readonly test: Expression; readonly message?: Expression }
  | {
      readonly kind: "if";
      readonly branches: readonly {
        readonly test: Expression;
        readonly body: readonly Statement[];
      }[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: "while";
      readonly test: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: "for";
      readonly target: Expression;
      readonly iterable: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: "try";
      readonly body: readonly Statement[];
      readonly handlers: readonly Handler[];
      readonly otherwise: readonly Statement[];
      readonly final: readonly Statement[];
    }
  | {
      readonly kind: "with";
      readonly items: readonly { readonly value: Expression; readonly target?: Expression }[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "function"; readonly definition: FunctionNode }
  | { readonly kind: "class"; readonly definition: ClassNode }
  | { readonly kind: "match"; readonly subject: Expression; readonly cases: readonly MatchCase[] }
  /** Text that is no valid Python; its names get unknown values. */
  | { readonly kind: "malformed"; readonly names: readonly string[] };
