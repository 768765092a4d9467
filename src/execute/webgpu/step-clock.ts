import { mapRead, usages } from "./buffer-flags.ts";

/** The most queries of a set (WebGPU's limit). */
const mostQueries = 4096;

/** Bytes of a timestamp, in nanoseconds. */
const timeBytes = 8;

/** Times at which the steps of a run begin, by the device's own clock. */
export class StepClock {
  private readonly device: GPUDevice;
  private readonly starts: readonly number[];
  /** Indices of the commands before which a timestamp is written; the last index is the end. */
  private readonly marks: readonly number[];
  private readonly queryAt: ReadonlyMap<number, number>;
  private readonly queries: GPUQuerySet;

  private constructor(device: GPUDevice, starts: readonly number[], marks: readonly number[]) {
    this.device = device;
    this.starts = starts;
    this.marks = marks;
    this.queryAt = new Map(marks.map((place, at) => [place, at]));
    this.queries = device.createQuerySet({ type: "timestamp", count: marks.length });
  }

  /**
   * A clock for steps that begin at these commands; `undefined` if the device has none, or has too
   * few queries.
   */
  static of(
    device: GPUDevice,
    starts: readonly number[] | undefined,
    end: number,
  ): StepClock | undefined {
    if (starts === undefined || !device.features.has("timestamp-query")) return undefined;
    const marks = [...new Set([...starts, end])].sort((a, b) => a - b);
    return marks.length > mostQueries ? undefined : new StepClock(device, starts, marks);
  }

  isEnd(place: number): boolean {
    return place === this.marks.at(-1);
  }

  /** The timestamps of a pass that begins before the command at a place. */
  writesAt(place: number): GPUComputePassTimestampWrites | undefined {
    const query = this.queryAt.get(place);
    return query === undefined
      ? undefined
      : { querySet: this.queries, beginningOfPassWriteIndex: query };
  }

  /** Seconds per step; 0 for one without commands. */
  async seconds(): Promise<readonly number[]> {
    const times = await this.read();
    return this.starts.map((start, at) => {
      const query = this.queryAt.get(start) ?? 0;
      const isEmpty = (this.starts[at + 1] ?? this.marks.at(-1)) === start;
      const [from, to] = [times[query], times[query + 1]];
      return isEmpty || from === undefined || to === undefined ? 0 : Number(to - from) / 1e9;
    });
  }

  release(): void {
    this.queries.destroy();
  }

  private async read(): Promise<BigUint64Array> {
    const count = this.marks.length;
    const size = count * timeBytes;
    const { queryResolve, copySource, copyTarget, mapRead: readable } = usages;
    const resolved = this.device.createBuffer({ size, usage: queryResolve | copySource });
    const staging = this.device.createBuffer({ size, usage: copyTarget | readable });
    const encoder = this.device.createCommandEncoder({ label: "times" });
    encoder.resolveQuerySet(this.queries, 0, count, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, staging, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(mapRead);
    const times = new BigUint64Array(staging.getMappedRange().slice(0));
    resolved.destroy();
    staging.destroy();
    return times;
  }
}
