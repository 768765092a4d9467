import { cpuEngine } from "#execute/cpu";
import type { Engine } from "#execute/engine";
import { chooseGpu, type GpuChoice } from "#execute/webgpu";
import type { RunEngine, RunProgress } from "./run-protocol.ts";

/** Engine with its label for the report. */
export interface ChosenEngine {
  readonly engine: Engine;
  readonly label: RunEngine;
}

/** Engines available to a worker. A GPU is requested at the first run that wants one, and kept. */
export interface RunEngines {
  /** Time in milliseconds from an arbitrary origin. */
  readonly clock: () => number;
  choose(
    wanted: RunEngine["name"],
    onProgress: (progress: RunProgress) => void,
  ): Promise<ChosenEngine>;
  /** The CPU engine, with the reason for using it. */
  cpu(why?: string): ChosenEngine;
}

/** Browser facilities that a worker uses. */
interface Surroundings {
  readonly gpu: GPU | undefined;
  /** Whether the page is a secure context (https or localhost), which WebGPU requires. */
  readonly isSecure: boolean;
  readonly clock: () => number;
}

/** The engines of a worker. */
export function createRunEngines({ gpu, isSecure, clock }: Surroundings): RunEngines {
  let choice: Promise<GpuChoice> | undefined;
  let listener: (progress: RunProgress) => void = () => {};
  const look = () =>
    chooseGpu(gpu, {
      onProgress: (part, done, of) =>
        listener({ stage: part === "compile" ? "kernels" : "devices", done, of }),
      onLost: () => listener({ stage: "again" }),
    }).catch(
      (fault: unknown): GpuChoice => ({
        kind: "cpu",
        why: `its adapter lends no device: ${fault instanceof Error ? fault.message : fault}`,
      }),
    );
  const cpu = (why?: string): ChosenEngine => ({
    engine: cpuEngine(clock),
    label: { name: "cpu", ...(why !== undefined && { why }) },
  });
  return {
    clock,
    cpu,
    choose: async (wanted, onProgress) => {
      listener = onProgress;
      if (wanted === "cpu") return cpu();
      if (gpu === undefined && !isSecure) {
        return cpu("browsers have WebGPU only on pages from https or from this machine");
      }
      if (choice === undefined) onProgress({ stage: "adapter" });
      choice ??= look();
      const chosen = await choice;
      if (chosen.kind === "webgpu") {
        const { engine } = chosen;
        return { engine, label: { name: "webgpu", adapter: engine.adapter } };
      }
      // The next run tries again, as an adapter may be available by then.
      choice = undefined;
      return cpu(chosen.why);
    },
  };
}
