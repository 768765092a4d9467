import type { Checked } from "#core/diagnostics";
import type { PublishedProgram } from "#systems/published";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import type { AskedFile, PublishedQuestions, ReadingNews } from "./read-published.ts";
import { type Reply, superseded } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/** Reads published files aside, one at a time: the page goes on while a long one is read. */
export interface PublishedReader {
  /** Reads a file; one that is still being read is given up. */
  read(
    file: AskedFile,
    hear?: (news: ReadingNews) => void,
  ): Promise<Reply<Checked<PublishedProgram>>>;
  /** Gives up what is being read. */
  stop(): void;
}

/** A file may take this long, in milliseconds: the largest that readers take are read in less. */
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
