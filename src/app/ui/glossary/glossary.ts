import { lessonOf } from "#app/lessons";
import { joinTexts } from "#language/texts";
import words from "./glossary.json" with { type: "json" };

/** Glossary entry. */
export interface Explained {
  /** Meaning in one sentence of plain English. */
  readonly means: string;
  /**
   * Name in each system, by system; a system without one has a sentence that says so and names a
   * substitute.
   */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** For a collective: bytes that each device receives. */
  readonly cost?: string;
  /** Id of the lesson in which the term can be tried. */
  readonly lesson?: string;
  readonly drawing: Drawing;
}

/**
 * Drawing computed from a text: of a lesson (`lesson` and `text`), of an example, or its own
 * (`program`).
 */
export interface Drawing {
  readonly lesson?: string;
  readonly text?: string;
  readonly example?: string;
  readonly program?: string;
  /** Drawn part: a tensor, with a device whose blocks are marked, or a redistribution, from 1. */
  readonly tensor?: string;
  readonly device?: number;
  readonly step?: number;
  /**
   * Text after the change: another text of the lesson (`then`), or the same one with lines added
   * (`more`).
   */
  readonly then?: string;
  readonly more?: string;
  /** Other view of the plan: `time`, `bound` of a challenge, or `index` space of an operator. */
  readonly shows?: string;
}

/** Text from which a drawing is computed; examples are loaded after the page. */
export async function sourceOf({ program, example, lesson = "", text = "" }: Drawing) {
  if (program !== undefined) return program;
  if (example === undefined) return lessonOf(lesson)?.texts[text];
  const { everyExample } = await import("#app/examples");
  const found = everyExample.find(({ name }) => name === example);
  return found?.plan === undefined ? found?.program : joinTexts(found.program, found.plan);
}

/**
 * Whether a system has a name for the term, and not a sentence that begins with the tested words.
 */
export function isWord(name: string): boolean {
  return !name.startsWith("no word of its own: ");
}

/** Names of the entry in the systems that have one. */
export function namesIn({ elsewhere }: Explained): readonly string[] {
  return Object.entries(elsewhere).flatMap(([system, name]) =>
    isWord(name) ? [`${system}: ${name}.`] : [],
  );
}

/**
 * Each name of the entry with its systems, joined if they share it; systems without a name have
 * their substitute.
 */
export function systemsOf({ elsewhere }: Explained): readonly (readonly [string, string])[] {
  const names = [...new Set(Object.values(elsewhere))];
  return names.map((name) => {
    const systems = Object.keys(elsewhere).filter((system) => elsewhere[system] === name);
    return [systems.join(", "), name] as const;
  });
}

/** Text after the change of a drawing; `undefined` if there is no change. */
export function thenOf({ lesson = "", then, more }: Drawing, source: string): string | undefined {
  if (more !== undefined) return source + more;
  return then === undefined ? undefined : lessonOf(lesson)?.texts[then];
}

/** Glossary entries by term as written on screen; `k+` stands for all reduced dims. */
export const glossary: Readonly<Record<string, Explained>> = words;
