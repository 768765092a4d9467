import type { StateCreator } from "zustand/vanilla";
import type { ImportChoice, PublishedProgram } from "#systems/published";

/** The state of the last published file. */
export type PublishedStatus =
  | { readonly kind: "none" }
  /** It is being read. */
  | { readonly kind: "reading"; readonly name: string; readonly operators: number }
  /** The program that was made of it; it may have been edited since. */
  | { readonly kind: "read"; readonly file: ReadFile; readonly made: PublishedProgram };

/** A file with the format that it was read as; kept to be read again with other choices. */
export interface ReadFile {
  readonly name: string;
  readonly content: Blob;
  readonly format: string;
}

export interface PublishedSlice {
  readonly published: PublishedStatus;
  readonly notePublished: (status: PublishedStatus) => void;
}

/** The published file that came last, for the note above the canvas. */
export function publishedSlice(): StateCreator<PublishedSlice> {
  return (set) => ({
    published: { kind: "none" },
    notePublished: (published) => set({ published }),
  });
}

/**
 * What was read of a published file, while its text is on screen. A file of weights that is
 * compared with the program stays.
 */
export function publishedProgram({
  published,
  document,
}: PublishedSlice & {
  readonly document: { readonly source: string };
}): PublishedProgram | undefined {
  if (published.kind !== "read") return undefined;
  const { made } = published;
  return made.program === undefined || made.program === document.source ? made : undefined;
}

/** A change of what a file left open. */
export type ChoiceChange = Partial<ImportChoice>;
