import type { Span } from "#core/diagnostics";
import type { Expression } from "#language/python";

/** A name that an expression reads, with its span. */
export interface ReadName {
  readonly name: string;
  readonly span: Span;
}

/** The names that an expression reads, except those that it binds itself. */
export function namesRead(expression: Expression | undefined): readonly ReadName[] {
  if (expression === undefined) return [];
  switch (expression.kind) {
    case "name":
      return [{ name: expression.name, span: expression.span }];
    case "comprehension": {
      const { element, value, clauses } = expression;
      const inner = clauses.flatMap(({ conditions, iterable }) => [iterable, ...conditions]);
      const bound = new Set(clauses.flatMap(({ target }) => namesBound(target)));
      const all = [element, ...(value ? [value] : []), ...inner].flatMap(namesRead);
      return all.filter(({ name }) => !bound.has(name));
    }
    case "lambda": {
      const { parameters, body } = expression.definition;
      const bound = new Set(parameters.map(({ name }) => name));
      const defaults = parameters.flatMap((each) => namesRead(each.default));
      const values = body.flatMap((each) =>
        each.kind === "return" || each.kind === "expression" ? namesRead(each.value) : [],
      );
      return [...defaults, ...values.filter(({ name }) => !bound.has(name))];
    }
    default:
      return partsOf(expression).flatMap(namesRead);
  }
}

/** The names bound by the target of an assignment or a loop. */
export function namesBound(target: Expression): readonly string[] {
  if (target.kind === "name") return [target.name];
  if (target.kind === "starred") return namesBound(target.value);
  return target.kind === "tuple" || target.kind === "list" ? target.items.flatMap(namesBound) : [];
}

/**
 * The names after a starred target, `b` of `*a, b = f(x)`: they have no value if the graph computes
 * the tuple. A tuple written in the text, and a shape, are unpacked at compile time.
 */
export function namesEmpty(target: Expression, value: Expression): readonly string[] {
  if (target.kind !== "tuple" && target.kind !== "list") return [];
  const isWorkedOut = value.kind === "tuple" || value.kind === "list";
  if (isWorkedOut || (value.kind === "attribute" && value.name === "shape")) return [];
  const star = target.items.findIndex(({ kind }) => kind === "starred");
  return star < 0 ? [] : target.items.slice(star + 1).flatMap(namesBound);
}

/** The direct subexpressions of an expression; none for names and lambdas. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "tuple":
    case "list":
    case "set":
      return expression.items;
    case "starred":
    case "yield-from":
    case "walrus":
      return [expression.value];
    case "yield":
      return expression.value === undefined ? [] : [expression.value];
    case "dict":
      return expression.entries.flatMap(({ key, value }) => (key ? [key, value] : [value]));
    case "unary":
      return [expression.operand];
    case "binary":
    case "boolean":
      return [expression.left, expression.right];
    case "compare":
      return [expression.first, ...expression.rest.map(({ right }) => right)];
    case "conditional":
      return [expression.test, expression.whenTrue, expression.otherwise];
    case "call":
      return [expression.callee, ...expression.args.map(({ value }) => value)];
    case "attribute":
      return [expression.object];
    case "subscript":
      return [expression.object, expression.index];
    case "slice":
      return [expression.start, expression.stop, expression.step].filter(
        (each) => each !== undefined,
      );
    case "format":
      return expression.parts.flatMap((part) => (typeof part === "string" ? [] : [part.value]));
    case "comprehension":
      return [
        expression.element,
        ...(expression.value ? [expression.value] : []),
        ...expression.clauses.flatMap(({ iterable, conditions }) => [iterable, ...conditions]),
      ];
    default:
      return [];
  }
}
