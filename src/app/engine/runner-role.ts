import { type Answerer, createAnswerer } from "./question.ts";
import { createRunEngines } from "./run-engines.ts";
import { createRunHost } from "./run-host.ts";
import type { RunQuestions } from "./run-protocol.ts";

/** Worker role that runs programs. */
export function runnerRole(post: (message: unknown) => void): Answerer<RunQuestions> {
  const { gpu }: { readonly gpu?: GPU } = navigator;
  const clock = () => performance.now();
  const engines = createRunEngines({ gpu, isSecure: isSecureContext, clock });
  return createAnswerer(createRunHost(engines), post);
}
