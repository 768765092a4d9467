import words from "./glossary.json" with { type: "json" };

/** What a word on screen means. */
export interface Explained {
  /** One sentence or two of plain English. */
  readonly means: string;
  /** The words of the systems for the same, where they differ. */
  readonly elsewhere?: string;
}

/** By the word as it stands on screen; `k+` stands for all of its kind. */
export const glossary: Readonly<Record<string, Explained>> = words;
