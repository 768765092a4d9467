import { isRecord } from "#core/records";

/** A student's progress, kept in the browser. */
export interface Progress {
  /** Finished lessons, by id. */
  readonly done: ReadonlySet<string>;
  /** Most stars of any plan in each challenge, by id. */
  readonly stars: ReadonlyMap<string, number>;
}

/** Limits of a stored progress: entries per list, and characters of the whole text. */
const [mostEntries, mostCharacters] = [1_000, 100_000];

const idForm = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Text form of a progress, for storage and export. */
export function printProgress({ done, stars }: Progress): string {
  const entries = [...stars].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ done: [...done].sort(), stars: Object.fromEntries(entries) });
}

/** Reads stored progress; empty if the text is missing or invalid. Never throws. */
export function readProgress(text: string | undefined): Progress {
  const read = text === undefined ? undefined : parseProgress(text);
  return read?.ok === true ? read.progress : { done: new Set(), stars: new Map() };
}

/** Parses progress that a user imports; otherwise gives the reason in a sentence. */
export function parseProgress(
  text: string,
): { readonly ok: true; readonly progress: Progress } | { readonly ok: false; why: string } {
  if (text.length > mostCharacters) {
    return { ok: false, why: `A progress has at most ${mostCharacters} characters.` };
  }
  const value = parsedJson(text);
  if (!isRecord(value) || !Array.isArray(value["done"])) {
    return { ok: false, why: 'This is no progress: that begins with {"done": […].' };
  }
  const done = value["done"].filter((id): id is string => isId(id)).slice(0, mostEntries);
  const given = isRecord(value["stars"]) ? Object.entries(value["stars"]) : [];
  const stars = given.flatMap(([id, count]): [string, number][] =>
    isId(id) && (count === 1 || count === 2 || count === 3) ? [[id, count]] : [],
  );
  const progress = { done: new Set(done), stars: new Map(stars.slice(0, mostEntries)) };
  return { ok: true, progress };
}

/** Union of the progress of two browsers, with the higher star counts. */
export function joinedProgress(a: Progress, b: Progress): Progress {
  const stars = new Map(a.stars);
  for (const [id, count] of b.stars) stars.set(id, Math.max(count, stars.get(id) ?? 0));
  return { done: new Set([...a.done, ...b.done]), stars };
}

function isId(value: unknown): boolean {
  return typeof value === "string" && idForm.test(value);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
