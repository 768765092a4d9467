import { countOf, type Lists, placesOf } from "./lists.ts";
import { ReadyTasks } from "./ready-tasks.ts";
import type { Order, Tasks } from "./tasks.ts";

/** The times of tasks, and how long the device computes, sends and waits meanwhile. */
export interface Timing {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly seconds: number;
  /** Whether all tasks have run; false if some wait for each other. */
  readonly isWhole: boolean;
  readonly compute: number;
  readonly sent: number;
  /** Seconds of communication while nothing is computed, and each task's share of them. */
  readonly exposed: number;
  readonly exposedBy: Float64Array;
}

/** Runs tasks one after the other. */
export function orderedAsWritten({ tasks }: Order): Timing {
  const { length } = tasks.seconds;
  const [starts, ends] = [new Float64Array(length), new Float64Array(length)];
  const exposedBy = new Float64Array(length);
  let [compute, sent] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    const seconds = tasks.seconds[at] ?? 0;
    starts[at] = compute + sent;
    if (tasks.lanes[at] === 0) compute += seconds;
    else {
      sent += seconds;
      exposedBy[at] = seconds;
    }
    ends[at] = compute + sent;
  }
  const seconds = compute + sent;
  return { starts, ends, seconds, isWhole: true, compute, sent, exposed: sent, exposedBy };
}

/**
 * Runs each task on its lane as soon as the tasks that it waits for have ended.
 *
 * @param releases seconds before which a task of the device's own lane does not start
 */
export function simulate({ tasks }: Order, releases: Float64Array | undefined): Timing {
  const run = new Run(tasks, releases);
  while (run.advance()) run.start();
  return run.timing();
}

const laneCount = 3;
const none = -1;
const never = Number.POSITIVE_INFINITY;

class Run {
  private readonly tasks: Tasks;
  private readonly count: number;
  private readonly releases: Float64Array | undefined;
  private readonly starts: Float64Array;
  private readonly ends: Float64Array;
  private readonly exposedBy: Float64Array;
  /** For each task, the number of tasks that it still waits for. */
  private readonly waiting: Int32Array;
  private readonly followers: Lists;
  private readonly ready: readonly ReadyTasks[];
  /** The task on each lane; -1 for a free lane. */
  private readonly active = new Int32Array(laneCount).fill(none);
  private readonly sums = { compute: 0, sent: 0, exposed: 0 };
  private now = 0;
  private ended = 0;

  constructor(tasks: Tasks, releases: Float64Array | undefined) {
    this.tasks = tasks;
    this.releases = releases;
    const { length } = tasks.seconds;
    this.count = length;
    this.starts = new Float64Array(length);
    this.ends = new Float64Array(length);
    this.exposedBy = new Float64Array(length);
    this.waiting = new Int32Array(length);
    this.followers = placesOf(tasks.after, length);
    this.ready = Array.from({ length: laneCount }, () => new ReadyTasks(tasks.ranks));
    for (let at = 0; at < length; at += 1) {
      this.waiting[at] = countOf(tasks.after, at);
      if (this.waiting[at] === 0) this.offer(at);
    }
    this.start();
  }

  /**
   * Advances to the next moment at which a task ends or may start; false when nothing is left to
   * do.
   */
  advance(): boolean {
    const next = this.nextMoment();
    if (next === never) return false;
    const passed = next - this.now;
    if (this.active[0] === none) this.expose(passed);
    this.now = next;
    for (let lane = 0; lane < laneCount; lane += 1) {
      const task = this.active[lane] ?? none;
      if (task === none || (this.ends[task] ?? 0) > next) continue;
      this.active[lane] = none;
      this.finish(task);
    }
    return true;
  }

  /** Starts ready tasks on free lanes. */
  start(): void {
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (let lane = 0; lane < laneCount; lane += 1) {
        while (this.active[lane] === none && this.startNext(lane)) isChanged = true;
      }
    }
  }

  timing(): Timing {
    const { starts, ends, exposedBy, sums, now, ended, count } = this;
    return { starts, ends, exposedBy, seconds: now, isWhole: ended === count, ...sums };
  }

  /**
   * Adds exposed seconds: communication while nothing is computed. Two communications at a time
   * share the seconds.
   */
  private expose(seconds: number): void {
    let sending = 0;
    for (let lane = 1; lane < laneCount; lane += 1) if (this.active[lane] !== none) sending += 1;
    if (sending === 0) return;
    this.sums.exposed += seconds;
    for (let lane = 1; lane < laneCount; lane += 1) {
      const task = this.active[lane] ?? none;
      if (task !== none) this.exposedBy[task] = (this.exposedBy[task] ?? 0) + seconds / sending;
    }
  }

  private nextMoment(): number {
    let next = never;
    for (let lane = 0; lane < laneCount; lane += 1) {
      const task = this.active[lane] ?? none;
      if (task !== none) next = Math.min(next, this.ends[task] ?? next);
    }
    const held = this.active[0] === none ? (this.ready[0]?.first() ?? none) : none;
    return held === none ? next : Math.min(next, this.releases?.[held] ?? next);
  }

  private startNext(lane: number): boolean {
    const queue = this.ready[lane];
    const task = queue?.first() ?? none;
    if (queue === undefined || task === none) return false;
    if (lane === 0 && (this.releases?.[task] ?? 0) > this.now) return false;
    queue.take();
    const seconds = this.tasks.seconds[task] ?? 0;
    this.starts[task] = this.now;
    this.ends[task] = this.now + seconds;
    if (lane === 0) this.sums.compute += seconds;
    else this.sums.sent += seconds;
    if (seconds > 0) this.active[lane] = task;
    else this.finish(task);
    return true;
  }

  private finish(task: number): void {
    this.ended += 1;
    const { first, all } = this.followers;
    const end = first[task + 1] ?? 0;
    for (let at = first[task] ?? 0; at < end; at += 1) {
      const follower = all[at] ?? 0;
      const left = (this.waiting[follower] ?? 1) - 1;
      this.waiting[follower] = left;
      if (left === 0) this.offer(follower);
    }
  }

  private offer(task: number): void {
    this.ready[this.tasks.lanes[task] ?? 0]?.add(task);
  }
}
