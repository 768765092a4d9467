import { answerBodies } from "./body-findings.ts";
import type { BodyQuestion, RunQuestion, RunStage } from "./run-protocol.ts";
import { answerRun } from "./run-verdict.ts";

/** The far end of runs: says how far it is, then the verdict; of bodies, what is found. */
self.addEventListener("message", ({ data }: MessageEvent<RunQuestion | BodyQuestion>) => {
  if ("kind" in data) return self.postMessage(answerBodies(data));
  const onStage = (stage: RunStage) => self.postMessage({ kind: "stage", id: data.id, stage });
  self.postMessage(answerRun(data, onStage));
});
