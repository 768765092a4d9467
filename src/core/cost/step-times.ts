import type { CollectiveStep, SpmdProgram } from "#core/program";
import type { StepTime, TimeOf } from "#core/schedule";
import { checkpointCalls } from "./checkpoint-calls.ts";
import type { Hardware } from "./cost.ts";
import { checkpointSeconds } from "./launch-seconds.ts";
import { fixedSeconds, type LinksOf, linksOf } from "./load.ts";
import type { OperatorWork } from "./operator-seconds.ts";
import type { RunRules } from "./run-rules.ts";

/** Seconds of each step of a program by itself, and the host's seconds to launch it. */
export function stepTimes(
  program: SpmdProgram,
  works: readonly OperatorWork[],
  hardware: Hardware,
  { isEager = false }: RunRules,
): TimeOf {
  const sent = sentTimes(linksOf(program), isEager ? hardware.launch : 0);
  const calls = isEager ? checkpointCalls(program) : new Set<number>();
  const call = checkpointSeconds(hardware);
  return (step, at) => {
    if (step.kind === "collective") return sent(step);
    const { seconds = 0, launchSeconds = 0 } = works[at] ?? {};
    const launched = isEager ? launchSeconds : 0;
    return { seconds, fixed: 0, launch: launched + (calls.has(at) ? call : 0) };
  };
}

/** The times of collectives; a slice is no kernel. */
function sentTimes(linked: LinksOf, launch: number): (step: CollectiveStep) => StepTime {
  return (step) => {
    const { seconds } = step;
    if (step.collective === "slice") return { seconds, fixed: 0, launch: 0 };
    return { seconds, fixed: seconds > 0 ? fixedSeconds(step, linked(step)) : 0, launch };
  };
}
