import type { StateCreator } from "zustand/vanilla";
import type { ImportChoice, PublishedProgram } from "#systems/published";

/** The state of the last published file. */
export type PublishedStatus =
  | { readonly kind: "none" }
  /** The file is being read. */
  | { readonly kind: "reading"; readonly name: string; readonly operators: number }
  /** The program made from the file; the text may have been edited since. */
  | { readonly kind: "read"; readonly file: ReadFile; readonly made: PublishedProgram };

/** A file and the format it was read in; kept for reading it again with other choices. */
export interface ReadFile {
  readonly name: string;
  readonly content: Blob;
  readonly format: string;
}

export interface PublishedSlice {
  readonly published: PublishedStatus;
  readonly notePublished: (status: PublishedStatus) => void;
}

/** The most recent published file, for the note above the canvas. */
export function publishedSlice(): StateCreator<PublishedSlice> {
  return (set) => ({
    published: { kind: "none" },
    notePublished: (published) => set({ published }),
  });
}

/**
 * The program read from a published file while its text is on screen. A file that is only compared
 * with the program stays.
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

/** A change of the choices that a file leaves open. */
export type ChoiceChange = Partial<ImportChoice>;
