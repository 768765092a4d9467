/** The widest indent of a wrapped line: a wider one leaves no room for it on a phone. */
const most = 16;
const step = 2;

/** The indent of a wrapped line in letters: its own, and a little more. */
export function hangOf(line: string): number {
  const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return line.trim() === "" ? 0 : Math.min(most, indent + step);
}
