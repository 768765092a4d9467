import { bodyFindings } from "./body-findings.ts";
import { type Answerer, createAnswerer, type Handlers } from "./question.ts";
import { createRunEngines } from "./run-engines.ts";
import { createRunHost } from "./run-host.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

type All = RunQuestions & BodyQuestions;

/** Runs programs, and checks the bodies of registered functions. */
export function runnerRole(post: (message: unknown) => void): Answerer<All> {
  const { gpu }: { readonly gpu?: GPU } = navigator;
  const clock = () => performance.now();
  const engines = createRunEngines({ gpu, isSecure: isSecureContext, clock });
  const handlers: Handlers<All> = {
    ...createRunHost(engines),
    bodies: ({ source }) => bodyFindings(source),
  };
  return createAnswerer<All>(handlers, post);
}
