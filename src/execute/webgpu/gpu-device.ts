import type { Cancel } from "#execute/engine";
import type { BufferPlan, GpuCommand, GpuProgram, KernelCommand } from "./gpu-program.ts";
import type { AdapterTraits } from "./launch.ts";
import type { GpuLimits } from "./program-builder.ts";
import { StepClock } from "./step-clock.ts";

/** What a run has done on the device. */
export interface GpuCounts {
  readonly dispatches: number;
  readonly copies: number;
  readonly submits: number;
  readonly pipelines: number;
}

export interface ExecuteOptions {
  /** Per step, how many commands there are before it: the steps are timed, where the device can. */
  readonly starts?: readonly number[];
  readonly signal?: Cancel;
  /** Called with how many pipelines are ready, then with how many commands have been sent. */
  readonly onProgress?: (part: "compile" | "run", done: number, of: number) => void;
}

/** A run is refused before anything is allocated. */
export class GpuBudgetError extends Error {}

/** Buffers of a run on the device, until they are released. */
export interface GpuRun {
  readonly counts: GpuCounts;
  /** Per step of the program, as the device's own clock says, where it has one. */
  readonly seconds?: readonly number[];
  /** The words of a buffer. */
  read(buffer: number): Promise<ArrayBuffer>;
  release(): void;
}

/** Operations that a piece of work should have, at first; then what takes about 40 ms. */
const firstPiece = 2 ** 24;
const pieceMilliseconds = 40;
const mostCommands = 2_000;

/** A device that runs planned programs: it keeps pipelines, and counts what it does. */
export class GpuExecutor {
  readonly limits: GpuLimits;
  private readonly device: GPUDevice;
  private readonly pipelines = new Map<string, Promise<GPUComputePipeline>>();
  private readonly budgetWords: number;
  private pieceWork = firstPiece;

  constructor(device: GPUDevice, budgetBytes: number, traits: AdapterTraits) {
    this.device = device;
    this.budgetWords = budgetBytes / 4;
    const { maxStorageBuffersPerShaderStage, maxStorageBufferBindingSize, maxBufferSize } =
      device.limits;
    this.limits = {
      ...traits,
      storageBuffers: maxStorageBuffersPerShaderStage,
      bindingWords: Math.min(maxStorageBufferBindingSize, maxBufferSize) / 4,
    };
  }

  /** Runs a program; its buffers stay until the run is released. */
  async execute(program: GpuProgram, options: ExecuteOptions = {}): Promise<GpuRun> {
    this.checkBudget(program);
    const ready = await this.compile(program, options);
    const buffers = new RunBuffers(this.device, program);
    const clock = StepClock.of(this.device, options.starts, program.commands.length);
    try {
      const counts = await this.submit(program, buffers, ready, { ...options, clock });
      await buffers.faults();
      const seconds = await clock?.seconds();
      return {
        counts: { ...counts, pipelines: ready.size },
        ...(seconds !== undefined && { seconds }),
        read: (buffer) => buffers.read(buffer),
        release: () => buffers.release(),
      };
    } catch (fault) {
      await buffers.faults().catch(() => undefined);
      buffers.release();
      throw fault;
    } finally {
      clock?.release();
    }
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
      ready.set(kernel.code, pipeline);
      onProgress?.("compile", ready.size, kernels.size);
    });
    await Promise.all(all);
    signal?.throwIfAborted();
    return ready;
  }

  private pipeline({ code, label }: KernelCommand): Promise<GPUComputePipeline> {
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

  /** Sends the commands in pieces of about equal length, at most two of them at once. */
  private async submit(
    { commands }: GpuProgram,
    buffers: RunBuffers,
    ready: ReadonlyMap<string, GPUComputePipeline>,
    { signal, onProgress, clock }: ExecuteOptions & { readonly clock: StepClock | undefined },
  ) {
    const counts = { dispatches: 0, copies: 0, submits: 0 };
    const inFlight: Promise<void>[] = [];
    for (let at = 0; at < commands.length; ) {
      signal?.throwIfAborted();
      const piece = new Piece(this.device, buffers, ready, clock);
      const from = at;
      let work = 0;
      while (at < commands.length && (work === 0 || work < this.pieceWork)) {
        const command = commands[at];
        if (command === undefined || at - from >= mostCommands) break;
        piece.add(command, at);
        work += command.work;
        at += 1;
      }
      const sent = performance.now();
      this.device.queue.submit([piece.finish(at)]);
      counts.dispatches += piece.dispatches;
      counts.copies += piece.copies;
      counts.submits += 1;
      inFlight.push(this.device.queue.onSubmittedWorkDone().then(() => this.adapt(work, sent)));
      if (inFlight.length > 1) await inFlight.shift();
      onProgress?.("run", at, commands.length);
    }
    await Promise.all(inFlight);
    return counts;
  }

  /** Makes further pieces as long as they should be. */
  private adapt(work: number, sent: number): void {
    const taken = Math.max(1, performance.now() - sent);
    if (work < this.pieceWork / 4) return;
    const wanted = (work * pieceMilliseconds) / taken;
    this.pieceWork = Math.min(this.pieceWork * 2, Math.max(2 ** 18, wanted));
  }
}

function megabytes(words: number): number {
  return Math.ceil((words * 4) / 2 ** 20);
}

