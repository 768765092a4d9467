import type { SpmdProgram } from "#core/program";
import type { Hardware } from "./cost.ts";
import type { Running } from "./in-step.ts";
import type { RunRules } from "./run-rules.ts";

/**
 * Factor by which kernels take longer in whole steps of several devices than alone on one:
 * collectives take processors and memory traffic from them, and all devices share power. One factor
 * per chip, fitted to published steps (cost.md §2); 1 for a device that works alone and for a chip
 * without such a figure.
 */
export function contentionFactor({ crowding = 1 }: Hardware, devices: number): number {
  return devices > 1 ? crowding : 1;
}

/** Conditions under which a program's kernels run. */
export function runningOf(
  program: SpmdProgram,
  hardware: Hardware,
  { isCompiled = false }: RunRules,
): Running {
  return { crowding: contentionFactor(hardware, program.devices.length), isCompiled };
}
