import type { Gradient } from "../entry.ts";
import type { Body, Definition, Expr, Loop, Setting } from "./body.ts";
import type { ScalarFunction } from "./scalar.ts";

/** Names of operands by position. */
type Names = readonly string[];

/**
 * A body as one line of formulas: tables in order, then the results. `sum[k] x · y` sums over k;
 * `#d` is the index along dim d of the result.
 */
export function printBody(body: Body, names: Names): string {
  const tables = body.tables.map(
    ({ name, axes, ...definition }) =>
      `${name}[${axes.map(({ axis }) => axis).join(" ")}] = ${printDefinition(definition, names)}`,
  );
  const outputs = body.outputs.map((definition) => printDefinition(definition, names));
  return [...tables, outputs.join(", ")].join("; ");
}

/**
 * A gradient as calls of operators: the gradients of results are called `dx`, operands by their
 * names.
 */
export function printGradient(steps: Gradient, names: Names): string {
  if (steps.length === 0) return "none";
  const calls = steps.map(({ op, operands, attributes, annotation }) => {
    const given = operands.map(({ from, index }) => {
      if (from === "input") return names[index] ?? `input ${index}`;
      return from === "step" ? `step ${index}` : `${from === "gradient" ? "d" : ""}out${index}`;
    });
    const named = Object.entries(attributes).filter(([, value]) => value !== annotation);
    const rest = named.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const text = annotation === undefined ? "" : ` as ${annotation}`;
    return `${op}(${[...given, ...rest].join(", ")})${text}`;
  });
  return calls.join("; ");
}

function printDefinition({ over, combine, value }: Definition, names: Names): string {
  const text = printExpr(value, names, 0);
  return over.length === 0 ? text : `${combine}[${over.map(loopText).join(" ")}] ${text}`;
}

function loopText({ axis, size }: Loop): string {
  return size === undefined ? axis : `${axis}<${size}`;
}

const infix: Readonly<Partial<Record<ScalarFunction, readonly [string, number]>>> = {
  add: ["+", 2],
  sub: ["-", 2],
  mul: ["·", 3],
  div: ["/", 3],
  less: ["<", 1],
  "less-equal": ["≤", 1],
  "bit-and": ["&", 1],
  "bit-or": ["|", 1],
  "bit-xor": ["^", 1],
};

/** Text of a setting that an optimizer receives at each step. */
function settingText(setting: Setting): string {
  return setting.name === "lr" ? "lr" : `(1 - ${setting.beta}^step)`;
}

/** The text of an expression; in brackets if the operator around binds at least as strongly. */
function printExpr(expr: Expr, names: Names, strength: number): string {
  switch (expr.kind) {
    case "number":
      return expr.setting === undefined
        ? String(Number(expr.value.toPrecision(6)))
        : settingText(expr.setting);
    case "index":
      return expr.axis;
    case "table":
      return expr.name;
    case "read": {
      const name = names[expr.operand] ?? `x${expr.operand}`;
      return expr.at === undefined
        ? name
        : `${name}[${expr.at.map((each) => printExpr(each, names, 0)).join(", ")}]`;
    }
    case "apply":
      return printApplication(expr, names, strength);
  }
}

function printApplication(
  { function: name, args }: Extract<Expr, { kind: "apply" }>,
  names: Names,
  strength: number,
): string {
  const [symbol, own] = infix[name] ?? [];
  const [left, right] = args;
  if (symbol === undefined || own === undefined || left === undefined || right === undefined) {
    return `${name}(${args.map((arg) => printExpr(arg, names, 0)).join(", ")})`;
  }
  const text = `${printExpr(left, names, own - 1)} ${symbol} ${printExpr(right, names, own)}`;
  return own > strength ? text : `(${text})`;
}
