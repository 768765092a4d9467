import type { Checked } from "#core/diagnostics";
import type { PublishedProgram } from "#systems/published";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import type { AskedFile, PublishedQuestions, ReadingNews } from "./read-published.ts";
import { type Reply, superseded } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/** Reads published files in a worker, one at a time, so that the page goes on meanwhile. */
export interface PublishedReader {
  /** Reads a file, and gives up one that is still being read. */
  read(
    file: AskedFile,
    hear?: (news: ReadingNews) => void,
  ): Promise<Reply<Checked<PublishedProgram>>>;
  /** Gives up the file that is being read. */
  stop(): void;
}

/** Milliseconds allowed for a file; the largest files that readers take need less. */
const deadlineMilliseconds = 120_000;

/** Makes a reader with a worker of its own, which `spawn` starts for the first file. */
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
