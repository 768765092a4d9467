import type { Cancel } from "#execute/engine";
import type { Comparison } from "./compare-values.ts";
import { countDiffering } from "./count-differing.ts";
import type { GpuProgram, KernelCommand } from "./gpu-program.ts";
import type { GpuLimits, Numbers } from "./program-builder.ts";
import { type BufferPart, RunBuffers } from "./run-buffers.ts";
import { Pace, type SentCounts, sendCommands } from "./send-commands.ts";
import { StepClock } from "./step-clock.ts";
import type { TileChoice } from "./tile-choice.ts";

/** Counts of a run's work on the device. */
export interface GpuCounts extends SentCounts {
  readonly pipelines: number;
}

/** Options of sending a planned program to the GPU. */
export interface ExecuteOptions {
  /** Number of commands before each step, to time steps if the device has a clock. */
  readonly starts?: readonly number[];
  readonly signal?: Cancel;
  /** Called with the number of pipelines that are ready, then with the number of commands sent. */
  readonly onProgress?: (part: "compile" | "run", done: number, of: number) => void;
}

/** A run that needs more memory than the budget; thrown before anything is allocated. */
export class GpuBudgetError extends Error {}

/** Buffers of a run on the device, until they are released. */
export interface GpuRun {
  readonly counts: GpuCounts;
  /** Seconds per step of the program by the device's own clock, if it has one. */
  readonly seconds?: readonly number[];
  /** The words of buffers, in their order. */
  read(buffers: readonly number[]): Promise<readonly ArrayBuffer[]>;
  /** The words of parts of buffers, in their order. */
  readParts(parts: readonly BufferPart[]): Promise<readonly ArrayBuffer[]>;
  /** Number of differing cells of each comparison. */
  countDiffering(
    comparisons: readonly Comparison[],
    type: Numbers["type"],
  ): Promise<readonly number[]>;
  release(): void;
}

/** A program whose pipelines and buffers are ready, until it is released. */
export interface PreparedRun extends Omit<GpuRun, "counts" | "seconds"> {
  /** Runs its commands, beginning with one of them, and waits until the device is done. */
  send(options?: ExecuteOptions, from?: number): Promise<Pick<GpuRun, "counts" | "seconds">>;
}

/**
 * Operations from which a kernel runs part by part: about the duration of some pieces of work, on a
 * CPU and on a small GPU.
 */
const cutFrom = { cpu: 2 ** 25, gpu: 2 ** 33 };

/**
 * Words that can be read back and compared in the time of one round trip to a device (1 MB). A CPU
 * that emulates a GPU has them in the same memory, and compares several times slower by kernels.
 */
const compareFrom = 2 ** 18;

/** Runs planned programs on one GPU; keeps their pipelines for the next run. */
export class GpuExecutor {
  private known: GpuLimits;
  private readonly device: GPUDevice;
  private readonly pipelines = new Map<string, Promise<GPUComputePipeline>>();
  private readonly budgetWords: number;
  private readonly pace: Pace;

  constructor(
    device: GPUDevice,
    budgetBytes: number,
    traits: Pick<GpuLimits, "isCpu" | "hasQuads"> & Partial<GpuLimits>,
  ) {
    this.device = device;
    this.budgetWords = budgetBytes / 4;
    this.pace = new Pace(traits.isCpu);
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    this.known = {
      storageBuffers: device.limits.maxStorageBuffersPerShaderStage,
      bindingWords: Math.min(maxStorageBufferBindingSize, maxBufferSize) / 4,
      workgroupBytes: device.limits.maxComputeWorkgroupStorageSize,
      workgroups: device.limits.maxComputeWorkgroupsPerDimension,
      cutFrom: traits.isCpu ? cutFrom.cpu : cutFrom.gpu,
      compareFrom: traits.isCpu ? Number.POSITIVE_INFINITY : compareFrom,
      ...traits,
    };
  }

  get limits(): GpuLimits {
    return this.known;
  }

  /** Uses these tiles for products from now on. */
  takeTiles(tiles: readonly TileChoice[]): void {
    this.known = { ...this.known, tiles };
  }

  /** Runs a program; its buffers stay until the run is released. */
  async execute(program: GpuProgram, options: ExecuteOptions = {}): Promise<GpuRun> {
    const run = await this.prepare(program, options);
    try {
      return { ...run, ...(await run.send(options)) };
    } catch (fault) {
      run.release();
      throw fault;
    }
  }

