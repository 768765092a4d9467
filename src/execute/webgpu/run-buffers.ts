import { mapRead, slotBytes, usages } from "./buffer-flags.ts";
import type { BufferPlan, GpuProgram, KernelCommand } from "./gpu-program.ts";

/** The most bytes that are read at once; a larger buffer is read alone. */
const mostRead = 2 ** 26;

/** The workgroups of a kernel that a dispatch runs, and the length of their rows. */
export interface KernelPart {
  readonly first: number;
  readonly groups: number;
  readonly across: number;
}

/** A range of words of a buffer, to be read. */
export interface BufferPart {
  readonly buffer: number;
  readonly from: number;
  readonly words: number;
}

/** The buffers of one run. */
export class RunBuffers {
  private readonly device: GPUDevice;
  private readonly buffers: readonly GPUBuffer[];
  private readonly plans: readonly BufferPlan[];
  private readonly rows: GPUBuffer | undefined;
  private readonly parts: GPUBuffer | undefined;
  /** Index (0 or 1) of the place that describes the part sent next, by slot. */
  private readonly turns: number[];
  /** The bindings of commands, for either place of the part's description. */
  private readonly groups = new Map<KernelCommand, (GPUBindGroup | undefined)[]>();

  constructor(device: GPUDevice, { buffers, rows, commands }: GpuProgram) {
    this.device = device;
    this.plans = buffers;
    this.buffers = buffers.map(({ label, words, content }) => this.create(label, words, content));
    this.rows = rows.length === 0 ? undefined : this.create("rows", rows.length, rows);
    const cuts = commands.filter((command) => command.kind === "kernel" && command.cut).length;
    const usage = usages.uniform | usages.copyTarget;
    this.parts =
      cuts === 0
        ? undefined
        : device.createBuffer({ label: "parts", size: 2 * cuts * slotBytes, usage });
    this.turns = new Array<number>(cuts).fill(0);
  }

  at(buffer: number): GPUBuffer {
    const found = this.buffers[buffer];
    if (found === undefined) throw new Error(`no buffer ${buffer}`);
    return found;
  }

  bind(command: KernelCommand, pipeline: GPUComputePipeline): GPUBindGroup {
    const turn = command.cut === undefined ? 0 : (this.turns[command.cut.slot] ?? 0);
    const known = this.groups.get(command) ?? [];
    const group = known[turn] ?? this.createGroup(command, pipeline);
    known[turn] = group;
    this.groups.set(command, known);
    return group;
  }

  private createGroup(command: KernelCommand, pipeline: GPUComputePipeline): GPUBindGroup {
    const { label, buffers, rows, cut } = command;
    const resources: GPUBufferBinding[] = buffers.map((buffer) => ({ buffer: this.at(buffer) }));
    if (rows !== undefined && this.rows !== undefined) {
      resources.push({ buffer: this.rows, offset: 4 * rows.offset, size: 4 * rows.words });
    }
    if (cut !== undefined && this.parts !== undefined) {
      resources.push({ buffer: this.parts, offset: this.placeOf(cut.slot), size: 16 });
    }
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    const layout = pipeline.getBindGroupLayout(0);
    return this.device.createBindGroup({ label, layout, entries });
  }

  /**
   * Writes the part of a kernel that the next submit runs. The submit before may still run, so two
   * slots alternate: some adapters have lost whole parts when memory was written while they read
   * it.
   */
  setPart(slot: number, { first, groups, across }: KernelPart): void {
    if (this.parts === undefined) throw new Error("no kernel is cut");
    const words = Uint32Array.of(first, groups, across, 0);
    this.turns[slot] = 1 - (this.turns[slot] ?? 0);
    this.device.queue.writeBuffer(this.parts, this.placeOf(slot), words);
  }

  private placeOf(slot: number): number {
    return slotBytes * (2 * slot + (this.turns[slot] ?? 0));
  }

  /** The words of buffers, in their order. */
  read(buffers: readonly number[]): Promise<readonly ArrayBuffer[]> {
    return this.readParts(
      buffers.map((buffer) => ({ buffer, from: 0, words: this.plans[buffer]?.words ?? 1 })),
    );
  }

  /** The words of parts of buffers, in their order: as many as fit at a time are read at once. */
  async readParts(parts: readonly BufferPart[]): Promise<readonly ArrayBuffer[]> {
    const found: ArrayBuffer[] = [];
    for (let at = 0; at < parts.length; ) {
      let end = at + 1;
      let bytes = bytesOf(parts[at]);
      while (end < parts.length && bytes + bytesOf(parts[end]) <= mostRead) {
        bytes += bytesOf(parts[end]);
        end += 1;
      }
      found.push(...(await this.readTogether(parts.slice(at, end), bytes)));
      at = end;
    }
    return found;
  }

  private async readTogether(
    parts: readonly BufferPart[],
    size: number,
  ): Promise<readonly ArrayBuffer[]> {
    const usage = usages.copyTarget | usages.mapRead;
    const staging = this.device.createBuffer({ label: "read", size, usage });
    const encoder = this.device.createCommandEncoder({ label: "read" });
    const ends: number[] = [0];
    for (const part of parts) {
      const [start, bytes] = [ends.at(-1) ?? 0, bytesOf(part)];
      encoder.copyBufferToBuffer(this.at(part.buffer), 4 * part.from, staging, start, bytes);
      ends.push(start + bytes);
    }
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(mapRead);
    const words = staging.getMappedRange();
    const read = parts.map((_, at) => words.slice(ends[at], ends[at + 1]));
    staging.destroy();
    return read;
  }

  release(): void {
    for (const buffer of this.buffers) buffer.destroy();
    this.rows?.destroy();
    this.parts?.destroy();
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

function bytesOf(part: BufferPart | undefined): number {
  return 4 * (part?.words ?? 0);
}
