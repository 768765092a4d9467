import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import type { BufferId, BufferPlan, GpuCommand, GpuProgram } from "./gpu-program.ts";
import type { AdapterTraits, Kernel } from "./launch.ts";
import { unfilledBits } from "./numbers.ts";

/** A block of a tensor on a device: the words of its elements, row-major. */
export interface HeldBlock {
  readonly box: Box;
  /** The word of its first element. */
  readonly base: number;
}

/** The blocks of a value, in one buffer. */
export interface Holding {
  readonly buffer: BufferId;
  readonly blocks: ReadonlyMap<DeviceId, readonly HeldBlock[]>;
}

/** The numbers of a run. */
export interface Numbers {
  readonly type: "f32" | "i32";
  /** Whether functions with fractional results are replaced by integer functions. */
  readonly isExact: boolean;
}

/** The limits of an adapter. */
export interface GpuLimits extends AdapterTraits {
  readonly storageBuffers: number;
  readonly bindingWords: number;
  /**
   * Words of all values from which the device compares them; fewer are read back and compared
   * sooner.
   */
  readonly compareFrom: number;
}

/** Alignment in words at which bindings of rows begin (256 bytes). */
const alignment = 64;

/** Words of the buffer that unfilled cells are copied from. */
const unfilledWords = 2 ** 14;

/** Collects the commands of a run, and the buffers that these need. */
export class ProgramBuilder {
  readonly numbers: Numbers;
  readonly limits: GpuLimits;
  private readonly buffers: BufferPlan[] = [];
  private readonly commands: GpuCommand[] = [];
  private readonly rows: number[] = [];
  private cuts = 0;
  private readonly free = new Map<number, BufferId[]>();
  private inUse: BufferId[] = [];
  private unfilled: BufferId | undefined;

  constructor(numbers: Numbers, limits: GpuLimits) {
    this.numbers = numbers;
    this.limits = limits;
  }

  get commandCount(): number {
    return this.commands.length;
  }

  buffer(label: string, words: number, content?: Uint32Array): BufferId {
    this.buffers.push({
      label,
      words: wholeVectors(words),
      ...(content !== undefined && { content }),
    });
    return this.buffers.length - 1;
  }

  /** A buffer until the step ends; it still has the content of an earlier step. */
  scratch(label: string, words: number): BufferId {
    const id = this.free.get(wholeVectors(words))?.pop() ?? this.buffer(label, words);
    this.inUse.push(id);
    return id;
  }

  /** Lets the next steps use the scratch buffers of this one. */
  endStep(): void {
    for (const id of this.inUse) {
      const words = this.wordsOf(id);
      this.free.set(words, [...(this.free.get(words) ?? []), id]);
    }
    this.inUse = [];
  }

  wordsOf(buffer: BufferId): number {
    return this.buffers[buffer]?.words ?? 1;
  }

  kernel(label: string, kernel: Kernel): void {
    const offset = this.rows.length;
    for (const row of kernel.rows) this.rows.push(row);
    while (this.rows.length % alignment !== 0) this.rows.push(0);
    this.commands.push({
      kind: "kernel",
      label,
      code: kernel.code((buffer) => this.wordsOf(buffer)),
      buffers: kernel.bindings.map(({ buffer }) => buffer),
      ...(kernel.rows.length > 0 && { rows: { offset, words: kernel.rows.length } }),
      workgroups: kernel.workgroups,
      ...(kernel.cutGroups !== undefined && {
        cut: { slot: this.cuts++, groups: kernel.cutGroups },
      }),
      work: kernel.work,
    });
  }

  copy(
    label: string,
    source: BufferId,
    target: BufferId,
    runs: readonly { readonly from: number; readonly to: number; readonly words: number }[],
  ): void {
    const filled = runs.filter(({ words }) => words > 0);
    if (filled.length === 0) return;
    const words = filled.reduce((sum, run) => sum + run.words, 0);
    const work = words / 4 + 100 * filled.length;
    this.commands.push({ kind: "copy", label, source, target, runs: filled, work });
  }

  /** Marks every word of a buffer as unfilled. */
  markUnfilled(buffer: BufferId): void {
    this.unfilled ??= this.buffer(
      "unfilled",
      unfilledWords,
      new Uint32Array(unfilledWords).fill(unfilledBits),
    );
    const words = this.wordsOf(buffer);
    const runs = Array.from({ length: Math.ceil(words / unfilledWords) }, (_, at) => {
      const to = at * unfilledWords;
      return { from: 0, to, words: Math.min(unfilledWords, words - to) };
    });
    this.copy("unfilled", this.unfilled, buffer, runs);
  }

  program(): GpuProgram {
    const { buffers, commands, rows } = this;
    return { buffers, commands, rows: Int32Array.from(rows) };
  }
}

/** Words of a buffer, which kernels may see as vectors of four. */
function wholeVectors(words: number): number {
  return Math.max(4, Math.ceil(words / 4) * 4);
}
