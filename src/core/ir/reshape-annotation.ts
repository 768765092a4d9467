import { product } from "#core/arithmetic";
import { letter } from "./call.ts";

/**
 * The annotation of a reshape (dimops.md §2.1): dims are grouped where products agree, and each
 * group's first dim may be cut as far as a cut of it is a cut on both sides; all other dims are
 * numbers. If the numbers of elements differ, or no whole number fits the -1, everything is frozen.
 */
export function reshapeAnnotation(from: readonly number[], to: readonly number[]): string {
  const groups = groupsOf(from, to);
  if (groups === undefined) return frozen(from, to);
  const [left, right]: [string[], string[]] = [[], []];
  for (const [at, { ins, outs }] of groups.entries()) {
    const [input, output] = groupTexts(ins, outs, letter(at));
    left.push(...input);
    right.push(...output);
  }
  const text = `${left.join(" ") || "1"} -> ${right.join(" ") || "1"}`;
  return text.includes(".") ? frozen(from, to.map(Math.floor)) : text;
}

/**
 * Annotation of a reshape of open sizes that joins neighbouring dims into its one -1: `a b c -> (a
 * b) c` for `[8, ?, 64]` to `[-1, 64]`. `undefined` for other reshapes, and for known sizes, which
 * allow a more precise annotation.
 */
export function joinedAnnotation(
  from: readonly (number | undefined)[],
  to: readonly number[] | undefined,
): string | undefined {
  if (to === undefined || !from.includes(undefined)) return undefined;
  const at = to.indexOf(-1);
  const behind = to.length - at - 1;
  const isKept = (dim: number, into: number) => from[dim] === to[into];
  const joined = from.length - behind - at;
  if (at < 0 || joined < 1) return undefined;
  const kept = [
    ...Array.from({ length: at }, (_, dim) => isKept(dim, dim)),
    ...Array.from({ length: behind }, (_, dim) => isKept(at + joined + dim, at + 1 + dim)),
  ];
  if (kept.includes(false)) return undefined;
  const names = from.map((_, dim) => letter(dim));
  const middle = names.slice(at, at + joined).join(" ");
  const results = [
    ...names.slice(0, at),
    joined > 1 ? `(${middle})` : middle,
    ...names.slice(at + joined),
  ];
  return `${names.join(" ")} -> ${results.join(" ")}`;
}

/** The annotation of numbers alone: no dim may be cut. */
function frozen(from: readonly number[], to: readonly number[]): string {
  const names = from.map((_, dim) => `${letter(dim)}^`);
  return `${names.join(" ")} -> ${to.join(" ")}`;
}

interface Group {
  readonly ins: readonly number[];
  readonly outs: readonly number[];
}

/** Runs of dims with equal products, as short as possible; trailing ones join the last run. */
function groupsOf(from: readonly number[], to: readonly number[]): readonly Group[] | undefined {
  const total = (shape: readonly number[]) => product(shape);
  if (total(from) !== total(to) || total(from) === 0) return undefined;
  const groups: { ins: number[]; outs: number[] }[] = [];
  let [i, o] = [0, 0];
  while (i < from.length && o < to.length) {
    const ins = [from[i++] ?? 1];
    const outs = [to[o++] ?? 1];
    while (total(ins) !== total(outs)) {
      if (total(ins) < total(outs)) ins.push(from[i++] ?? 1);
      else outs.push(to[o++] ?? 1);
    }
    groups.push({ ins, outs });
  }
  const last = groups.at(-1) ?? { ins: [], outs: [] };
  if (groups.length === 0) groups.push(last);
  last.ins.push(...from.slice(i));
  last.outs.push(...to.slice(o));
  return groups;
}

function groupTexts(
  ins: readonly number[],
  outs: readonly number[],
  name: string,
): [readonly string[], readonly string[]] {
  const [before, behind] = [ones(ins), ones(outs)];
  const [first, second] = [ins[before], outs[behind]];
  const rest = (sizes: readonly number[], skipped: number) => sizes.slice(skipped).map(String);
  const pad = (count: number) => Array.from({ length: count }, () => "1");
  if (first === undefined || second === undefined) {
    const isUnit = ins.length === 1 && outs.length === 1;
    return isUnit ? [[name], [name]] : [ins.map(String), outs.map(String)];
  }
  const join = (input: string, output: string): [readonly string[], readonly string[]] => [
    [...pad(before), input, ...rest(ins, before + 1)],
    [...pad(behind), output, ...rest(outs, behind + 1)],
  ];
  if (first === second) return join(name, name);
  if (first % second === 0) return join(`(${name} ${first / second})`, name);
  if (second % first === 0) return join(name, `(${name} ${second / first})`);
  return join(String(first), String(second));
}

/** Number of leading dims of size 1. */
function ones(sizes: readonly number[]): number {
  const at = sizes.findIndex((size) => size !== 1);
  return at < 0 ? sizes.length : at;
}
