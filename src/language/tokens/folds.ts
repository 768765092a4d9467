import type { Tree } from "@lezer/common";
import { readTree } from "./read-tree.ts";

/** Foldable lines: from the end offset of the first line to that of the last. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  readonly kind: "block" | "comment" | "imports";
}

/**
 * Folds of multi-line bodies, brackets and strings, of comment runs and of import runs, in text
 * order.
 */
export function foldsOf(
  source: string,
  tree: Tree | undefined = readTree(source),
): readonly Fold[] {
  const found = [...blocks(source, tree), ...runs(source, "comment", /^\s*#/), ...imports(source)];
  return found.sort((a, b) => a.from - b.from || b.to - a.to);
}

const folding =
  /^(Body|MatchBody|ArgList|ParamList|(Tuple|Array|Set|Dictionary)Expression|String)$/;

function blocks(source: string, tree: Tree | undefined): readonly Fold[] {
  const found = new Map<number, Fold>();
  tree?.iterate({
    enter: ({ name, from, to }) => {
      if (!folding.test(name)) return;
      const first = lineEnd(source, from);
      const last = source.slice(from, to).trimEnd().length + from;
      const end = /Body$/.test(name) ? last : source.lastIndexOf("\n", last - 1);
      const known = found.get(first);
      const isLonger = known === undefined || known.to < end;
      if (first < end && isLonger) found.set(first, { from: first, to: end, kind: "block" });
    },
  });
  return [...found.values()];
}

function imports(source: string): readonly Fold[] {
  return runs(source, "imports", /^(import|from)\s/);
}

/** Runs of two or more lines that match a pattern. */
function runs(source: string, kind: Fold["kind"], line: RegExp): readonly Fold[] {
  const found: Fold[] = [];
  let start = 0;
  let first: number | undefined;
  let last = 0;
  const close = () => {
    if (first !== undefined && last > first) found.push({ from: first, to: last, kind });
    first = undefined;
  };
  for (const text of source.split("\n")) {
    const end = start + text.length;
    if (line.test(text)) {
      first ??= end;
      last = end;
    } else close();
    start = end + 1;
  }
  close();
  return found;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", Math.max(at, 0));
  return end < 0 ? source.length : end;
}
