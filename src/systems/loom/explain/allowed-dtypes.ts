import type { Diagnostic, Fix, Span } from "#core/diagnostics";

/** The data types that a plan allows its graph: `dtypes = ["int32", "float32"]`. */
export interface AllowedDtypes {
  readonly names: readonly string[];
  /** Span of the text between the brackets. */
  readonly span: Span;
}

/** The last `dtypes = [...]` line of a plan; `undefined` without one. */
export function allowedDtypes(plan: string): AllowedDtypes | undefined {
  const line = /^dtypes[ \t]*=[ \t]*\[([^\]]*)\]/gm;
  const found = [...plan.matchAll(line)].at(-1);
  const inside = found?.[1];
  if (found === undefined || inside === undefined) return undefined;
  const from = found.index + found[0].length - 1 - inside.length;
  const names = [...inside.matchAll(/"([^"]*)"|'([^']*)'/g)].map(
    (each) => each[1] ?? each[2] ?? "",
  );
  return { names, span: { from, to: from + inside.length } };
}

/** Fix that makes a plan allow one more data type; its edits are offsets in the plan text. */
export function allowDtype(plan: string, dtype: string, usual: readonly string[]): Fix {
  const title = `Allow "${dtype}" in this document`;
  const known = allowedDtypes(plan);
  if (known !== undefined) {
    const { from, to } = known.span;
    const names = [...known.names, dtype].map((name) => JSON.stringify(name)).join(", ");
    return { title, edits: [{ from, to, text: names }] };
  }
  const lead = plan === "" || plan.endsWith("\n") ? "" : "\n";
  const names = [...usual, dtype].map((name) => JSON.stringify(name)).join(", ");
  const text = `${lead}dtypes = [${names}]\n`;
  return { title, edits: [{ from: plan.length, to: plan.length, text }] };
}

/**
 * The data type reported as unknown by a diagnostic, read from the JSON; `undefined` for other
 * diagnostics.
 */
export function wrongDtype({ code, span }: Diagnostic, json: string): string | undefined {
  if (code !== "loom/unknown-dtype" || span === undefined) return undefined;
  return /^"([^"\\]*)"$/.exec(json.slice(span.from, span.to))?.[1];
}
