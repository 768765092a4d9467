import { NotWritten } from "./not-written.ts";

/** A plan as a file of code with what it must show; or half a sentence why it is none. */
export type WrittenFile<Claims = unknown> =
  | {
      readonly ok: true;
      readonly text: string;
      readonly claims: Claims;
      /** A form that a reader may miss in the file, and why it has another: a sentence, which its head says too. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly reason: string };

/** What a writer gives, or why it cannot write the plan. */
export function writtenFile<Claims>(
  write: () => Omit<Extract<WrittenFile<Claims>, { ok: true }>, "ok">,
): WrittenFile<Claims> {
  try {
    return { ok: true, ...write() };
  } catch (error) {
    if (error instanceof NotWritten) return { ok: false, reason: error.message };
    throw error;
  }
}
