/** How far in the rest of a wrapped line may begin: more leaves no room for it on a phone. */
const most = 16;
const step = 2;

/** How many letters in the rest of a wrapped line begins: behind its indentation, and a little more. */
export function hangOf(line: string): number {
  const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return line.trim() === "" ? 0 : Math.min(most, indent + step);
}
