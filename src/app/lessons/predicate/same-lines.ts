import type { Compiled } from "#compile";

/** Whether two texts run on identical hardware: the same figures of devices and links. */
export function sameMachine(a: Compiled, b: Compiled): boolean {
  return JSON.stringify(a.hardware) === JSON.stringify(b.hardware);
}

/**
 * Whether two texts are equal outside their plan and mesh lines, down to the last option. Comments,
 * whitespace, empty lines, imports, the kind of quotes and digit separators are ignored.
 */
export function sameLines(a: Compiled, b: Compiled): boolean {
  const [lines, others] = [otherLines(a), otherLines(b)];
  return lines.length === others.length && lines.every(({ key }, at) => key === others[at]?.key);
}

/** First difference outside the plan and mesh lines, in words. */
export function lineDifference(now: Compiled, start: Compiled): string {
  const [lines, first] = [otherLines(now), otherLines(start)];
  const lacks = (all: readonly OtherLine[]) => (line: OtherLine) =>
    !all.some(({ key }) => key === line.key);
  const more = lines.find(lacks(first));
  const less = first.find(lacks(lines));
  if (more !== undefined) return `${more.written} does not stand there at the start`;
  return less === undefined ? "lines stand in another order" : `${less.written} is missing`;
}

/** Line of the program outside its plan and mesh. */
interface OtherLine {
  readonly written: string;
  readonly key: string;
}

/**
 * Plan line without spaces: a strategy call, or an assignment of a mesh or layout (or of a removed
 * one).
 */
const planLine = /^(?:(?:strategy|place|pin)\(.*\)|\w+=(?:(?:layout|Mesh)\(.*\))?)$/u;

const importLine = /^(?:import|from)\s/u;

function otherLines({ source, lines, mesh }: Compiled): readonly OtherLine[] {
  const spans = (lines?.plan ?? []).map(({ span }) => span);
  if (mesh.span !== undefined) spans.push(mesh.span);
  let text = source;
  let end = source.length;
  for (const { from, to } of spans.sort((a, b) => b.from - a.from)) {
    // Spans can be nested: a span that reaches into the last removed one is skipped.
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

/** The line up to the first `#` outside string literals. */
function withoutComment(line: string): string {
  return /^(?:[^#"']|"[^"]*"|'[^']*')*/u.exec(line)?.[0] ?? line;
}
