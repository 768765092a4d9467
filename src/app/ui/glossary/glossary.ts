import { lessonOf } from "#app/lessons";
import { joinTexts } from "#language/texts";
import words from "./glossary.json" with { type: "json" };

/** What a word on screen means. */
export interface Explained {
  /** One sentence of plain English. */
  readonly means: string;
  /** The words of the systems for the same, where they differ. */
  readonly elsewhere?: string;
  /** Of a collective: what each device receives. */
  readonly cost?: string;
  /** The id of the lesson in which it can be tried. */
  readonly lesson?: string;
  /** What shows it; only what the page itself does with a text has nothing to draw. */
  readonly drawing?: Drawing;
}

/** A drawing that is worked out from a text: of a lesson, an example, or one of its own. */
export interface Drawing {
  readonly lesson?: string;
  readonly text?: string;
  readonly example?: string;
  readonly program?: string;
  /** A tensor, with a device whose pieces are marked; or a redistribution, from 1. */
  readonly tensor?: string;
  readonly device?: number;
  readonly step?: number;
  /** Something else of the plan: `time`, `bound` of a challenge, `index` space of an operator. */
  readonly shows?: string;
}

/** The text that a drawing is worked out from; examples come after the page. */
export async function sourceOf({ program, example, lesson = "", text = "" }: Drawing) {
  if (program !== undefined) return program;
  if (example === undefined) return lessonOf(lesson)?.texts[text];
  const { everyExample } = await import("#app/examples");
  const found = everyExample.find(({ name }) => name === example);
  return found?.plan === undefined ? found?.program : joinTexts(found.program, found.plan);
}

/** By the word as it stands on screen; `k+` stands for all of its kind. */
export const glossary: Readonly<Record<string, Explained>> = words;
