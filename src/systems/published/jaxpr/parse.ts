/** A fault in a text that begins as a jaxpr. */
export class JaxprFault extends Error {}

/** A variable with its type: `a:f32[8,16]`. */
export interface JaxprVariable {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** An operand of an equation: a variable by name, or a number with its type. */
export type JaxprOperand =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "literal"; readonly value: string; readonly type: JaxprVariable };

/** `c:f32[4,16] = dot_general[…] a b`. */
export interface JaxprEquation {
  readonly primitive: string;
  readonly results: readonly JaxprVariable[];
  readonly operands: readonly JaxprOperand[];
  /** Parameter texts by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A function: `{ lambda consts ; inputs. let equations in (results) }`. */
export interface Jaxpr {
  readonly constants: readonly JaxprVariable[];
  readonly inputs: readonly JaxprVariable[];
  readonly equations: readonly JaxprEquation[];
  readonly results: readonly JaxprOperand[];
}

const mostEquations = 200_000;
const deepest = 64;

const variable = /(\w+):([A-Za-z]\w*)\[([\d, ]*)\](?:\{[^{}]*\})?/u;
const variables = new RegExp(variable.source, "gu");
const left = new RegExp(`\\s*((?:${variable.source}\\s*)*)=\\s*([\\w-]+)`, "uy");

/** Number of equations read, nested ones included. */
export interface JaxprCount {
  equations: number;
}

/**
 * Reads a jaxpr as `print(jax.make_jaxpr(f)(x))` prints it.
 *
 * @throws JaxprFault
 */
export function parseJaxpr(text: string, count: JaxprCount = { equations: 0 }, depth = 0): Jaxpr {
  if (depth > deepest) throw new JaxprFault("functions lie too deep in it");
  const plain = text.trim();
  const head = /^\{\s*lambda\s([^;]*);([^.]*)\.\s*let\b/u.exec(plain);
  if (head === null) throw new JaxprFault("it is no jaxpr");
  const [whole, constants = "", inputs = ""] = head;
  const equations: JaxprEquation[] = [];
  let at = whole.length;
  for (;;) {
    const rest = plain.slice(at, at + 20);
    if (/^\s*in\s/u.test(rest)) break;
    if (rest.trim() === "") throw new JaxprFault("it does not end");
    const read = equationAt(plain, at);
    equations.push(read.equation);
    at = read.end;
    count.equations += 1;
    if (count.equations > mostEquations) throw new JaxprFault("it has more than 200,000 equations");
  }
  const results = /^\s*in\s*\(([^{}]*)\)\s*\}?$/u.exec(plain.slice(at))?.[1];
  if (results === undefined) throw new JaxprFault("it does not say its results");
  return {
    ...{ constants: variablesIn(constants), inputs: variablesIn(inputs), equations },
    results: results.split(/,(?![^[]*\])/u).flatMap((each) => operandsIn(each)),
  };
}

function variablesIn(text: string): readonly JaxprVariable[] {
  return [...text.matchAll(variables)].map(([, name = "", dtype = "", sizes = ""]) => ({
    ...{ name, dtype },
    shape: sizes
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean)
      .map(Number),
  }));
}

function equationAt(
  text: string,
  from: number,
): { readonly equation: JaxprEquation; readonly end: number } {
  left.lastIndex = from;
  const found = left.exec(text);
  const primitive = found?.at(-1);
  if (found === null || primitive === undefined) {
    throw new JaxprFault(`"${text.slice(from, from + 40).trim()}" is no equation`);
  }
  let at = from + found[0].length;
  let parameters: ReadonlyMap<string, string> = new Map();
  if (text[at] === "[") {
    const end = closing(text, at);
    parameters = parametersIn(text.slice(at + 1, end));
    at = end + 1;
  }
  // A short jaxpr is printed on one line, with semicolons between its equations.
  const behind = text.slice(at).search(/\n|;|\sin\s\(/u);
  const end = behind < 0 ? text.length : at + behind;
  const operands = operandsIn(text.slice(at, end));
  return {
    equation: { primitive, results: variablesIn(found[1] ?? ""), operands, parameters },
    end: text[end] === ";" ? end + 1 : end,
  };
}

function operandsIn(text: string): readonly JaxprOperand[] {
  return text.split(/\s+/u).flatMap((each): readonly JaxprOperand[] => {
    const [, value, dtype, sizes] = /^([^:]+):([A-Za-z]\w*)\[([\d,]*)\]$/u.exec(each) ?? [];
    if (value !== undefined && dtype !== undefined) {
      const [type] = variablesIn(`x:${dtype}[${sizes}]`);
      return type === undefined ? [] : [{ kind: "literal", value, type }];
    }
    return /^\w+$/u.test(each) ? [{ kind: "variable", name: each }] : [];
  });
}

/** Parameter texts by name: `key=value`, separated by spaces outside brackets. */
function parametersIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let [depth, begin, key] = [0, 0, ""];
  const end = (at: number) => {
    if (key !== "") found.set(key, text.slice(begin, at).trim());
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "'") at = quoteEnd(text, at);
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    else if (depth === 0 && character === "=") {
      const [name = ""] = /\w+$/u.exec(text.slice(Math.max(0, at - 80), at)) ?? [];
      if (name !== "") {
        end(at - name.length);
        [key, begin] = [name, at + 1];
      }
    }
  }
  end(text.length);
  return found;
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "'") at = quoteEnd(text, at);
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new JaxprFault("a bracket in it does not end");
}

function quoteEnd(text: string, from: number): number {
  const end = text.indexOf("'", from + 1);
  return end < 0 ? text.length : end;
}
