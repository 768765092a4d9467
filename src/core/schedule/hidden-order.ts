import type { CollectiveStep, FlatStep, SpmdProgram } from "#core/program";
import { type StepRoles, stepRoles } from "./step-roles.ts";
import type { Given, Order, Task } from "./tasks.ts";

/** Bytes that go together where no block of the model says what does. */
const bucketBytes = 25e6;

/**
 * The order of a training step in which traffic of weights is hidden: parameters are gathered one
 * block ahead of their readers, gradients are reduced as soon as they are made, and both go in
 * buckets, of one block of the model, or of 25 MB where they are all-reduced or there are no blocks.
 * All other collectives are issued in the order of the program.
 *
 * On a free lane what the program waits for next goes first: its own collectives, then parameters,
 * then gradients.
 */
export function hiddenOrder(program: SpmdProgram, given: Given): Order {
  const builder = new OrderBuilder(given, stepRoles(program, given.steps));
  builder.placeOrdered();
  builder.placeReduced();
  return builder.finish();
}

/** A task while it is put together. */
interface OpenTask {
  readonly lane: number;
  readonly rank: number;
  readonly steps: number[];
  readonly key: string;
  bytes: number;
  /** A task to wait for besides those that make its operands; -1 without one. */
  readonly gate: number;
  /** The first step in the order of the program that reads what it makes. */
  reader: number;
}

const never = Number.POSITIVE_INFINITY;
const none = -1;

class OrderBuilder {
  private readonly given: Given;
  private readonly found: StepRoles;
  private readonly open: OpenTask[] = [];
  private readonly taskOf: Int32Array;
  /** The last operator in order so far. */
  private last = none;
  private readonly group = { key: "", bytes: 0, gate: none, opened: none, first: none };

  constructor(given: Given, found: StepRoles) {
    this.given = given;
    this.found = found;
    this.taskOf = new Int32Array(given.steps.length).fill(none);
  }

  /** All but what is reduced, in the order of the program. */
  placeOrdered(): void {
    for (const [at, step] of this.given.steps.entries()) {
      const role = this.found.roles[at];
      if (role === "ordered") this.last = this.add(at, { rank: rankOf(2, at), gate: this.last });
      else if (role === "issued") this.add(at, { rank: rankOf(1, at), gate: this.last });
      else if (role === "late") this.add(at, { rank: rankOf(1, at), gate: none });
      else if (role === "weight") this.prepare(at, step);
    }
  }

  /** What is reduced, in the order in which it is made. */
  placeReduced(): void {
    const { roles } = this.found;
    const made = this.madeAt();
    const readers = this.firstReaders();
    const all = [...roles.keys()].filter((at) => roles[at] === "reduced");
    all.sort((a, b) => (made[a] ?? 0) - (made[b] ?? 0) || a - b);
    const depths = this.depths();
    const buckets = new Map<string, number>();
    for (const at of all) {
      const step = this.given.steps[at];
      if (step?.kind !== "collective") continue;
      if (step.collective === "slice") {
        this.add(at, { rank: rankOf(0, at), gate: none });
        continue;
      }
      const isBySize = step.collective === "all-reduce" || this.found.blocks[at] === "";
      const kind = `${kindOf(step)} ${depths[at]}`;
      const key = isBySize ? kind : `${kind} ${this.found.blocks[at]}`;
      const reader = readers[at] ?? never;
      const known = buckets.get(kind) ?? none;
      const isFit = this.fits(known, { key, at: made[at] ?? 0, limit: isBySize });
      const task = isFit ? known : this.add(at, { rank: rankOf(4, at), gate: none, key, reader });
      if (isFit) this.join(task, at, reader);
      buckets.set(kind, task);
    }
  }

  finish(): Order {
    const { steps, times } = this.given;
    const leads = new Int32Array(steps.length);
    const seconds = new Float64Array(steps.length);
    const tasks = this.open.map((task, index): Task => {
      const total = shareOut(task.steps, times, seconds);
      for (const step of task.steps) leads[step] = task.steps[0] ?? step;
      const { lane, rank } = task;
      return { lane, rank, seconds: total, after: this.waitsFor(task, index) };
    });
    return { tasks, taskOf: this.taskOf, leads, seconds };
  }

  private waitsFor({ steps, gate }: OpenTask, index: number): readonly number[] {
    const after = gate === none ? [] : [gate];
    for (const step of steps) {
      for (const maker of this.found.makers[step] ?? []) {
        const task = this.taskOf[maker] ?? none;
        if (task !== index && !after.includes(task)) after.push(task);
      }
    }
    return after;
  }

