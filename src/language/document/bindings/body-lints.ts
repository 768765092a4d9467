import type { OpAnno } from "#core/dimops";
import type { FunctionValue } from "#language/python";

/** Facts read from the source text of a registered function's body, without running it. */
export interface BodyFacts {
  /** Parameters that the body changes in place. */
  readonly changed: readonly string[];
  /** Expressions of the last `return`, one per result. */
  readonly returned: readonly string[];
  /** Parameters that a name's value depends on, transitively, by name. */
  readonly dependent: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Facts of a body read line by line: assignments, in-place methods and the last `return`. */
export function factsOf(func: FunctionValue, source: string): BodyFacts {
  const body = source.slice(func.bodySpan.from, func.bodySpan.to);
  const lines = body.split("\n").map((line) => line.replace(/#.*$/s, "").trim());
  const parameters = func.parameters.map(({ name }) => name);
  const dependent = new Map(parameters.map((name) => [name, new Set([name])]));
  for (const line of lines) follow(line, dependent);
  const last = lines.findLast((line) => /^return\b/.test(line)) ?? "";
  return {
    changed: parameters.filter((name) => lines.some((line) => changes(line, name))),
    returned: splitTop(last.replace(/^return\b/, "").trim()),
    dependent,
  };
}

/**
 * Records an assignment: `y = f(x)` makes `y` depend on all parameters that `x` depends on. `x =
 * ...` is ignored.
 */
function follow(line: string, dependent: Map<string, Set<string>>): void {
  const found = /^([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*([-+*/@]?)=(?!=)\s*(.+)$/.exec(line);
  const [, target, operator, expression] = found ?? [];
  if (target === undefined || expression === undefined || expression === "...") return;
  const sources = sourcesOf(expression, dependent);
  const before = operator === "" ? [] : (dependent.get(target) ?? []);
  dependent.set(target, new Set([...before, ...sources]));
}

/** The parameters that an expression depends on. */
function sourcesOf(expression: string, dependent: BodyFacts["dependent"]): readonly string[] {
  const names = expression.match(/[A-Za-z_]\w*/g) ?? [];
  return [...new Set(names.flatMap((name) => [...(dependent.get(name) ?? [])]))];
}

function changes(line: string, name: string): boolean {
  const method = new RegExp(`(^|[^\\w.])${name}\\.[A-Za-z]\\w*_\\(`);
  const assignment = new RegExp(`^${name}(\\[.*\\])?\\s*([-+*/@]=|=(?!=))`);
  const found = assignment.exec(line);
  return method.test(line) || (found !== null && (found[1] !== undefined || found[2] !== "="));
}

/** Splits a text at commas outside brackets. */
function splitTop(text: string): readonly string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * Outputs marked `?` that depend on a tensor which may be split: their value would be wrong, and
 * upstream does not check it (register_custom_op.md, "Dimension Annotation").
 */
export function unsafeOutputs(
  annotation: OpAnno,
  parameters: readonly string[],
  { returned, dependent }: BodyFacts,
): readonly { readonly returned: string; readonly parameter: string }[] {
  const splittable = new Set(
    parameters.filter((_, index) =>
      annotation.inputs[index]?.dims.some(({ identifiers }) =>
        identifiers.some(({ reduction }) => reduction !== "^"),
      ),
    ),
  );
  return annotation.outputs.flatMap(({ ignored }, index) => {
    const expression = returned[index];
    if (!ignored || expression === undefined) return [];
    const parameter = sourcesOf(expression, dependent).find((name) => splittable.has(name));
    return parameter === undefined ? [] : [{ returned: expression, parameter }];
  });
}
