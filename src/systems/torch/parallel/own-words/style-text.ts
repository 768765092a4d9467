import type { Span, TextEdit } from "#core/diagnostics";
import { behindImports } from "#language/document/edit";
import type { SpanTree } from "#language/python";

/** A style that a plan should have for a module: a class and its arguments, or none. */
export interface WantedStyle {
  readonly name: "ColwiseParallel" | "RowwiseParallel" | "SequenceParallel";
  /** Arguments in place of those that stand there; those are kept when absent. */
  readonly args?: string;
}

/** The text that styles are written into. */
export interface StyledText {
  readonly source: string;
  readonly boundNames: ReadonlySet<string>;
}

/** Edits that put a style in the place of another one, each a way of its own: the shortest first. */
export function replaced(
  { source, boundNames }: StyledText,
  at: Span,
  { name, args }: WantedStyle,
): readonly (readonly TextEdit[])[] {
  const before = source.slice(at.from, at.to);
  const [, prefix = "", own = "", given = ""] =
    /^([\w.]+\.)?(\w+)\(([\s\S]*)\)$/u.exec(before) ?? [];
  const needed = prefix === "" ? importOf(source, boundNames, name) : [];
  const texts = args === undefined ? [`(${given})`, "()"] : [`(${args})`];
  const isStyle = /(?:Parallel|_parallel|ModuleInput|ModuleOutput)$/u.test(own);
  const written = isStyle ? texts : texts.slice(-1);
  return [...new Set(written)]
    .map((text) => `${prefix}${name}${text}`)
    .filter((text) => text !== before)
    .map((text) => [{ ...at, text }, ...needed]);
}

/** The edits that take an entry out of a plan. */
export function removed({ source }: StyledText, entry: SpanTree): readonly TextEdit[] {
  const from = entry.keySpan?.from ?? entry.span.from;
  const [after = ""] = /^[ \t]*,?[ \t]*(?:\r?\n[ \t]*)?/u.exec(source.slice(entry.span.to)) ?? [];
  return [{ from, to: entry.span.to + after.length, text: "" }];
}

/** The edits that add an entry to a plan: behind the last entry, in its form. */
export function added(
  { source, boundNames }: StyledText,
  plan: SpanTree,
  path: string,
  name: WantedStyle["name"],
): readonly TextEdit[] {
  const text = `"${path}": ${name}()`;
  const needed = importOf(source, boundNames, name);
  const last = plan.items.at(-1);
  if (last === undefined)
    return [{ from: plan.span.from + 1, to: plan.span.from + 1, text }, ...needed];
  const from = last.keySpan?.from ?? last.span.from;
  const line = source.slice(source.lastIndexOf("\n", from - 1) + 1, from);
  const isOnItsOwn = /^[ \t]*$/u.test(line);
  const isClosed = /^[ \t]*,/u.test(source.slice(last.span.to));
  if (!isOnItsOwn) return [{ from: last.span.to, to: last.span.to, text: `, ${text}` }, ...needed];
  const at = isClosed ? source.indexOf(",", last.span.to) + 1 : last.span.to;
  const lead = isClosed ? `\n${line}` : `,\n${line}`;
  return [{ from: at, to: at, text: `${lead}${text}${isClosed ? "," : ""}` }, ...needed];
}

/** The import of a name that the text does not have. */
export function importOf(
  source: string,
  boundNames: ReadonlySet<string>,
  name: string,
): readonly TextEdit[] {
  if (boundNames.has(name)) return [];
  const from = /^(?:Shard|Replicate)$/u.test(name) ? "tensor" : "tensor.parallel";
  const at = behindImports(source);
  return [{ from: at, to: at, text: `from torch.distributed.${from} import ${name}\n` }];
}
