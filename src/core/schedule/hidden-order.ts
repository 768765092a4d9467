import type { CollectiveStep, FlatStep, SpmdProgram } from "#core/program";
import { mostOf, someOf } from "./lists.ts";
import { never, OpenTasks } from "./open-tasks.ts";
import { type StepRoles, stepRoles } from "./step-roles.ts";
import type { Given, Order } from "./tasks.ts";
import type { Wires } from "./wires.ts";

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
export function hiddenOrder(program: SpmdProgram, given: Given, wires: Wires): Order {
  const builder = new OrderBuilder(given, stepRoles(program, given.steps, wires));
  builder.placeOrdered();
  builder.placeReduced();
  return builder.finish();
}

const none = -1;

class OrderBuilder {
  private readonly given: Given;
  private readonly found: StepRoles;
  private readonly open: OpenTasks;
  /** The last operator in order so far. */
  private last = none;
  private readonly group = { key: "", bytes: 0, gate: none, opened: none, first: none };

  constructor(given: Given, found: StepRoles) {
    this.given = given;
    this.found = found;
    this.open = new OpenTasks(given);
  }

  /** All but what is reduced, in the order of the program. */
  placeOrdered(): void {
    const { open } = this;
    for (const [at, step] of this.given.steps.entries()) {
      const role = this.found.roles[at];
      if (role === "ordered") this.last = open.open(at, rankOf(2, at), this.last);
      else if (role === "issued") open.open(at, rankOf(1, at), this.last);
      else if (role === "late") open.open(at, rankOf(1, at), none);
      else if (role === "weight") this.prepare(at, step);
    }
  }

  /** What is reduced, in the order in which it is made. */
  placeReduced(): void {
    const { open, found } = this;
    const { roles, blocks } = found;
    const all = [...roles.keys()].filter((at) => roles[at] === "reduced");
    if (all.length === 0) return;
    const [made, readers, depths] = [this.madeAt(), this.firstReaders(), this.depths()];
    all.sort((a, b) => (made[a] ?? 0) - (made[b] ?? 0) || a - b);
    const buckets = new Map<string, number>();
    for (const at of all) {
      const step = this.given.steps[at];
      if (step?.kind !== "collective") continue;
      if (step.collective === "slice") {
        open.open(at, rankOf(0, at), none);
        continue;
      }
      const isBySize = step.collective === "all-reduce" || blocks[at] === "";
      const kind = `${kindOf(step)} ${depths[at]}`;
      const key = isBySize ? kind : `${kind} ${blocks[at]}`;
      const reader = readers[at] ?? never;
      const known = buckets.get(kind) ?? none;
      const isFit = this.fits(known, { key, at: made[at] ?? 0, limit: isBySize });
      if (isFit) open.join(known, at, reader);
      else buckets.set(kind, open.open(at, rankOf(4, at), none, key, reader));
    }
  }

  finish(): Order {
    return this.open.finish(this.found);
  }

  /** A parameter is gathered from when the block before the one that reads it begins. */
  private prepare(at: number, step: FlatStep): void {
    const { group, found, open } = this;
    const block = found.blocks[at] ?? "";
    const key = `${step.phase === "forward"} ${block}`;
    const isFull = block === "" && group.bytes >= bucketBytes;
    if (group.first === none || key !== group.key || isFull) {
      group.gate = group.opened;
      group.opened = this.last;
      group.first = open.length;
      group.bytes = 0;
    }
    group.key = key;
    const { gate, first } = group;
    if (step.kind === "local" || step.collective === "slice") {
      open.open(at, rankOf(0, at), gate);
      return;
    }
    group.bytes += step.bytes;
    const kind = kindOf(step);
    const known = this.lastOf(kind, first);
    const isOwn = someOf(found.makers, at, (maker) => open.taskOf[maker] === known);
    if (known !== none && !isOwn) open.join(known, at);
    else open.open(at, rankOf(3, at), gate, kind);
  }

  /** The last bucket of a kind since a task; -1 without one. */
  private lastOf(kind: string, since: number): number {
    let at = this.open.length - 1;
    while (at >= since && this.open.keyOf(at) !== kind) at -= 1;
    return at >= since ? at : none;
  }

  private fits(
    task: number,
    { key, at, limit }: { readonly key: string; readonly at: number; readonly limit: boolean },
  ): boolean {
    const { open } = this;
    if (task === none || open.keyOf(task) !== key || at >= open.readerOf(task)) return false;
    return !limit || open.bytesIn(task) < bucketBytes;
  }

  /** Whether a step is placed apart from the order of the program, so that others wait past it. */
  private isPassing(at: number): boolean {
    const role = this.found.roles[at];
    return role === "reduced" || role === "late";
  }

  /** By step: where in the order what it waits for is made; -1 where that is there from the start. */
  private madeAt(): Float64Array {
    const { roles, makers } = this.found;
    const made = new Float64Array(roles.length);
    for (let at = 0; at < roles.length; at += 1) {
      made[at] = mostOf(makers, at, none, (maker) =>
        this.isPassing(maker) ? (made[maker] ?? none) : maker,
      );
    }
    return made;
  }

  /** By step: the first in the order of the program that waits for what it makes. */
  private firstReaders(): Float64Array {
    const { roles, readers } = this.found;
    const first = new Float64Array(roles.length);
    for (let at = roles.length - 1; at >= 0; at -= 1) {
      first[at] = -mostOf(readers, at, -never, (reader) =>
        this.isPassing(reader) ? -(first[reader] ?? never) : -reader,
      );
    }
    return first;
  }

  /** By step: through how many reductions its operands have come. */
  private depths(): Int32Array {
    const { roles, makers } = this.found;
    const depths = new Int32Array(roles.length);
    for (let at = 0; at < roles.length; at += 1) {
      depths[at] = mostOf(makers, at, 0, (maker) => {
        return (depths[maker] ?? 0) + (roles[maker] === "reduced" ? 1 : 0);
      });
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
