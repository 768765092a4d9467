import type { RunQuestion, RunStage } from "./run-protocol.ts";
import { answerRun } from "./run-verdict.ts";

/** The far end of runs: says how far it is, then the verdict. */
self.addEventListener("message", ({ data }: MessageEvent<RunQuestion>) => {
  const onStage = (stage: RunStage) => self.postMessage({ kind: "stage", id: data.id, stage });
  self.postMessage(answerRun(data, onStage));
});
