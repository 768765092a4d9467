import { lessonOf } from "#app/lessons";
import { joinTexts } from "#language/texts";
import words from "./glossary.json" with { type: "json" };

/** The meaning of a word on screen. */
export interface Explained {
  /** One sentence of plain English. */
  readonly means: string;
  /**
   * The words of systems for the same thing, by system; a system without a word says so, and what
   * it has in place of it.
   */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** For a collective: the bytes that each device receives. */
  readonly cost?: string;
  /** The id of the lesson in which it can be tried. */
  readonly lesson?: string;
  readonly drawing: Drawing;
}

/** A drawing that is compiled from a text: of a lesson, an example, or its own. */
export interface Drawing {
  readonly lesson?: string;
  readonly text?: string;
  readonly example?: string;
  readonly program?: string;
  /** A tensor, with a device whose pieces are marked; or a redistribution, from 1. */
  readonly tensor?: string;
  readonly device?: number;
  readonly step?: number;
  /** The text after the change: another text of the lesson, or the same with lines added below. */
  readonly then?: string;
  readonly more?: string;
  /** Another view of the plan: `time`, `bound` of a challenge, `index` space of an operator. */
  readonly shows?: string;
}

/** The text of a drawing; the examples are loaded after the page. */
export async function sourceOf({ program, example, lesson = "", text = "" }: Drawing) {
  if (program !== undefined) return program;
  if (example === undefined) return lessonOf(lesson)?.texts[text];
  const { everyExample } = await import("#app/examples");
  const found = everyExample.find(({ name }) => name === example);
  return found?.plan === undefined ? found?.program : joinTexts(found.program, found.plan);
}

/** Whether a system has a word of its own; the text of one without begins with these words. */
export function isWord(name: string): boolean {
  return !name.startsWith("no word of its own: ");
}

/** The names of the entry in the systems that have a word for it. */
export function namesIn({ elsewhere }: Explained): readonly string[] {
  return Object.entries(elsewhere).flatMap(([system, name]) =>
    isWord(name) ? [`${system}: ${name}.`] : [],
  );
}

/** Each system's word for the entry, or its substitute; systems with the same word share a line. */
export function systemsOf({ elsewhere }: Explained): readonly (readonly [string, string])[] {
  const names = [...new Set(Object.values(elsewhere))];
  return names.map((name) => {
    const systems = Object.keys(elsewhere).filter((system) => elsewhere[system] === name);
    return [systems.join(", "), name] as const;
  });
}

/** The text that a drawing's text becomes; undefined where the drawing has one plan only. */
export function thenOf({ lesson = "", then, more }: Drawing, source: string): string | undefined {
  if (more !== undefined) return source + more;
  return then === undefined ? undefined : lessonOf(lesson)?.texts[then];
}

/** Entries by the word on screen; `k+` is the pattern of all reduced dims. */
export const glossary: Readonly<Record<string, Explained>> = words;
