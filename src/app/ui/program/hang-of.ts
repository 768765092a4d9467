/** Largest hanging indent in columns: a larger one leaves no room on a phone. */
const most = 16;
const step = 2;

/** Hanging indent of a wrapped line in columns: its indentation plus a step. */
export function hangOf(line: string): number {
  const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return line.trim() === "" ? 0 : Math.min(most, indent + step);
}
