import {
  joinedProgress,
  type Progress,
  parseProgress,
  printProgress,
  readProgress,
} from "#app/lessons";
import type { Services } from "./services.ts";

/** The records of lessons in this browser. */
export interface LessonRecords {
  /** What was gone through in this browser. */
  readonly progress: () => Progress;
  /** The progress as text, to take it elsewhere. */
  readonly exportProgress: () => string;
  /** Adds another browser's progress; returns the reason if it cannot. */
  readonly importProgress: (text: string) => string | undefined;
  /** The lesson that is being written in this browser, as text. */
  readonly draft: () => string | undefined;
  readonly keepDraft: (text: string) => void;
}

/** Where it is kept. */
const [key, draftKey] = ["shardboard.lessons", "shardboard.lesson-draft"];

/** Characters of a draft that are kept: more than a lesson may have. */
const mostDraft = 200_000;

/** What is kept of lessons, and `add`, which keeps more. */
export function createLessonRecords(
  storage: Services["storage"],
): LessonRecords & { readonly add: (more: Progress) => void } {
  const progress = () => readProgress(storage.read(key));
  const add = (more: Progress) =>
    storage.write(key, printProgress(joinedProgress(progress(), more)));
  return {
    progress,
    add,
    draft: () => storage.read(draftKey),
    keepDraft: (text) => {
      if (text.length <= mostDraft) storage.write(draftKey, text);
    },
    exportProgress: () => printProgress(progress()),
    importProgress: (text) => {
      const read = parseProgress(text);
      if (!read.ok) return read.why;
      add(read.progress);
      return undefined;
    },
  };
}
