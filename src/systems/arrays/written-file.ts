import { NotWritten } from "./not-written.ts";

/**
 * A plan as a file of code with the claims that the file checks, or the reason why there is none.
 */
export type WrittenFile<Claims = unknown> =
  | {
      readonly ok: true;
      readonly text: string;
      readonly claims: Claims;
      /**
       * A sentence about a part of the plan that the file expresses differently; also in the file's
       * head.
       */
      readonly note?: string;
    }
  | NotWrittenFile;

/** Why there is no file, as half a sentence, and the modules whose cuts may be the cause. */
export interface NotWrittenFile {
  readonly ok: false;
  readonly reason: string;
  readonly modules?: readonly string[];
}

/** The file that a writer makes, or the reason of the `NotWritten` that it throws. */
export function writtenFile<Claims>(
  write: () => Omit<Extract<WrittenFile<Claims>, { ok: true }>, "ok">,
): WrittenFile<Claims> {
  try {
    return { ok: true, ...write() };
  } catch (error) {
    if (error instanceof NotWritten) {
      return { ok: false, reason: error.message, modules: error.modules };
    }
    throw error;
  }
}
