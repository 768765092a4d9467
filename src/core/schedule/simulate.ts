import { ReadyTasks } from "./ready-tasks.ts";
import type { Order, Task } from "./tasks.ts";

/** When tasks run, and how long the device computes, sends and waits meanwhile. */
export interface Timing {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly seconds: number;
  /** Whether all tasks have run; not where some wait for each other. */
  readonly isWhole: boolean;
  readonly compute: number;
  readonly sent: number;
  /** Seconds in which something is sent while nothing is computed, and by task its part of them. */
  readonly exposed: number;
  readonly exposedBy: Float64Array;
}

/** Tasks one after the other. */
export function orderedAsWritten({ tasks }: Order): Timing {
  const [starts, ends] = [new Float64Array(tasks.length), new Float64Array(tasks.length)];
  const exposedBy = Float64Array.from(tasks, ({ lane, seconds }) => (lane === 0 ? 0 : seconds));
  let [compute, sent] = [0, 0];
  for (const [at, { lane, seconds }] of tasks.entries()) {
    starts[at] = compute + sent;
    if (lane === 0) compute += seconds;
    else sent += seconds;
    ends[at] = compute + sent;
  }
  const seconds = compute + sent;
  return { starts, ends, seconds, isWhole: true, compute, sent, exposed: sent, exposedBy };
}

/**
 * Runs tasks on their lanes as soon as what they wait for has ended.
 *
 * @param releases seconds before which a task of the device's own lane does not start
 */
export function simulate({ tasks }: Order, releases: Float64Array | undefined): Timing {
  const run = new Run(tasks, releases);
  while (run.advance()) run.start();
  return run.timing();
}

const laneCount = 3;

class Run {
  private readonly tasks: readonly Task[];
  private readonly releases: Float64Array | undefined;
  private readonly starts: Float64Array;
  private readonly ends: Float64Array;
  private readonly exposedBy: Float64Array;
  private readonly waiting: Int32Array;
  private readonly followers: Followers;
  private readonly ready: readonly ReadyTasks[];
  /** The task on each lane; -1 where it is free. */
  private readonly active = new Int32Array(laneCount).fill(-1);
  private readonly sums = { compute: 0, sent: 0, exposed: 0 };
  private now = 0;
  private ended = 0;

  constructor(tasks: readonly Task[], releases: Float64Array | undefined) {
    this.tasks = tasks;
    this.releases = releases;
    this.starts = new Float64Array(tasks.length);
    this.ends = new Float64Array(tasks.length);
    this.exposedBy = new Float64Array(tasks.length);
    this.waiting = Int32Array.from(tasks, ({ after }) => after.length);
    this.followers = followersOf(tasks);
    const rankOf = (task: number) => tasks[task]?.rank ?? 0;
    this.ready = Array.from({ length: laneCount }, () => new ReadyTasks(rankOf));
    for (const [at, { after }] of tasks.entries()) if (after.length === 0) this.offer(at);
    this.start();
  }

  /** Lets time pass until something ends or may start; false when nothing is left to do. */
  advance(): boolean {
    const next = this.nextMoment();
    if (next === Number.POSITIVE_INFINITY) return false;
    const passed = next - this.now;
    if (this.active[0] === -1) this.expose(passed);
    this.now = next;
    for (let lane = 0; lane < laneCount; lane += 1) {
      const task = this.active[lane] ?? -1;
      if (task < 0 || (this.ends[task] ?? 0) > next) continue;
      this.active[lane] = -1;
      this.finish(task);
    }
    return true;
  }

  /** Puts what is ready on the lanes that are free. */
  start(): void {
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (let lane = 0; lane < laneCount; lane += 1) {
        while (this.active[lane] === -1 && this.startNext(lane)) isChanged = true;
      }
    }
  }

  timing(): Timing {
    const { starts, ends, exposedBy, sums, now, ended, tasks } = this;
    return { starts, ends, exposedBy, seconds: now, isWhole: ended === tasks.length, ...sums };
  }

  /** What is sent while nothing is computed is exposed; two at a time share that. */
  private expose(seconds: number): void {
    const sending = this.active.filter((task, lane) => lane > 0 && task >= 0);
    if (sending.length > 0) this.sums.exposed += seconds;
    for (const task of sending) {
      this.exposedBy[task] = (this.exposedBy[task] ?? 0) + seconds / sending.length;
    }
  }

  private nextMoment(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const task of this.active) if (task >= 0) next = Math.min(next, this.ends[task] ?? next);
    const held = this.active[0] === -1 ? this.ready[0]?.first() : undefined;
    return held === undefined ? next : Math.min(next, this.releases?.[held] ?? next);
  }

  private startNext(lane: number): boolean {
    const queue = this.ready[lane];
    const task = queue?.first();
    if (queue === undefined || task === undefined) return false;
    if (lane === 0 && (this.releases?.[task] ?? 0) > this.now) return false;
    queue.take();
    const { seconds = 0 } = this.tasks[task] ?? {};
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
    this.ready[this.tasks[task]?.lane ?? 0]?.add(task);
  }
}

/** Who waits for each task: of task t those from `first[t]` to before `first[t + 1]`. */
interface Followers {
  readonly first: Int32Array;
  readonly all: Int32Array;
}

function followersOf(tasks: readonly Task[]): Followers {
  const first = new Int32Array(tasks.length + 1);
  for (const { after } of tasks)
    for (const task of after) first[task + 1] = (first[task + 1] ?? 0) + 1;
  for (let at = 1; at < first.length; at += 1) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const next = first.slice();
  const all = new Int32Array(first.at(-1) ?? 0);
  for (const [at, { after }] of tasks.entries()) {
    for (const task of after) {
      const place = next[task] ?? 0;
      all[place] = at;
      next[task] = place + 1;
    }
  }
  return { first, all };
}
