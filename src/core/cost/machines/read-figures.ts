import { joinWithAnd } from "#core/diagnostics";
import type { Link } from "#core/mesh";
import { isRecord } from "#core/records";
import { figureWords, groupWords, isLatency, isRate, isShare, linkWords } from "./figure-words.ts";
import { type ChipFigures, fabrics } from "./figures.ts";
import { nearestWord } from "./spelling.ts";

/** A fault of figures given as data, with its place. */
export interface FigureFault {
  /**
   * Keys from the outermost object down; the last is the wrong key, or the key of the wrong value.
   */
  readonly path: readonly string[];
  readonly isOfKey: boolean;
  readonly message: string;
  /** The key or value that was most likely meant. */
  readonly meant?: string;
}

/** An object from JSON, or a dict of a text, as given. */
export type GivenObject = Readonly<Record<string, unknown>>;

/** Callback that receives every fault. */
export type Say = (fault: FigureFault) => void;

/**
 * Reads the figures of a device from an object; invalid figures are reported, the others count.
 * Keys are those of `figureWords` and `groupWords`, each also in camel case (`memoryBandwidth`).
 *
 * @param owner the object's name in messages, and its other keys, which are read elsewhere
 */
export function readChipFigures(
  given: GivenObject,
  say: Say,
  { name: owner, other = [] }: { readonly name: string; readonly other?: readonly string[] },
): ChipFigures {
  const known = [...other, ...Object.keys(figureWords), ...Object.keys(groupWords)];
  const seen = new Set<string>();
  const entries = Object.entries(given).flatMap(([word, value]): readonly ChipEntry[] => {
    const name = snake(word);
    const at = [word];
    if (value === undefined || other.includes(name)) return [];
    if (!known.includes(name)) return unknownWord(at, owner, known, say);
    if (seen.has(name)) return faulty(at, `"${name}" is given twice`, say, true);
    seen.add(name);
    return readFigure(name, value, at, say);
  });
  const figures: ChipFigures = Object.fromEntries(entries);
  const { flops, peaks } = figures;
  if (flops !== undefined && peaks?.bf16 !== undefined && flops !== peaks.bf16) {
    faulty(["flops"], '"flops" is the peak of bf16: "peaks" says another one', say);
  }
  return figures;
}

type ChipEntry = readonly [keyof ChipFigures, ChipFigures[keyof ChipFigures]];

function readFigure(
  word: string,
  value: unknown,
  path: readonly string[],
  say: Say,
): readonly ChipEntry[] {
  const figure = Object.hasOwn(figureWords, word) ? figureWords[word] : undefined;
  if (figure !== undefined) {
    const isRight = typeof value === "number" && figure.isRight(value);
    return isRight
      ? [[figure.key, value]]
      : wrongNumber(path, `"${word}" of a device is ${figure.is}`, value, say);
  }
  const key = word === "peaks" ? "peaks" : "efficiencies";
  const group = groupWords[key];
  if (!isRecord(value)) {
    return faulty(path, `"${word}" is given by ${joinWithAnd(group.words)}, each ${group.is}`, say);
  }
  const words: readonly string[] = group.words;
  const inside = Object.entries(value).flatMap(([name, each]) => {
    const at = [...path, name];
    if (!words.includes(name)) return unknownWord(at, `"${word}"`, words, say);
    if (group.isRight(each)) return [[name, each] as const];
    return wrongNumber(at, `"${name}" of "${word}" is ${group.is}`, each, say);
  });
  return inside.length === 0 ? [] : [[key, Object.fromEntries(inside)]];
}

/** The figures of a link in an object. Alpa's alpha and beta stand for latency and 1 / bandwidth. */
export function readLinkFigures(
  value: unknown,
  path: readonly string[],
  say: Say,
): Readonly<Partial<Link>> {
  const name = path.at(-1) ?? "";
  if (!isRecord(value)) {
    const example = '{"bandwidth": 50e9, "latency": 10e-6, "fabric": "ring"}';
    return Object.fromEntries(faulty(path, `the link of "${name}" is given as ${example}`, say));
  }
  const figures = Object.entries(value).flatMap(([word, each]) => {
    const at = [...path, word];
    switch (word) {
      case "bandwidth":
        if (isRate(each)) return [[word, each] as const];
        return wrongNumber(at, `the bandwidth of a link is ${bytesPerSecond}`, each, say);
      case "latency":
        if (isLatency(each)) return [[word, each] as const];
        return wrongNumber(
          at,
          "the latency of a link is a number of seconds, 0 or more",
          each,
          say,
        );
      case "fabric": {
        const fabric = fabrics.find((known) => known === each);
        if (fabric !== undefined) return [[word, fabric] as const];
        return faulty(at, 'the fabric of a link is "switch", "ring" or "line"', say);
      }
      case "reached":
        if (isShare(each)) return [[word, each] as const];
        return wrongNumber(at, `what a link reaches is ${shareOfBandwidth}`, each, say);
      case "alpha":
        return isLatency(each) ? [["latency", each] as const] : alphaBeta(at, say);
      case "beta":
        return isRate(each) ? [["bandwidth", 1 / each] as const] : alphaBeta(at, say);
      default:
        return unknownWord(at, "a link", linkWords, say);
    }
  });
  return Object.fromEntries(figures);
}

const shareOfBandwidth = "a share of its bandwidth above 0 and at most 1, like 0.9";

const bytesPerSecond = "a number of bytes per second above 0, like 50e9";

function alphaBeta(path: readonly string[], say: Say): readonly never[] {
  return faulty(path, "alpha is a number of seconds, and beta seconds per byte", say);
}

/** Reports an unknown word, with the known one that was most likely meant. */
function unknownWord(
  path: readonly string[],
  owner: string,
  known: readonly string[],
  say: Say,
): readonly never[] {
  const word = path.at(-1) ?? "";
  const meant = nearestWord(word, known);
  const message = `${owner} takes ${joinWithAnd(known)}, not "${word}"`;
  say({ path, isOfKey: true, message, ...(meant !== undefined && { meant }) });
  return [];
}

function faulty(
  path: readonly string[],
  message: string,
  say: Say,
  isOfKey = false,
): readonly never[] {
  say({ path, isOfKey, message });
  return [];
}

/**
 * Reports a value that is no valid number; for a text with a unit, as `"80 GB"`, it offers the
 * number.
 */
function wrongNumber(
  path: readonly string[],
  message: string,
  value: unknown,
  say: Say,
): readonly never[] {
  const meant = typeof value === "string" ? withoutUnit(value) : undefined;
  say({ path, isOfKey: false, message, ...(meant !== undefined && { meant }) });
  return [];
}

const prefixes: Readonly<Record<string, number>> = {
  ...{ "": 0, k: 3, K: 3, M: 6, G: 9, T: 12, P: 15 },
  ...{ m: -3, u: -6, µ: -6, n: -9 },
};

const units = /^(\d+(?:\.\d+)?)\s*([kKMGTPmuµn]?)(B|B\/s|Bps|FLOPS?|FLOP\/s|OPS?|s)?$/u;

/** The number in SI units of a text with a unit: `"3.35 TB/s"` is `3.35e12`. */
function withoutUnit(text: string): string | undefined {
  const [, digits, prefix = ""] = units.exec(text.slice(0, 60).trim()) ?? [];
  const power = prefixes[prefix] ?? 0;
  if (digits === undefined) return undefined;
  return power === 0 ? digits : `${digits}e${power}`;
}

function snake(word: string): string {
  return word.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}
