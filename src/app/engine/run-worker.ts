import { bodyFindings } from "./body-findings.ts";
import { createAnswerer, type Handlers, type Question } from "./question.ts";
import { createRunEngines } from "./run-engines.ts";
import { createRunHost } from "./run-host.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

type All = RunQuestions & BodyQuestions;

const { gpu }: { readonly gpu?: GPU } = navigator;
const clock = () => performance.now();
const engines = createRunEngines({ gpu, isSecure: isSecureContext, clock });
const handlers: Handlers<All> = {
  ...createRunHost(engines),
  bodies: ({ source }) => bodyFindings(source),
};
const answer = createAnswerer<All>(handlers, (message) => self.postMessage(message));

self.addEventListener("message", ({ data }: MessageEvent<Question<All>>) => answer(data));
