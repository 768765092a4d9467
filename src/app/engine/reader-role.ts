import { type Answerer, createAnswerer } from "./question.ts";
import { type PublishedQuestions, readPublished } from "./read-published.ts";

/** Reads published files; what reads each format is loaded when one comes. */
export function readerRole(post: (message: unknown) => void): Answerer<PublishedQuestions> {
  return createAnswerer<PublishedQuestions>({ read: readPublished }, post);
}