/** The commands of one submit. */
class Piece {
  dispatches = 0;
  copies = 0;
  private readonly encoder: GPUCommandEncoder;
  private readonly buffers: RunBuffers;
  private readonly ready: ReadonlyMap<string, GPUComputePipeline>;
  private readonly clock: StepClock | undefined;
  private pass: GPUComputePassEncoder | undefined;

  constructor(
    device: GPUDevice,
    buffers: RunBuffers,
    ready: ReadonlyMap<string, GPUComputePipeline>,
    clock?: StepClock,
  ) {
    this.clock = clock;
    this.encoder = device.createCommandEncoder({ label: "run" });
    this.buffers = buffers;
    this.ready = ready;
  }

  /** Adds a command, by its place in the program. */
  add(command: GpuCommand, at: number): void {
    this.mark(at);
    if (command.kind === "kernel") {
      const pipeline = this.ready.get(command.code);
      if (pipeline === undefined) throw new Error(`no pipeline for ${command.label}`);
      this.pass ??= this.encoder.beginComputePass({ label: "run" });
      this.pass.setPipeline(pipeline);
      this.pass.setBindGroup(0, this.buffers.bind(command, pipeline));
      this.pass.dispatchWorkgroups(...command.workgroups);
      this.dispatches += 1;
      return;
    }
    this.endPass();
    const [source, target] = [this.buffers.at(command.source), this.buffers.at(command.target)];
    for (const { from, to, words } of command.runs) {
      this.encoder.copyBufferToBuffer(source, 4 * from, target, 4 * to, 4 * words);
      this.copies += 1;
    }
  }

  /** @param next the place of the command behind the last one */
  finish(next: number): GPUCommandBuffer {
    if (this.clock?.isEnd(next) === true) this.mark(next);
    this.endPass();
    return this.encoder.finish();
  }

  /** Where a step begins, so does a pass, with the time. */
  private mark(at: number): void {
    const timestampWrites = this.clock?.writesAt(at);
    if (timestampWrites === undefined) return;
    this.endPass();
    this.pass = this.encoder.beginComputePass({ label: "run", timestampWrites });
  }

  private endPass(): void {
    this.pass?.end();
    this.pass = undefined;
  }
}

/** Flags of buffers, and of a mapping, as the WebGPU specification numbers them. */
const usages = { mapRead: 0x01, copySource: 0x04, copyTarget: 0x08, storage: 0x80 };
const mapRead = 0x01;

/** The buffers of one run. */
class RunBuffers {
  private readonly device: GPUDevice;
  private readonly buffers: readonly GPUBuffer[];
  private readonly plans: readonly BufferPlan[];
  private readonly rows: GPUBuffer | undefined;
  private isChecked = false;

  constructor(device: GPUDevice, { buffers, rows }: GpuProgram) {
    this.device = device;
    this.plans = buffers;
    device.pushErrorScope("validation");
    device.pushErrorScope("out-of-memory");
    this.buffers = buffers.map(({ label, words, content }) => this.create(label, words, content));
    this.rows = rows.length === 0 ? undefined : this.create("rows", rows.length, rows);
  }

  at(buffer: number): GPUBuffer {
    const found = this.buffers[buffer];
    if (found === undefined) throw new Error(`no buffer ${buffer}`);
    return found;
  }

  bind({ label, buffers, rows }: KernelCommand, pipeline: GPUComputePipeline): GPUBindGroup {
    const entries: GPUBindGroupEntry[] = buffers.map((buffer, binding) => ({
      binding,
      resource: { buffer: this.at(buffer) },
    }));
    if (rows !== undefined && this.rows !== undefined) {
      const resource = { buffer: this.rows, offset: 4 * rows.offset, size: 4 * rows.words };
      entries.push({ binding: buffers.length, resource });
    }
    const layout = pipeline.getBindGroupLayout(0);
    return this.device.createBindGroup({ label, layout, entries });
  }

  /** Fails if the device has refused something since the run began; says so once. */
  async faults(): Promise<void> {
    if (this.isChecked) return;
    this.isChecked = true;
    const [memory, invalid] = [this.device.popErrorScope(), this.device.popErrorScope()];
    const fault = (await memory) ?? (await invalid);
    if (fault !== null) throw new Error(fault.message);
  }

  async read(buffer: number): Promise<ArrayBuffer> {
    const size = 4 * (this.plans[buffer]?.words ?? 1);
    const usage = usages.copyTarget | usages.mapRead;
    const staging = this.device.createBuffer({ label: "read", size, usage });
    const encoder = this.device.createCommandEncoder({ label: "read" });
    encoder.copyBufferToBuffer(this.at(buffer), 0, staging, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(mapRead);
    const words = staging.getMappedRange().slice(0);
    staging.destroy();
    return words;
  }

  release(): void {
    for (const buffer of this.buffers) buffer.destroy();
    this.rows?.destroy();
  }

  private create(label: string, words: number, content?: ArrayLike<number>): GPUBuffer {
    const usage = usages.storage | usages.copySource | usages.copyTarget;
    const mappedAtCreation = content !== undefined;
    const buffer = this.device.createBuffer({ label, size: 4 * words, usage, mappedAtCreation });
    if (content !== undefined) {
      new Int32Array(buffer.getMappedRange()).set(content);
      buffer.unmap();
    }
    return buffer;
  }
}
