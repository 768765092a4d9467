import { type Lists, ListsWriter } from "./lists.ts";
import type { StepRoles } from "./step-roles.ts";
import type { Given, Order } from "./tasks.ts";

const none = -1;

/** The reader's index for a result that no step reads. */
export const never = 2 ** 31 - 1;

/** Tasks under construction, numbered in the order in which they were opened. */
export class OpenTasks {
  /** The task of each step; -1 while it has none. */
  readonly taskOf: Int32Array;
  private count = 0;
  private readonly given: Given;
  private readonly lanes: Uint8Array;
  private readonly ranks: Float64Array;
  private readonly gates: Int32Array;
  private readonly bytes: Float64Array;
  private readonly readers: Int32Array;
  private readonly keys: string[] = [];
  /**
   * The steps of each task as a linked list in the order of joining: first and last step by task,
   * next step by step.
   */
  private readonly heads: Int32Array;
  private readonly tails: Int32Array;
  private readonly following: Int32Array;

  constructor(given: Given) {
    const { length } = given.steps;
    this.given = given;
    this.taskOf = new Int32Array(length).fill(none);
    this.lanes = new Uint8Array(length);
    this.ranks = new Float64Array(length);
    this.gates = new Int32Array(length);
    this.bytes = new Float64Array(length);
    this.readers = new Int32Array(length);
    this.heads = new Int32Array(length);
    this.tails = new Int32Array(length);
    this.following = new Int32Array(length).fill(none);
  }

  get length(): number {
    return this.count;
  }

  /**
   * Opens a task of one step.
   *
   * @param rank priority on a lane: the ready task with the least rank goes first
   * @param gate a task to wait for in addition to those that make its operands; -1 without one
   * @param key a text by which later steps know that they may join
   * @param reader the first step in the order of the program that reads its result
   */
  open(step: number, rank: number, gate: number, key = "", reader = never): number {
    const task = this.count;
    this.count += 1;
    this.lanes[task] = this.given.lanes[step] ?? 0;
    this.ranks[task] = rank;
    this.gates[task] = gate;
    this.keys.push(key);
    this.readers[task] = reader;
    this.bytes[task] = this.bytesOf(step);
    this.heads[task] = step;
    this.tails[task] = step;
    this.taskOf[step] = task;
    return task;
  }

  /** Adds a step to a task. */
  join(task: number, step: number, reader = never): void {
    this.following[this.tails[task] ?? step] = step;
    this.tails[task] = step;
    this.bytes[task] = this.bytesIn(task) + this.bytesOf(step);
    this.readers[task] = Math.min(this.readerOf(task), reader);
    this.taskOf[step] = task;
  }

  keyOf(task: number): string {
    return this.keys[task] ?? "";
  }

  bytesIn(task: number): number {
    return this.bytes[task] ?? 0;
  }

  readerOf(task: number): number {
    return this.readers[task] ?? never;
  }

  /**
   * Whether a step depends on a task, directly or through others; if so, it cannot join the task.
   *
   * @param since lower limit on task indices: no earlier task depends on the task
   */
  waitsFor(step: number, task: number, since: number, makers: Lists): boolean {
    const seen = new Set<number>();
    const open = [step];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const end = makers.first[at + 1] ?? 0;
      for (let place = makers.first[at] ?? 0; place < end; place += 1) {
        const maker = this.taskOf[makers.all[place] ?? 0] ?? none;
        if (maker === task) return true;
        if (maker < since || seen.has(maker)) continue;
        seen.add(maker);
        for (let each = this.heads[maker] ?? none; each !== none; ) {
          open.push(each);
          each = this.following[each] ?? none;
        }
      }
    }
    return false;
  }

  private bytesOf(at: number): number {
    const step = this.given.steps[at];
    return step?.kind === "collective" ? step.bytes : 0;
  }

  finish({ makers }: StepRoles): Order {
    const { count, taskOf } = this;
    const { length } = this.given.steps;
    const leads = new Int32Array(length);
    const shares = new Float64Array(length);
    const seconds = new Float64Array(count);
    const after = new ListsWriter(count, makers.all.length + count);
    for (let task = 0; task < count; task += 1) {
      seconds[task] = this.shareOut(task, shares);
      const gate = this.gates[task] ?? none;
      if (gate !== none) after.add(gate);
      const lead = this.heads[task] ?? none;
      for (let step = lead; step !== none; step = this.following[step] ?? none) {
        leads[step] = lead;
        const end = makers.first[step + 1] ?? 0;
        for (let at = makers.first[step] ?? 0; at < end; at += 1) {
          const maker = taskOf[makers.all[at] ?? 0] ?? none;
          if (maker !== task) after.addOnce(maker);
        }
      }
      after.next();
    }
    const [lanes, ranks] = [this.lanes.subarray(0, count), this.ranks.subarray(0, count)];
    return {
      tasks: { lanes, ranks, seconds, after: after.finish() },
      taskOf,
      leads,
      seconds: shares,
    };
  }

  /** Seconds of steps that run together, and each step's share: the fixed seconds are paid once. */
  private shareOut(task: number, shares: Float64Array): number {
    const { seconds, fixed } = this.given;
    const head = this.heads[task] ?? none;
    if (this.following[head] === none) {
      shares[head] = seconds[head] ?? 0;
      return seconds[head] ?? 0;
    }
    let [moving, most, all] = [0, 0, 0];
    for (let at = head; at !== none; at = this.following[at] ?? none) {
      const once = fixed[at] ?? 0;
      moving += (seconds[at] ?? 0) - once;
      all += once;
      most = Math.max(most, once);
    }
    for (let at = head; at !== none; at = this.following[at] ?? none) {
      const once = fixed[at] ?? 0;
      shares[at] = (seconds[at] ?? 0) - once + (all > 0 ? (once / all) * most : 0);
    }
    return moving + most;
  }
}
