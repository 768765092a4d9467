import { groupedBy } from "#core/records";
import type { Send } from "./board-facts.ts";

/** Redistributions of one gap with equal steps, drawn as one pill. */
export interface PillGroup {
  readonly first: Send;
  readonly others: readonly Send[];
}

/** Width (px) of a pill without the names of its collectives. */
const shortPill = 122;

/** Number of short pills that fit side by side in a column. */
export function pillsPerLine(room: number): number {
  return Math.max(1, Math.floor(room / shortPill));
}

/**
 * The pills of a gap line by line: a single pill is shown in full, several are short and side by
 * side.
 */
export function pillLines(
  sends: readonly Send[],
  perLine: number,
): readonly (readonly PillGroup[])[] {
  const groups = [...groupedBy(sends, likeness).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others }],
  );
  if (groups.length === 1) return [groups];
  const lines: PillGroup[][] = [];
  for (let at = 0; at < groups.length; at += perLine) lines.push(groups.slice(at, at + perLine));
  return lines;
}

/** A text equal for the same collectives over the same mesh axes. */
function likeness({ steps }: Send): string {
  return steps.map(({ collective, axes }) => [collective, ...axes].join(" ")).join(", ");
}
