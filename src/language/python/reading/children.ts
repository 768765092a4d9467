import type { Comprehension, Expression, FormatPart, Statement } from "./syntax.ts";

/** Subexpressions in evaluation order; the body of a lambda does not count. */
export function childrenOf(expression: Expression): readonly Expression[] {
  const children: Expression[] = [];
  mapChildren(expression, (child) => {
    children.push(child);
    return child;
  });
  return children;
}

/** Expression with its subexpressions replaced, in evaluation order. */
export function mapChildren(
  expression: Expression,
  map: (child: Expression) => Expression,
): Expression {
  switch (expression.kind) {
    case "constant":
    case "name":
    case "held":
      return expression;
    case "tuple":
    case "list":
    case "set":
      return { ...expression, items: expression.items.map(map) };
    case "starred":
    case "yield-from":
    case "walrus":
      return { ...expression, value: map(expression.value) };
    case "yield":
      return expression.value === undefined
        ? expression
        : { ...expression, value: map(expression.value) };
    case "unary":
      return { ...expression, operand: map(expression.operand) };
    case "binary":
    case "boolean": {
      const left = map(expression.left);
      return { ...expression, left, right: map(expression.right) };
    }
    case "conditional": {
      const test = map(expression.test);
      const whenTrue = map(expression.whenTrue);
      return { ...expression, test, whenTrue, otherwise: map(expression.otherwise) };
    }
    case "attribute":
      return { ...expression, object: map(expression.object) };
    case "subscript": {
      const object = map(expression.object);
      return { ...expression, object, index: map(expression.index) };
    }
    default:
      return mapListed(expression, map);
  }
}

function mapListed(
  expression: Extract<
    Expression,
    { kind: "dict" | "compare" | "lambda" | "comprehension" | "call" | "slice" | "format" }
  >,
  map: (child: Expression) => Expression,
): Expression {
  switch (expression.kind) {
    case "dict":
      return {
        ...expression,
        entries: expression.entries.map(({ key, value }) =>
          key === undefined ? { value: map(value) } : { key: map(key), value: map(value) },
        ),
      };
    case "compare": {
      const first = map(expression.first);
      const rest = expression.rest.map(({ operator, right }) => ({ operator, right: map(right) }));
      return { ...expression, first, rest };
    }
    case "lambda": {
      const { definition } = expression;
      const parameters = definition.parameters.map((parameter) =>
        parameter.default === undefined
          ? parameter
          : { ...parameter, default: map(parameter.default) },
      );
      return { ...expression, definition: { ...definition, parameters } };
    }
    case "comprehension":
      return { ...expression, ...mapComprehension(expression, map) };
    case "call": {
      const callee = map(expression.callee);
      const args = expression.args.map((arg) => ({ ...arg, value: map(arg.value) }));
      return { ...expression, callee, args };
    }
    case "slice": {
      const { start, stop, step } = expression;
      return {
        ...expression,
        ...(start === undefined ? {} : { start: map(start) }),
        ...(stop === undefined ? {} : { stop: map(stop) }),
        ...(step === undefined ? {} : { step: map(step) }),
      };
    }
    case "format":
      return { ...expression, parts: expression.parts.map((part) => mapFormat(part, map)) };
  }
}

function mapFormat(part: FormatPart, map: (child: Expression) => Expression): FormatPart {
  if (typeof part === "string") return part;
  const value = map(part.value);
  const { specification } = part;
  if (specification === undefined) return { ...part, value };
  return { ...part, value, specification: specification.map((inner) => mapFormat(inner, map)) };
}

function mapComprehension(
  { of, element, value, clauses }: Comprehension,
  map: (child: Expression) => Expression,
): Comprehension {
  const mapped = clauses.map((clause) => ({
    target: map(clause.target),
    iterable: map(clause.iterable),
    conditions: clause.conditions.map(map),
  }));
  return {
    of,
    element: map(element),
    ...(value === undefined ? {} : { value: map(value) }),
    clauses: mapped,
  };
}

/** Whether evaluating an expression may suspend the enclosing function. */
export function hasYield(expression: Expression): boolean {
  if (expression.kind === "yield" || expression.kind === "yield-from") return true;
  if (expression.kind === "lambda") return false;
  if (expression.kind === "comprehension") {
    const [first] = expression.clauses;
    return first !== undefined && hasYield(first.iterable);
  }
  return childrenOf(expression).some(hasYield);
}

/** Number of subexpressions: a measure of the work of one evaluation. */
export function weigh(expression: Expression): number {
  if (expression.kind === "lambda") return 1;
  if (expression.kind === "comprehension") {
    const [first] = expression.clauses;
    return 2 + (first === undefined ? 0 : weigh(first.iterable));
  }
  switch (expression.kind) {
    // The most frequent kinds are weighed without building a list.
    case "constant":
    case "name":
      return 1;
    case "call":
      return expression.args.reduce(
        (total, { value }) => total + weigh(value),
        1 + weigh(expression.callee),
      );
    case "tuple":
    case "list":
      return weighAll(expression.items);
    case "attribute":
      return 1 + weigh(expression.object);
    default:
      return weighAll(childrenOf(expression));
  }
}

function weighAll(parts: readonly Expression[]): number {
  return parts.reduce((total, part) => total + weigh(part), 1);
}

/** Expressions that a statement evaluates itself, not those of inner statements. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "expression":
      return [statement.value];
    case "assign":
      return [statement.value, ...statement.targets];
    case "update":
      return [statement.target, statement.value];
    case "annotation":
    case "return":
      return statement.value === undefined ? [] : [statement.value];
    case "delete":
      return statement.targets;
    case "raise":
      return [statement.value, statement.cause].filter((part) => part !== undefined);
    case "assert":
      return [statement.test, statement.message].filter((part) => part !== undefined);
    case "if":
      return statement.branches.map(({ test }) => test);
    case "while":
      return [statement.test];
    case "for":
      return [statement.iterable, statement.target];
    case "try":
      return statement.handlers.map(({ type }) => type).filter((part) => part !== undefined);
    case "with":
      return statement.items.flatMap(({ value, target }) =>
        target === undefined ? [value] : [value, target],
      );
    case "function":
      return definitionParts(statement.definition.decorators, statement.definition.parameters);
    case "class":
      return [
        ...statement.definition.decorators,
        ...statement.definition.args.map(({ value }) => value),
      ];
    case "match":
      return [statement.subject, ...statement.cases.flatMap(({ guard }) => guard ?? [])];
    default:
      return [];
  }
}

function definitionParts(
  decorators: readonly Expression[],
  parameters: readonly { readonly default?: Expression }[],
): readonly Expression[] {
  return [...decorators, ...parameters.flatMap((parameter) => parameter.default ?? [])];
}

/** Blocks directly inside a statement, except bodies of definitions. */
export function blocksOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case "while":
    case "for":
      return [statement.body, statement.otherwise];
    case "try":
      return [
        statement.body,
        ...statement.handlers.map(({ body }) => body),
        statement.otherwise,
        statement.final,
      ];
    case "with":
      return [statement.body];
    case "match":
      return statement.cases.map(({ body }) => body);
    default:
      return [];
  }
}

/** Whether a block suspends the enclosing function. */
export function blockHasYield(block: readonly Statement[]): boolean {
  return block.some(
    (statement) =>
      expressionsOf(statement).some(hasYield) || blocksOf(statement).some(blockHasYield),
  );
}
