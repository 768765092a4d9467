import { type Hue, hueOf } from "#app/scene";
import type { Compiled } from "#app/state";
import { type Token, tokensOf } from "#language/tokens";

/** A coloured run of a line. `hue` where it names a mesh axis. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly kind: Token["kind"] | "plain";
  readonly hue?: Hue;
}

/** What of a compiled text says which words are mesh axes. */
export type AxisWords = Pick<Compiled, "mesh">;

/** The coloured runs of a text, in order; plain text between them is left out. */
export function runsOf(source: string, axes: AxisWords | undefined): readonly Run[] {
  const names = new Map(
    axes?.mesh.mesh.axes.map(({ name }) => [name, hueOf(axes.mesh.mesh, name)]) ?? [],
  );
  return tokensOf(source).flatMap((token): readonly Run[] => {
    const text = source.slice(token.from, token.to);
    if (token.kind === "string") return stringRuns(token, text, names);
    const hue = token.kind === "name" ? names.get(text) : undefined;
    if (hue !== undefined && isKeyword(source, token)) return [{ ...token, hue }];
    return token.kind === "name" ? [] : [token];
  });
}

/** A string that is an axis' name has the name in its hue; quotes stay as they are. */
function stringRuns(token: Token, text: string, names: ReadonlyMap<string, Hue>): readonly Run[] {
  const hue = names.get(text.slice(1, -1));
  if (hue === undefined) return [token];
  const { from, to } = token;
  return [
    { from, to: from + 1, kind: "string" },
    { from: from + 1, to: to - 1, kind: "name", hue },
    { from: to - 1, to, kind: "string" },
  ];
}

/** Whether a name stands before `=` in a call, as axes do in `Mesh(dp=2)`. */
function isKeyword(source: string, { from, to }: Token): boolean {
  return (
    /^\s*=[^=]/.test(source.slice(to, to + 8)) && /[(,]\s*$/.test(source.slice(0, from).slice(-80))
  );
}

/** One line of a text as runs that cover it. */
export interface Line {
  readonly number: number;
  readonly pieces: readonly {
    readonly key: number;
    readonly text: string;
    readonly className: string;
  }[];
}

/** The lines of a text, each cut into pieces with the class of their colour. */
export function linesOf(source: string, axes: AxisWords | undefined): readonly Line[] {
  const runs = runsOf(source, axes);
  let start = 0;
  let at = 0;
  return source.split("\n").map((text, index) => {
    const end = start + text.length;
    while (at < runs.length && (runs[at]?.to ?? 0) <= start) at += 1;
    const inside: Run[] = [];
    for (let i = at; i < runs.length; i += 1) {
      const run = runs[i];
      if (run === undefined || run.from >= end) break;
      inside.push(run);
    }
    const line = { number: index + 1, pieces: piecesOf(source, start, end, inside) };
    start = end + 1;
    return line;
  });
}

/** The class of a run's colour. */
export function classOf(run: Pick<Run, "kind" | "hue">): string {
  return run.hue === undefined ? `t-${run.kind}` : `t-axis a${run.hue}`;
}

function piecesOf(
  source: string,
  start: number,
  end: number,
  runs: readonly Run[],
): Line["pieces"] {
  const pieces: { key: number; text: string; className: string }[] = [];
  let at = start;
  const push = (to: number, className: string) => {
    if (to > at) pieces.push({ key: at, text: source.slice(at, to), className });
    at = Math.max(at, to);
  };
  for (const run of runs) {
    push(Math.min(run.from, end), "");
    push(Math.min(run.to, end), classOf(run));
  }
  push(end, "");
  return pieces;
}
