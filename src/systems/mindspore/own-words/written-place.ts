import type { Span } from "#core/diagnostics";
import type { WrittenPrimitive } from "#language/document/trace";

/** The span in which a strategy is written, and the text to add around it. */
export interface StrategySlot {
  readonly edit: Span;
  readonly before: string;
  readonly after: string;
}

/**
 * The span where the `.shard(…)` of a primitive is or could be written; or the reason why there is
 * none.
 */
export function strategySlot(
  source: string,
  written: WrittenPrimitive | undefined,
): StrategySlot | string {
  if (written === undefined)
    return "no primitive of the text makes it, and only these have .shard(…)";
  const { span, member, sharded } = written;
  if (sharded !== undefined) return { edit: sharded, before: "", after: "" };
  if (span.from < 0 || source[span.to - 1] !== ")") {
    return "the text does not make its primitive by a call of its own";
  }
  if (member === undefined) return { edit: endOf(span.to), before: ".shard(", after: ")" };
  const assigned = assignedTo(source, span);
  if (assigned === undefined) return "no line of its own makes the layer that holds its primitive";
  const { indent, target, end } = assigned;
  return { edit: endOf(end), before: `\n${indent}${target}.${member}.shard(`, after: ")" };
}

function endOf(at: number): Span {
  return { from: at, to: at };
}

/**
 * The target to which a statement on lines of its own assigns a call, and the end of these lines;
 * `undefined` if the call is no such statement.
 */
function assignedTo(source: string, { from, to }: Span) {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const next = source.indexOf("\n", to);
  const end = next < 0 ? source.length : next;
  const [, indent = "", target] =
    /^([ \t]*)([A-Za-z_][\w.]*)[ \t]*=[ \t]*$/u.exec(source.slice(start, from)) ?? [];
  const isAlone = /^[ \t]*(#.*)?\r?$/u.test(source.slice(to, end));
  return target === undefined || !isAlone ? undefined : { indent, target, end };
}
