import type { Cancel } from "#execute/engine";
import type { GpuCommand, KernelCommand } from "./gpu-program.ts";
import type { KernelPart, RunBuffers } from "./run-buffers.ts";
import type { StepClock } from "./step-clock.ts";

/** Operations of the first piece of work; later pieces take about 40 ms. */
const firstPiece = { cpu: 2 ** 24, gpu: 2 ** 30 };
const pieceMilliseconds = 40;
const mostCommands = 2_000;

/**
 * Estimate of the operations that the device executes in the intended time of one piece of work.
 */
export class Pace {
  private most: number;

  constructor(isCpu: boolean) {
    this.most = isCpu ? firstPiece.cpu : firstPiece.gpu;
  }

  get work(): number {
    return this.most;
  }

  /** Learns from a piece that was sent at a time and has ended now. */
  learn(work: number, sent: number): void {
    const taken = Math.max(1, performance.now() - sent);
    if (work < this.most / 4) return;
    const wanted = (work * pieceMilliseconds) / taken;
    this.most = Math.min(this.most * 2, Math.max(2 ** 18, wanted));
  }
}

/** The commands to send, and the device. */
export interface Sending {
  readonly device: GPUDevice;
  readonly pace: Pace;
  readonly buffers: RunBuffers;
  readonly pipelines: ReadonlyMap<string, GPUComputePipeline>;
  readonly commands: readonly GpuCommand[];
  /** The most workgroups along one dim of a dispatch. */
  readonly workgroups: number;
  /** Takes the time at the start of steps. */
  readonly clock: StepClock | undefined;
}

export interface SendOptions {
  /** The command to begin with. */
  readonly from: number;
  readonly signal?: Cancel;
  /** Called with the number of commands sent. */
  readonly onSent?: (done: number) => void;
}

/** Counts of sent commands; a kernel that runs in parts counts once. */
export interface SentCounts {
  readonly dispatches: number;
  readonly copies: number;
  readonly submits: number;
}

/** Sends commands in pieces of about equal length, at most two of them at once, until all are done. */
export async function sendCommands(
  sending: Sending,
  { from, signal, onSent }: SendOptions,
): Promise<SentCounts> {
  const { device, pace, commands } = sending;
  const counts = { dispatches: 0, copies: 0, submits: 0 };
  const inFlight: Promise<void>[] = [];
  const cursor: Cursor = { command: from, group: 0 };
  while (cursor.command < commands.length) {
    signal?.throwIfAborted();
    const piece = new Piece(sending, cursor);
    piece.fill(pace.work);
    const sent = performance.now();
    device.queue.submit([piece.finish()]);
    counts.dispatches += piece.dispatches;
    counts.copies += piece.copies;
    counts.submits += 1;
    inFlight.push(device.queue.onSubmittedWorkDone().then(() => pace.learn(piece.work, sent)));
    if (inFlight.length > 1) await inFlight.shift();
    onSent?.(cursor.command);
  }
  await Promise.all(inFlight);
  return counts;
}

/** The next command, and how many of its workgroups have been sent already. */
interface Cursor {
  command: number;
  group: number;
}

/** The commands of one submit. */
class Piece {
  dispatches = 0;
  copies = 0;
  work = 0;
  private readonly sending: Sending;
  private readonly cursor: Cursor;
  private readonly encoder: GPUCommandEncoder;
  private pass: GPUComputePassEncoder | undefined;

  constructor(sending: Sending, cursor: Cursor) {
    this.sending = sending;
    this.cursor = cursor;
    this.encoder = sending.device.createCommandEncoder({ label: "run" });
  }

  /** Adds commands up to `most` operations; a command that can be divided is added in part. */
  fill(most: number): void {
    const { cursor, sending } = this;
    const last = cursor.command + mostCommands;
    while (this.work < most && cursor.command < last) {
      const command = sending.commands[cursor.command];
      if (command === undefined) return;
      this.work += this.add(command, most - this.work);
    }
  }

  finish(): GPUCommandBuffer {
    const { cursor, sending } = this;
    if (sending.clock?.isEnd(cursor.command) === true) this.mark();
    this.endPass();
    return this.encoder.finish();
  }

  /** Adds a command, or a part of it with about `most` operations; returns the operations added. */
  private add(command: GpuCommand, most: number): number {
    if (this.cursor.group === 0) this.mark();
    if (command.kind === "copy") this.copy(command);
    else if (command.cut !== undefined) return this.addPart(command, command.cut, most);
    else this.dispatch(command, command.workgroups);
    this.cursor.command += 1;
    return command.work;
  }

  private addPart(
    command: KernelCommand,
    { slot, groups: all }: NonNullable<KernelCommand["cut"]>,
    most: number,
  ): number {
    const { cursor, sending } = this;
    const first = cursor.group;
    const fitting = Math.max(1, Math.floor((all * most) / command.work));
    const groups = Math.min(all - first, fitting, sending.workgroups ** 2);
    const across = Math.min(groups, sending.workgroups);
    const part: KernelPart = { first, groups, across };
    sending.buffers.setPart(slot, part);
    this.dispatch(command, [across, Math.ceil(groups / across), 1]);
    const isLast = first + groups === all;
    cursor.group = isLast ? 0 : first + groups;
    if (isLast) cursor.command += 1;
    else this.dispatches -= 1;
    // The rest of a cut kernel goes into the next piece: a submit can describe only one part of it.
    return isLast ? (command.work * groups) / all : Math.max(most, (command.work * groups) / all);
  }

  private dispatch(command: KernelCommand, workgroups: KernelCommand["workgroups"]): void {
    const pipeline = this.sending.pipelines.get(command.code);
    if (pipeline === undefined) throw new Error(`no pipeline for ${command.label}`);
    this.pass ??= this.encoder.beginComputePass({ label: "run" });
    this.pass.setPipeline(pipeline);
    this.pass.setBindGroup(0, this.sending.buffers.bind(command, pipeline));
    this.pass.dispatchWorkgroups(...workgroups);
    this.dispatches += 1;
  }

  private copy({ source, target, runs }: Extract<GpuCommand, { kind: "copy" }>): void {
    const { buffers } = this.sending;
    this.endPass();
    const [from, to] = [buffers.at(source), buffers.at(target)];
    for (const run of runs) {
      this.encoder.copyBufferToBuffer(from, 4 * run.from, to, 4 * run.to, 4 * run.words);
      this.copies += 1;
    }
  }

  /** Begins a pass at the start of a step, with the time. */
  private mark(): void {
    const timestampWrites = this.sending.clock?.writesAt(this.cursor.command);
    if (timestampWrites === undefined) return;
    this.endPass();
    this.pass = this.encoder.beginComputePass({ label: "run", timestampWrites });
  }

  private endPass(): void {
    this.pass?.end();
    this.pass = undefined;
  }
}
