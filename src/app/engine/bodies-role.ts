import { bodyFindings } from "./body-findings.ts";
import { type Answerer, createAnswerer } from "./question.ts";
import type { BodyQuestions } from "./run-protocol.ts";

/** Checks the bodies of registered functions. */
export function bodiesRole(post: (message: unknown) => void): Answerer<BodyQuestions> {
  return createAnswerer<BodyQuestions>({ bodies: ({ source }) => bodyFindings(source) }, post);
}