  /** A parameter is gathered from when the block before the one that reads it begins. */
  private prepare(at: number, step: FlatStep): void {
    const { group, found } = this;
    const block = found.blocks[at] ?? "";
    const key = `${step.phase === "forward"} ${block}`;
    const isFull = block === "" && group.bytes >= bucketBytes;
    if (group.first === none || key !== group.key || isFull) {
      group.gate = group.opened;
      group.opened = this.last;
      group.first = this.open.length;
      group.bytes = 0;
    }
    group.key = key;
    const { gate, first } = group;
    if (step.kind === "local" || step.collective === "slice") {
      this.add(at, { rank: rankOf(0, at), gate });
      return;
    }
    group.bytes += step.bytes;
    const kind = kindOf(step);
    const known = this.lastOf(kind, first);
    const makers = found.makers[at] ?? [];
    const isOwn = makers.some((maker) => this.taskOf[maker] === known);
    if (known !== none && !isOwn) this.join(known, at, never);
    else this.add(at, { rank: rankOf(3, at), gate, key: kind });
  }

  /** The last bucket of a kind since a task; -1 without one. */
  private lastOf(kind: string, since: number): number {
    let at = this.open.length - 1;
    while (at >= since && this.open[at]?.key !== kind) at -= 1;
    return at >= since ? at : none;
  }

  private fits(
    task: number,
    { key, at, limit }: { readonly key: string; readonly at: number; readonly limit: boolean },
  ): boolean {
    const open = this.open[task];
    if (open === undefined || open.key !== key || at >= open.reader) return false;
    return !limit || open.bytes < bucketBytes;
  }

  private add(
    at: number,
    {
      rank,
      gate,
      key = "",
      reader = never,
    }: Pick<OpenTask, "rank" | "gate"> & Partial<Pick<OpenTask, "key" | "reader">>,
  ): number {
    const lane = this.given.lanes[at] ?? 0;
    this.open.push({ lane, rank, gate, key, reader, steps: [at], bytes: this.bytesOf(at) });
    const task = this.open.length - 1;
    this.taskOf[at] = task;
    return task;
  }

  private join(task: number, at: number, reader: number): void {
    const open = this.open[task];
    if (open === undefined) return;
    open.steps.push(at);
    open.bytes += this.bytesOf(at);
    open.reader = Math.min(open.reader, reader);
    this.taskOf[at] = task;
  }

  private bytesOf(at: number): number {
    const step = this.given.steps[at];
    return step?.kind === "collective" ? step.bytes : 0;
  }

  /** By step: where in the order what it waits for is made; -1 where that is there from the start. */
  private madeAt(): Float64Array {
    const { makers, roles } = this.found;
    const made = new Float64Array(roles.length).fill(none);
    for (const at of roles.keys()) {
      for (const maker of makers[at] ?? []) {
        const isPassing = roles[maker] === "reduced" || roles[maker] === "late";
        made[at] = Math.max(made[at] ?? none, isPassing ? (made[maker] ?? none) : maker);
      }
    }
    return made;
  }

  /** By step: the first in the order of the program that waits for what it makes. */
  private firstReaders(): Float64Array {
    const { readers, roles } = this.found;
    const first = new Float64Array(roles.length).fill(never);
    for (let at = roles.length - 1; at >= 0; at -= 1) {
      for (const reader of readers[at] ?? []) {
        const isPassing = roles[reader] === "reduced" || roles[reader] === "late";
        first[at] = Math.min(first[at] ?? never, isPassing ? (first[reader] ?? never) : reader);
      }
    }
    return first;
  }

  /** By step: through how many reductions its operands have come. */
  private depths(): Int32Array {
    const { makers, roles } = this.found;
    const depths = new Int32Array(roles.length);
    for (const at of roles.keys()) {
      for (const maker of makers[at] ?? []) {
        const own = (depths[maker] ?? 0) + (roles[maker] === "reduced" ? 1 : 0);
        depths[at] = Math.max(depths[at] ?? 0, own);
      }
    }
    return depths;
  }
}

/** Tasks of one class keep the order of the program. */
function rankOf(order: number, at: number): number {
  return order * 2 ** 32 + at;
}

function kindOf({ collective, axes }: CollectiveStep): string {
  return `${collective} ${axes.join(",")}`;
}

/** The seconds of steps that go together, and of each its part: what is fixed is paid once. */
function shareOut(steps: readonly number[], times: Given["times"], seconds: Float64Array): number {
  let [moving, most, fixed] = [0, 0, 0];
  for (const at of steps) {
    const { seconds: whole = 0, fixed: once = 0 } = times[at] ?? {};
    moving += whole - once;
    fixed += once;
    most = Math.max(most, once);
  }
  for (const at of steps) {
    const { seconds: whole = 0, fixed: once = 0 } = times[at] ?? {};
    seconds[at] =
      steps.length === 1 ? whole : whole - once + (fixed > 0 ? (once / fixed) * most : 0);
  }
  return steps.length === 1 ? (times[steps[0] ?? 0]?.seconds ?? 0) : moving + most;
}
