import type { Diagnostic, Fix, Span } from "#core/diagnostics";

/** The data types that a plan allows its graph: `dtypes = ["int32", "float32"]`. */
export interface AllowedDtypes {
  readonly names: readonly string[];
  /** Between the brackets. */
  readonly span: Span;
}

/** The last such line of a plan, if any. */
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

/** What lets a plan allow one more data type; its edits count in the plan. */
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

/** The data type that a diagnostic finds wrong, as it stands in the JSON. */
export function wrongDtype({ code, span }: Diagnostic, json: string): string | undefined {
  if (code !== "loom/unknown-dtype" || span === undefined) return undefined;
  return /^"([^"\\]*)"$/.exec(json.slice(span.from, span.to))?.[1];
}
