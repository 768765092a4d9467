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
  /** The completed lessons in this browser. */
  readonly progress: () => Progress;
  /** The progress as text, for transfer to another browser. */
  readonly exportProgress: () => string;
  /** Adds another browser's progress; returns the reason if it cannot be read. */
  readonly importProgress: (text: string) => string | undefined;
  /** The lesson being written in this browser, as text. */
  readonly draft: () => string | undefined;
  readonly keepDraft: (text: string) => void;
}

/** Storage keys of the progress and the draft. */
const [key, draftKey] = ["shardboard.lessons", "shardboard.lesson-draft"];

/** Most characters of a stored draft: more than a lesson may have. */
const mostDraft = 200_000;

/** The stored records of lessons, with `add`, which merges further progress. */
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
