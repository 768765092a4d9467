import type { Compiled } from "#compile";

/** Whether two texts run on the same machine: on the same figures of devices and links. */
export function sameMachine(a: Compiled, b: Compiled): boolean {
  return JSON.stringify(a.hardware) === JSON.stringify(b.hardware);
}

/**
 * Whether two texts have the same lines but those of the plan and the mesh: then they compute and
 * train alike, to the last option. Comments, spaces and empty lines do not count.
 */
export function sameLines(a: Compiled, b: Compiled): boolean {
  return otherLines(a).join("\n") === otherLines(b).join("\n");
}

/** The first of those lines that is another than at the start, without its spaces, in words. */
export function lineDifference(now: Compiled, start: Compiled): string {
  const [lines, first] = [otherLines(now), otherLines(start)];
  const more = lines.find((line) => !first.includes(line));
  const less = first.find((line) => !lines.includes(line));
  if (more !== undefined) return `${more} does not stand there at the start`;
  return less === undefined ? "lines stand in another order" : `${less} is missing`;
}

/** A line without spaces that says how the work is split, or names a mesh or a layout to say so. */
const planLine = /^(?:(?:strategy|place|pin)\(.*\)|\w+=(?:(?:layout|Mesh)\(.*\))?)$/u;

function otherLines({ source, lines, mesh }: Compiled): readonly string[] {
  const spans = (lines?.plan ?? []).map(({ span }) => span);
  if (mesh.span !== undefined) spans.push(mesh.span);
  let text = source;
  let end = source.length;
  for (const { from, to } of spans.sort((a, b) => b.from - a.from)) {
    // Only what stands before the last one that was cut out: spans may lie inside each other.
    if (to > end) continue;
    text = text.slice(0, from) + text.slice(to);
    end = from;
  }
  return text
    .split("\n")
    .map((line) => withoutComment(line).replaceAll(/\s+/gu, ""))
    .filter((line) => line !== "" && !planLine.test(line));
}

/** A line up to a `#` outside of texts in quotes. */
function withoutComment(line: string): string {
  return /^(?:[^#"']|"[^"]*"|'[^']*')*/u.exec(line)?.[0] ?? line;
}
