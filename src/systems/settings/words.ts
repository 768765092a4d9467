import type { Diagnostic } from "#core/diagnostics";
import type { ParallelSettings } from "./settings.ts";

/** A value from a file or command line; a flag without a value is `true`. */
export type Said = string | number | boolean | null | readonly unknown[];

/** Settings by name; nested names are joined by dots. */
export type SaidWords = ReadonlyMap<string, Said>;

/**
 * Applies a setting to a draft.
 *
 * @throws BadValue for an invalid value
 */
export type Meaning = (said: Said, so: Draft, word: string) => void;

/** Settings being collected. */
export type Draft = {
  -readonly [Name in keyof Degrees]: Degrees[Name];
} & {
  /** Settings that no plan can express. */
  readonly unmodelled: string[];
  /** Whether the tool shares experts over all devices of a layer. */
  sharesExperts?: boolean;
};

type Degrees = Omit<ParallelSettings, "tool" | "notes">;

/** A tool, and the settings that it reads. */
export interface Tool {
  readonly name: string;
  readonly words: Readonly<Record<string, Meaning>>;
  /** Pattern of settings unrelated to splitting work: models, files, logs. */
  readonly others: RegExp;
  /** Applies consequences that depend on several settings. */
  readonly finish?: (so: Draft, said: SaidWords) => void;
}

export class BadValue extends Error {}

/** A degree: an integer from 1. `-1` ("as many as there are") and 0 set nothing. */
export function degree(name: Degree): Meaning {
  return (said, so, word) => {
    const count = wholeOf(said, word);
    if (count === -1 || count === 0) return;
    so[name] = count;
  };
}

/** A degree that multiplies another of the same kind: inside a node and between nodes. */
export function factor(name: Degree): Meaning {
  return (said, so, word) => {
    const count = wholeOf(said, word);
    if (count > 1) so[name] = (so[name] ?? 1) * count;
  };
}

type Degree =
  | "devices"
  | "tensor"
  | "data"
  | "pipeline"
  | "context"
  | "expert"
  | "microbatches"
  | "globalBatch"
  | "localBatch";

/** A switch, without effect when off. */
export function flag(on: (so: Draft) => void): Meaning {
  return (said, so, word) => {
    if (isOn(said, word)) on(so);
  };
}

/** One word of a fixed choice. */
export function choice(meanings: Readonly<Record<string, (so: Draft) => void>>): Meaning {
  return (said, so, word) => {
    const name = String(said).toLowerCase();
    const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
    if (meaning === undefined) {
      const known = Object.keys(meanings).map((each) => `"${each}"`);
      throw new BadValue(`${word} is ${JSON.stringify(said)}, not ${known.join(" or ")}`);
    }
    meaning(so);
  };
}

/** A kind of splitting that no plan can express; it is listed when on. */
export const unmodelled: Meaning = (said, so, word) => {
  // A degree of 1, or a setting that is off, splits nothing.
  const isOff =
    said === false || said === null || /^([01]|none|false|no|off|)$/i.test(String(said));
  if (!isOff) so.unmodelled.push(word);
};

/** Interprets a tool's settings. */
export function readWords(tool: Tool, said: SaidWords): ParallelSettings {
  const so: Draft = {
    ...{ tensor: 1, sequence: false, pipeline: 1, context: 1, expert: 1 },
    unmodelled: [],
  };
  const unknown: string[] = [];
  for (const [word, value] of said) {
    const meaning = Object.hasOwn(tool.words, word) ? tool.words[word] : undefined;
    if (meaning !== undefined) meaning(value, so, word);
    else if (!tool.others.test(word)) unknown.push(word);
  }
  tool.finish?.(so, said);
  const { unmodelled: left, sharesExperts: _, ...settings } = so;
  return { tool: tool.name, ...settings, notes: [...notModelled(left), ...notKnown(unknown)] };
}

function notModelled(words: readonly string[]): readonly Diagnostic[] {
  if (words.length === 0) return [];
  const message = `not modelled: ${words.join(", ")}`;
  return [{ code: "settings/not-modelled", severity: "warning", message }];
}

function notKnown(words: readonly string[]): readonly Diagnostic[] {
  if (words.length === 0) return [];
  const [isOr, they] = words.length === 1 ? ["is", "it is"] : ["are", "they are"];
  const message = `${words.join(", ")} ${isOr} not known: ${they} left out`;
  return [{ code: "settings/unknown-word", severity: "warning", message }];
}

export function wholeOf(said: Said, word: string): number {
  const number = typeof said === "string" && said.trim() === "" ? Number.NaN : Number(said);
  if (typeof said === "boolean" || !Number.isSafeInteger(number) || number < -1) {
    throw new BadValue(`${word} is ${JSON.stringify(said)}, not a whole number`);
  }
  return number;
}

function isOn(said: Said, word: string): boolean {
  if (typeof said === "boolean") return said;
  if (said === null) return false;
  const text = String(said).toLowerCase();
  if (/^(true|yes|on|1)$/.test(text)) return true;
  if (/^(false|no|off|0|)$/.test(text)) return false;
  throw new BadValue(`${word} is ${JSON.stringify(said)}, neither true nor false`);
}
