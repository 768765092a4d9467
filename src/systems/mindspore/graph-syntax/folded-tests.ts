import type { Expression, Value } from "#language/python";

/**
 * The decision of MindSpore's parser about a test: true, false, `left` to the graph, or unknown.
 */
export type FoldedTest = "true" | "false" | "left" | "unknown";

/**
 * Looks up an attribute of the cell by name; `undefined` if the cell lacks it or its value is
 * unknown.
 */
export type AttributeOf = (name: string) => Value | undefined;

/**
 * Whether MindSpore 2.10 decides a test while it parses. It decides: a bool attribute of the cell;
 * an attribute compared to a number, a string or another attribute; `is None` of an attribute; and
 * `not`, `and`, `or` of these, from the left. All other tests are left to the graph, including
 * constants.
 */
export function foldedTest(test: Expression, self: string, attributeOf: AttributeOf): FoldedTest {
  switch (test.kind) {
    case "unary":
      return test.operator === "not" ? turned(foldedTest(test.operand, self, attributeOf)) : "left";
    case "boolean": {
      const left = foldedTest(test.left, self, attributeOf);
      const decides = test.operator === "and" ? "false" : "true";
      if (left === "left" || left === "unknown" || left === decides) return left;
      return foldedTest(test.right, self, attributeOf);
    }
    case "attribute": {
      if (!isOwn(test, self)) return "left";
      const value = attributeOf(test.name);
      if (value === undefined || value.kind === "none") return "unknown";
      return value.kind === "bool" ? said(value.value) : "left";
    }
    case "compare":
      return foldedComparison(test, self, attributeOf);
    default:
      return "left";
  }
}

function foldedComparison(
  { first, rest }: Extract<Expression, { kind: "compare" }>,
  self: string,
  attributeOf: AttributeOf,
): FoldedTest {
  const [comparison, ...more] = rest;
  if (comparison === undefined || more.length > 0 || !isOwn(first, self)) return "left";
  const { operator, right } = comparison;
  const value = attributeOf(first.name);
  const isNone = right.kind === "constant" && right.value.kind === "none";
  if (operator === "is" || operator === "is not") {
    if (!isNone) return "left";
    if (value === undefined) return "unknown";
    return said((value.kind === "none") === (operator === "is"));
  }
  if (isNone || !orders.has(operator)) return "left";
  const isConstant = right.kind === "constant";
  if (!isConstant && !isOwn(right, self)) return "left";
  const other = isConstant ? right.value : attributeOf(right.name);
  const [a, b] = [value, other].map((each) => each && plain(each));
  return a === undefined || b === undefined ? "unknown" : said(compared(a, operator, b));
}

const orders: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">="]);

type OwnAttribute = Extract<Expression, { kind: "attribute" }>;

function isOwn(expression: Expression, self: string): expression is Expression & OwnAttribute {
  if (expression.kind !== "attribute") return false;
  const { object } = expression;
  return object.kind === "name" && object.name === self;
}

function plain(value: Value): number | string | undefined {
  if (value.kind === "int" || value.kind === "float") return Number(value.value);
  if (value.kind === "bool") return value.value ? 1 : 0;
  return value.kind === "str" ? value.value : undefined;
}

function compared(a: number | string, operator: string, b: number | string): boolean {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case ">":
      return a > b;
    case "<=":
      return a <= b;
    default:
      return a >= b;
  }
}

function said(isTrue: boolean): FoldedTest {
  return isTrue ? "true" : "false";
}

function turned(test: FoldedTest): FoldedTest {
  if (test === "true" || test === "false") return said(test === "false");
  return test;
}