  /** Makes a program's pipelines and buffers. */
  async prepare(program: GpuProgram, options: ExecuteOptions = {}): Promise<PreparedRun> {
    this.checkBudget(program);
    const pipelines = await this.compile(program, options);
    const buffers = await this.checked(() => new RunBuffers(this.device, program));
    const { device, pace } = this;
    const { workgroups } = this.limits;
    const { commands } = program;
    const send = async (
      { signal, onProgress, starts }: ExecuteOptions = {},
      from = 0,
    ): Promise<Pick<GpuRun, "counts" | "seconds">> => {
      const clock = StepClock.of(device, starts, commands.length);
      const sending = { device, pace, buffers, pipelines, commands, workgroups, clock };
      const onSent = (done: number) => onProgress?.("run", done, commands.length);
      try {
        const sent = await this.checked(() =>
          sendCommands(sending, { from, onSent, ...(signal !== undefined && { signal }) }),
        );
        const counts = { ...sent, pipelines: pipelines.size };
        const seconds = await clock?.seconds();
        return { counts, ...(seconds !== undefined && { seconds }) };
      } finally {
        clock?.release();
      }
    };
    return {
      send,
      read: (wanted) => buffers.read(wanted),
      readParts: (parts) => buffers.readParts(parts),
      countDiffering: (comparisons, type) => {
        const pipelineOf = (code: string, label: string) => this.pipeline({ code, label });
        const comparing = { device, buffers, type, workgroups, pipelineOf };
        return this.checked(() => countDiffering(comparing, comparisons));
      },
      release: () => buffers.release(),
    };
  }

  /** Runs an action, and fails if the device refuses part of it. */
  private async checked<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    this.device.pushErrorScope("validation");
    this.device.pushErrorScope("out-of-memory");
    const [result] = await Promise.allSettled([Promise.resolve().then(act)]);
    const scopes = await Promise.allSettled([
      this.device.popErrorScope(),
      this.device.popErrorScope(),
    ]);
    if (result?.status === "rejected") throw result.reason;
    for (const scope of scopes) {
      if (scope.status === "rejected") throw scope.reason;
      if (scope.value !== null) throw new Error(scope.value.message);
    }
    return result?.value as Result;
  }

  private checkBudget({ buffers }: GpuProgram): void {
    const words = buffers.reduce((sum, buffer) => sum + buffer.words, 0);
    const largest = buffers.reduce((most, buffer) => (buffer.words > most.words ? buffer : most), {
      label: "",
      words: 0,
    });
    if (largest.words > this.limits.bindingWords) {
      throw new GpuBudgetError(
        `"${largest.label}" takes ${megabytes(largest.words)} MB on all devices together, and one buffer of this adapter holds ${megabytes(this.limits.bindingWords)} MB`,
      );
    }
    if (words > this.budgetWords) {
      throw new GpuBudgetError(
        `the run takes ${megabytes(words)} MB on the GPU, and may take ${megabytes(this.budgetWords)} MB`,
      );
    }
  }

  private async compile({ commands }: GpuProgram, { signal, onProgress }: ExecuteOptions) {
    const kernels = new Map<string, KernelCommand>();
    for (const command of commands)
      if (command.kind === "kernel") kernels.set(command.code, command);
    const ready = new Map<string, GPUComputePipeline>();
    const all = [...kernels.values()].map(async (kernel) => {
      const pipeline = await this.pipeline(kernel);
      // The other pipelines continue to compile and will be found by their next user.
      signal?.throwIfAborted();
      ready.set(kernel.code, pipeline);
      onProgress?.("compile", ready.size, kernels.size);
    });
    await Promise.all(all);
    return ready;
  }

  private pipeline({
    code,
    label,
  }: Pick<KernelCommand, "code" | "label">): Promise<GPUComputePipeline> {
    const known = this.pipelines.get(code);
    if (known !== undefined) return known;
    const made = this.createPipeline(code, label);
    this.pipelines.set(code, made);
    return made;
  }

  private async createPipeline(code: string, label: string): Promise<GPUComputePipeline> {
    const module = this.device.createShaderModule({ label, code });
    try {
      return await this.device.createComputePipelineAsync({
        label,
        layout: "auto",
        compute: { module, entryPoint: "main" },
      });
    } catch (fault) {
      const { messages } = await module.getCompilationInfo();
      const said = messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`);
      throw new Error(
        `the kernel of "${label}" does not compile: ${said.join("; ") || fault}\n${code}`,
      );
    }
  }
}

function megabytes(words: number): number {
  return Math.ceil((words * 4) / 1e6);
}
