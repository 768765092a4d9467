import type { Span, TextEdit } from "#core/diagnostics";
import type { Document } from "../read-document.ts";
import type { ReshardCall } from "../trace/trace.ts";
import { appendLine, layoutText, targetText } from "./edit.ts";

/** A redistribution whose steps are to be chosen. */
export interface ReshardTarget {
  /** Name of the tensor. */
  readonly name: string;
  /** Span of the `reshard` call that it follows now. */
  readonly current: Span | undefined;
  /** Axes per dim of the target layout, when the tensor is also redistributed to other layouts. */
  readonly to: readonly (readonly string[])[] | undefined;
}

/**
 * Smallest edit that chooses the steps of a redistribution: changes its own `reshard(…)` call, else
 * adds a line at the end. `undefined` steps remove the call.
 */
export function reshardEdits(
  document: Document,
  { name, current, to }: ReshardTarget,
  steps: number | string | undefined,
): readonly TextEdit[] {
  const call = ownCall(document, name, current, to !== undefined);
  const written = typeof steps === "string" ? `"${steps}"` : String(steps);
  if (steps === undefined) return call === undefined ? [] : removals(document.source, call.span);
  if (call !== undefined) return [{ ...call.stepsSpan, text: written }];
  const where = to === undefined ? "" : `, to=${layoutText(document, to)}`;
  const line = `reshard(${targetText(document, name)}, steps=${written}${where})`;
  return [appendLine(document, line)];
}

/** The call that a redistribution follows, if it applies to this one alone; else `undefined`. */
function ownCall(
  { trace, built }: Document,
  name: string,
  current: Span | undefined,
  hasOthers: boolean,
): ReshardCall | undefined {
  const here = trace.reshards.filter(
    ({ span }) => span.from === current?.from && span.to === current.to,
  );
  const [call, second] = here;
  if (call === undefined || second !== undefined) return undefined;
  const isOwn = call.target === name || call.target === built.tracedBy.get(name);
  return isOwn && (call.to !== undefined || !hasOthers) ? call : undefined;
}

/** Removes a call, with its line when nothing else is on it; a trailing comment stays. */
function removals(source: string, { from, to }: Span): readonly TextEdit[] {
  const begin = source.lastIndexOf("\n", from - 1) + 1;
  const next = source.indexOf("\n", to);
  const end = next < 0 ? source.length : next + 1;
  const behind = /^[ \t]*(#.*)?\r?\n?$/u.exec(source.slice(to, end));
  if (source.slice(begin, from).trim() !== "" || behind === null) return [];
  const [rest, comment = ""] = behind;
  if (comment === "") return [{ from: begin, to: end, text: "" }];
  return [{ from, to: to + rest.indexOf(comment), text: "" }];
}
