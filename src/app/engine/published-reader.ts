import type { Checked } from "#core/diagnostics";
import type { PublishedProgram } from "#systems/published";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import type { AskedFile, PublishedQuestions, ReadingNews } from "./read-published.ts";
import { type Reply, superseded } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/** Reader of published files in a worker, one file at a time. */
export interface PublishedReader {
  /** Reads a file; a file still being read is cancelled. */
  read(
    file: AskedFile,
    hear?: (news: ReadingNews) => void,
  ): Promise<Reply<Checked<PublishedProgram>>>;
  /** Cancels the file being read. */
  stop(): void;
}

/** Time limit of a file in milliseconds; the largest usual files need less. */
const deadlineMilliseconds = 120_000;

/** Creates a reader with its own worker, which `spawn` starts for the first file. */
export function createPublishedReader(
  spawn: () => QuestionPort<PublishedQuestions>,
  timer: Timer,
): PublishedReader {
  const client = new QuestionClient<PublishedQuestions>(spawn, timer);
  const stop = () => {
    if (client.isAsked) client.end(superseded);
  };
  return {
    stop,
    read: (file, tell = () => {}) => {
      stop();
      return client.ask("read", file, { tell, milliseconds: deadlineMilliseconds }).reply;
    },
  };
}
