import type { Compiled } from "#compile";

/** Whether two texts run on the same machine: on the same figures of devices and links. */
export function sameMachine(a: Compiled, b: Compiled): boolean {
  return JSON.stringify(a.hardware) === JSON.stringify(b.hardware);
}

/**
 * Whether two texts have the same lines but those of the plan and the mesh: then they compute and
 * train alike, to the last option. Comments, spaces, empty lines and imports do not count, nor which
 * quotes a text has or how the digits of a number are grouped.
 */
export function sameLines(a: Compiled, b: Compiled): boolean {
  const [lines, others] = [otherLines(a), otherLines(b)];
  return lines.length === others.length && lines.every(({ key }, at) => key === others[at]?.key);
}

/** The first of those lines that differs from the start, in words. */
export function lineDifference(now: Compiled, start: Compiled): string {
  const [lines, first] = [otherLines(now), otherLines(start)];
  const lacks = (all: readonly OtherLine[]) => (line: OtherLine) =>
    !all.some(({ key }) => key === line.key);
  const more = lines.find(lacks(first));
  const less = first.find(lacks(lines));
  if (more !== undefined) return `${more.written} does not stand there at the start`;
  return less === undefined ? "lines stand in another order" : `${less.written} is missing`;
}

/** A line of the program itself, reduced to the parts that count. */
interface OtherLine {
  readonly written: string;
  readonly key: string;
}

/** A line without spaces about splits, or one that names a mesh or a layout for them. */
const planLine = /^(?:(?:strategy|place|pin)\(.*\)|\w+=(?:(?:layout|Mesh)\(.*\))?)$/u;

const importLine = /^(?:import|from)\s/u;

function otherLines({ source, lines, mesh }: Compiled): readonly OtherLine[] {
  const spans = (lines?.plan ?? []).map(({ span }) => span);
  if (mesh.span !== undefined) spans.push(mesh.span);
  let text = source;
  let end = source.length;
  for (const { from, to } of spans.sort((a, b) => b.from - a.from)) {
    // Spans may lie inside each other; only text before the last cut is taken.
    if (to > end) continue;
    text = text.slice(0, from) + text.slice(to);
    end = from;
  }
  return text
    .split("\n")
    .map((line) => withoutComment(line).trim())
    .filter((written) => !importLine.test(written))
    .map((written) => ({ written, key: keyOf(written) }))
    .filter(({ key }) => key !== "" && !planLine.test(key));
}

function keyOf(line: string): string {
  return line
    .replaceAll(/\s+/gu, "")
    .replaceAll("'", '"')
    .replaceAll(/(?<=\d)_(?=\d)/gu, "");
}

/** A line up to a `#` outside of texts in quotes. */
function withoutComment(line: string): string {
  return /^(?:[^#"']|"[^"]*"|'[^']*')*/u.exec(line)?.[0] ?? line;
}
