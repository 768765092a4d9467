// The first lines of a family's text: `name = literal`, where the name is a key of config.json.

/** One line of sizes. */
export interface SizeLine {
  readonly name: string;
  /** What stands behind `=`, without a comment. */
  readonly value: string;
  /** In the lines of the text. */
  readonly at: number;
  /** Whether the value is written out, and not worked out of other sizes. */
  readonly isLiteral: boolean;
}

const sizeLine = /^([A-Za-z_]\w*) = (.+?)(?:\s+#.*)?$/u;
const inputLine = /^B(?:, S)? = /u;
const passedOver = /^(?:#.*|import .*|from .*|mesh = .*)?$/u;

/** The lines of sizes of a family's text, and the line of its inputs. */
export function sizesOf(text: string): {
  readonly lines: readonly string[];
  readonly inputs: number | undefined;
  readonly sizes: ReadonlyMap<string, SizeLine>;
} {
  const lines = text.split("\n");
  const sizes = new Map<string, SizeLine>();
  let inputs: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (passedOver.test(line)) continue;
    if (inputLine.test(line)) {
      inputs ??= at;
      continue;
    }
    const [, name, value] = sizeLine.exec(line) ?? [];
    if (name === undefined || value === undefined || value.startsWith("Tensor(")) break;
    sizes.set(name, { name, value, at, isLiteral: literalOf(value) !== undefined });
  }
  return { lines, inputs, sizes };
}

/** The value of a Python literal as JSON has it, in a box; nothing of an expression. */
export function literalOf(text: string): { readonly value: unknown } | undefined {
  const json = text
    .replaceAll(/\bTrue\b/gu, "true")
    .replaceAll(/\bFalse\b/gu, "false")
    .replaceAll(/\bNone\b/gu, "null")
    .replaceAll("(", "[")
    .replaceAll(/,?\)/gu, "]");
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/**
 * A value of a configuration as Python writes it; nothing of what is no number, truth, text or list
 * of those.
 */
export function pythonOf(value: unknown): string | undefined {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "string") return pythonText(value);
  if (!Array.isArray(value)) return undefined;
  const parts = value.map(pythonOf);
  return parts.some((each) => each === undefined) ? undefined : `[${parts.join(", ")}]`;
}

/** A text between quotes, in which every character but the plain ones is escaped. */
function pythonText(text: string): string {
  const escaped = JSON.stringify(text).replaceAll(/[^ -~]/gu, (character) =>
    [...character]
      .map((each) => `\\U${(each.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`)
      .join(""),
  );
  return escaped;
}
