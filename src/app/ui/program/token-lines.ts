import { type Hue, hueOf } from "#app/scene";
import type { Compiled } from "#compile";
import { scanTokens, type Token } from "#language/tokens";
import { changeBetween } from "./change-between.ts";
import type { Words } from "./use-words.ts";

/** A coloured run of a line. `hue` where it names a mesh axis. */
export interface ColouredRun {
  readonly from: number;
  readonly to: number;
  readonly kind: Token["kind"] | "plain" | "identifier" | "reduction";
  readonly hue?: Hue;
}

/** The part of a compiled text that tells which words are mesh axes. */
export type AxisWords = Pick<Compiled, "mesh">;

/** The kinds of words that look different from plain text. */
const marked: ReadonlySet<ColouredRun["kind"]> = new Set(["keyword", "string", "comment"]);

/**
 * The grammar that finds the tokens of a text, and the words from the worker. Without the grammar,
 * which comes with the editors, the characters alone tell the tokens.
 */
export interface RunOptions {
  readonly tokenize?: (source: string) => readonly Token[];
  readonly words?: Words | undefined;
}

/** The coloured runs of a text, in order; plain text between them is left out. */
export function runsOf(
  source: string,
  axes: AxisWords | undefined,
  { tokenize = scanTokens, words }: RunOptions = {},
): readonly ColouredRun[] {
  const runs = grammarRuns(source, tokenize(source), axes);
  const all = words === undefined ? runs : withWords(runs, wordRuns(movedTo(words, source), axes));
  return all.filter(({ kind, hue }) => hue !== undefined || marked.has(kind));
}

/** Words of a text that has been edited since: those before and after the edit still apply. */
function movedTo({ source: before, words }: Words, source: string): Words {
  const change = changeBetween(before, source);
  if (change === undefined) return { source, words };
  const by = change.text.length - (change.to - change.from);
  const moved = words.flatMap((word) => {
    if (word.to < change.from) return [word];
    return word.from > change.to ? [{ ...word, from: word.from + by, to: word.to + by }] : [];
  });
  return { source, words: moved };
}

/** Identifiers of annotations, each in the hue of the axis that cuts it. */
function wordRuns({ words }: Words, axes: AxisWords | undefined): readonly ColouredRun[] {
  return words.map(({ axis, from, to, kind }) => {
    const isKnown = axes?.mesh.mesh.axes.some(({ name }) => name === axis) === true;
    const hue = axis === undefined || !isKnown ? undefined : hueOf(axes.mesh.mesh, axis);
    return { from, to, kind, ...(hue !== undefined && { hue }) };
  });
}

/**
 * Runs with words laid over them; a word takes the place of the runs that it covers. Both are
 * sorted.
 */
function withWords(
  runs: readonly ColouredRun[],
  words: readonly ColouredRun[],
): readonly ColouredRun[] {
  let next = 0;
  return runs.flatMap((run) => {
    const pieces: ColouredRun[] = [];
    let at = run.from;
    for (let word = words[next]; word !== undefined && word.from < run.to; word = words[next]) {
      if (word.from > at) pieces.push({ ...run, from: at, to: word.from });
      if (word.from >= at) pieces.push(word);
      at = Math.max(at, word.to);
      next += 1;
    }
    return at < run.to ? [...pieces, { ...run, from: at }] : pieces;
  });
}

function grammarRuns(
  source: string,
  tokens: readonly Token[],
  axes: AxisWords | undefined,
): readonly ColouredRun[] {
  const names = new Map(
    axes?.mesh.mesh.axes.map(({ name }) => [name, hueOf(axes.mesh.mesh, name)]) ?? [],
  );
  return tokens.flatMap((token): readonly ColouredRun[] => {
    const text = source.slice(token.from, token.to);
    if (token.kind === "string") return stringRuns(token, text, names);
    const hue = /^(parameter|name)$/.test(token.kind) ? names.get(text) : undefined;
    if (hue !== undefined && isMeshKeyword(source, token)) return [{ ...token, hue }];
    return token.kind === "name" ? [] : [token];
  });
}

/** In a string with an axis' name, the name is in its hue; the quotes are not. */
function stringRuns(
  token: Token,
  text: string,
  names: ReadonlyMap<string, Hue>,
): readonly ColouredRun[] {
  const hue = names.get(text.slice(1, -1));
  if (hue === undefined) return [token];
  const { from, to } = token;
  return [
    { from, to: from + 1, kind: "string" },
    { from: from + 1, to: to - 1, kind: "name", hue },
    { from: to - 1, to, kind: "string" },
  ];
}

/** Whether a keyword names a mesh axis, as in `Mesh(dp=2, mp=4)`. */
function isMeshKeyword(source: string, { from, to }: Token): boolean {
  if (!/^\s*=[^=]/.test(source.slice(to, to + 8))) return false;
  return /\bMesh\s*\([^()]*$/.test(source.slice(Math.max(0, from - 400), from));
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
    const inside: ColouredRun[] = [];
    for (let i = at; i < runs.length; i += 1) {
      const run = runs[i];
      if (run === undefined || run.from >= end) break;
      inside.push(run);
    }
    const line = { number: index + 1, pieces: textPieces(source, start, end, inside) };
    start = end + 1;
    return line;
  });
}

/** The class of a run's colour. */
export function classOf(run: Pick<ColouredRun, "kind" | "hue">): string {
  if (run.hue === undefined) return `t-${run.kind}`;
  return run.kind === "identifier" ? `t-cut a${run.hue}` : `t-axis a${run.hue}`;
}

function textPieces(
  source: string,
  start: number,
  end: number,
  runs: readonly ColouredRun[],
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
