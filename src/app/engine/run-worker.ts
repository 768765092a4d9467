import { answerBodies } from "./body-findings.ts";
import { createRunEngines } from "./run-engines.ts";
import { createRunHost } from "./run-host.ts";
import type { BodyQuestion, RunnerQuestion } from "./run-protocol.ts";

const { gpu }: { readonly gpu?: GPU } = navigator;
const clock = () => performance.now();
const engines = createRunEngines({ gpu, isSecure: isSecureContext, clock });
const answer = createRunHost(engines, (said) => self.postMessage(said));

/** The far end of runs: says how far it is, then the verdict; of bodies, what is found. */
self.addEventListener("message", ({ data }: MessageEvent<RunnerQuestion | BodyQuestion>) => {
  if (data.kind === "bodies") self.postMessage(answerBodies(data));
  else void answer(data);
});
