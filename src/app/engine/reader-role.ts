import { type Answerer, createAnswerer } from "./question.ts";
import { type PublishedQuestions, readPublished } from "./read-published.ts";

/** Worker role that reads published files; the reader of each format is loaded on first use. */
export function readerRole(post: (message: unknown) => void): Answerer<PublishedQuestions> {
  return createAnswerer<PublishedQuestions>({ read: readPublished }, post);
}
