import { type Body, fresh, type NamedValue, operandOf, typeText, type Written } from "./body.ts";
import {
  type Jaxpr,
  type JaxprCount,
  type JaxprEquation,
  type JaxprVariable,
  parseJaxpr,
} from "./parse.ts";
import { simple } from "./primitives.ts";
import { scanned } from "./scan.ts";

// Writes a jaxpr as the module to which JAX lowers it, so that one reader of operators suffices.

/** @throws JaxprFault */
export function stablehloOf(text: string): string {
  const count: JaxprCount = { equations: 0 };
  const written: Written = { functions: [], known: new Map(), meshes: new Map(), count, names: 0 };
  const main = parseJaxpr(text, count);
  const lines = functionLines(written, { ...main, inputs: [...main.constants, ...main.inputs] }, 0);
  const meshes = [...written.meshes].map(([axes, name]) => `  sdy.mesh @${name} = <[${axes}]>`);
  return [
    "module @jaxpr {",
    ...meshes,
    `  func.func public @main${lines.join("\n")}`,
    ...written.functions,
    "}",
    "",
  ].join("\n");
}

/** Text after `@name` in a function: arguments, results and the block. */
function functionLines(written: Written, jaxpr: Jaxpr, depth: number): readonly string[] {
  const body: Body = { written, lines: [], values: new Map(), depth, next: 0 };
  const args = jaxpr.inputs.map((each, at) => {
    body.values.set(each.name, { name: `%arg${at}`, type: each });
    return `%arg${at}: ${typeText(each)}`;
  });
  for (const each of jaxpr.equations) equation(body, each);
  const results = jaxpr.results.map((each) => operandOf(body, each));
  const made = results.map(({ type }) => typeText(type)).join(", ");
  return [
    `(${args.join(", ")}) -> (${made}) {`,
    ...body.lines.map((line) => `    ${line}`),
    `    return ${results.map(({ name }) => name).join(", ")} : ${made}`,
    "  }",
  ];
}

function equation(body: Body, each: JaxprEquation): void {
  const { primitive, results } = each;
  const operands = each.operands.map((operand) => operandOf(body, operand));
  const [result] = results;
  const made =
    result === undefined
      ? []
      : (simple(body, each, operands, result) ?? nested(body, each, operands));
  if (made !== undefined && made.length === results.length) {
    for (const [at, variable] of results.entries()) {
      const value = made[at];
      if (value !== undefined) body.values.set(variable.name, { name: value.name, type: variable });
    }
    return;
  }
  const name = fresh(body);
  const left = results.length > 1 ? `${name}:${results.length}` : name;
  const signature = operands.map(({ type }) => typeText(type)).join(", ");
  const given = operands.map((value) => value.name).join(", ");
  const types = results.map(typeText).join(", ");
  body.lines.push(`${left} = "jax.${primitive}"(${given}) : (${signature}) -> (${types})`);
  for (const [at, variable] of results.entries()) {
    body.values.set(variable.name, {
      name: results.length > 1 ? `${name}#${at}` : name,
      type: variable,
    });
  }
}

/** Primitives that call their inner function; other primitives have one only as a reducer. */
const calls: ReadonlySet<string> = new Set(
  "jit pjit closed_call core_call xla_call remat remat2 checkpoint custom_jvp_call custom_vjp_call custom_vjp_call_jaxpr custom_lin scan".split(
    " ",
  ),
);

/** Equations with functions inside: calls and scans. */
function nested(
  body: Body,
  each: JaxprEquation,
  operands: readonly NamedValue[],
): readonly NamedValue[] | undefined {
  const { primitive, parameters, results } = each;
  const text =
    parameters.get("jaxpr") ?? parameters.get("call_jaxpr") ?? parameters.get("fun_jaxpr");
  if (text === undefined || !text.startsWith("{") || !calls.has(primitive)) return undefined;
  const inner = parseJaxpr(text, body.written.count, body.depth + 1);
  if (inner.constants.length > 0) return undefined;
  const word = primitive === "scan" ? "body" : (parameters.get("name") ?? primitive);
  if (primitive === "scan") {
    return scanned(body, each, operands, (given, made) =>
      called(body, { inner, word }, given, made),
    );
  }
  if (inner.inputs.length !== operands.length) return undefined;
  return called(body, { inner, word }, operands, results);
}

interface Inner {
  readonly inner: Jaxpr;
  readonly word: string;
}

function called(
  body: Body,
  { inner, word }: Inner,
  operands: readonly NamedValue[],
  results: readonly JaxprVariable[],
): readonly NamedValue[] {
  const { written } = body;
  const text = functionLines(written, inner, body.depth + 1).join("\n");
  const known = written.known.get(text);
  const name = known ?? `${word.replaceAll(/\W+/gu, "_")}_${written.names}`;
  if (known === undefined) {
    written.names += 1;
    written.known.set(text, name);
    written.functions.push(`  func.func private @${name}${text}`);
  }
  const own = fresh(body);
  const left = results.length > 1 ? `${own}:${results.length}` : own;
  const signature = operands.map(({ type }) => typeText(type)).join(", ");
  const given = operands.map((value) => value.name).join(", ");
  body.lines.push(
    `${left} = func.call @${name}(${given}) : (${signature}) -> (${results.map(typeText).join(", ")})`,
  );
  return results.map((type, at) => ({ name: results.length > 1 ? `${own}#${at}` : own, type }));
}
