import words from "./glossary.json" with { type: "json" };

/** What a word on screen means. */
export interface Explained {
  /** One sentence or two of plain English. */
  readonly means: string;
  /** The words of the systems for the same, where they differ. */
  readonly elsewhere?: string;
  /** Of a collective: what each device receives. */
  readonly cost?: string;
  /** The id of the lesson in which it can be tried. */
  readonly lesson?: string;
  /** What shows it: a tensor or a redistribution (from 1) of a text of a lesson. */
  readonly drawing?: {
    readonly lesson: string;
    readonly text: string;
    readonly tensor?: string;
    readonly step?: number;
  };
}

/** By the word as it stands on screen; `k+` stands for all of its kind. */
export const glossary: Readonly<Record<string, Explained>> = words;
