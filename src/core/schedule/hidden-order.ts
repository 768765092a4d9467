import type { CollectiveStep, FlatStep, SpmdProgram } from "#core/program";
import { leastOf, mostOf } from "./lists.ts";
import { never, OpenTasks } from "./open-tasks.ts";
import { type StepRoles, stepRoles } from "./step-roles.ts";
import type { Given, Order } from "./tasks.ts";
import type { Wires } from "./wires.ts";

/** Bytes of a bucket of collectives outside of the model's blocks. */
const bucketBytes = 25e6;

/**
 * Order of a training step that hides weight traffic. Parameters are gathered one block ahead of
 * their readers, and gradients are reduced as soon as they are computed. Both go in buckets of one
 * block of the model, or of 25 MB if gradients are all-reduced or there are no blocks. All other
 * collectives keep the order of the program.
 *
 * On a free lane the program's own collectives go first, then parameters, then gradients.
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
  private readonly kinds = new Kinds();
  /** The last operator placed so far. */
  private last = none;
  private readonly group = {
    block: "",
    isForward: false,
    bytes: 0,
    gate: none,
    opened: none,
    first: none,
  };

  constructor(given: Given, found: StepRoles) {
    this.given = given;
    this.found = found;
    this.open = new OpenTasks(given);
  }

  /** Places all steps but reductions of gradients, in the order of the program. */
  placeOrdered(): void {
    const { open } = this;
    const { steps } = this.given;
    for (let at = 0; at < steps.length; at += 1) {
      const [step, role] = [steps[at], this.found.roles[at]];
      if (step === undefined) continue;
      if (role === "ordered") this.last = open.open(at, rankOf(2, at), this.last);
      else if (role === "issued") open.open(at, rankOf(1, at), this.last);
      else if (role === "late") open.open(at, rankOf(1, at), none);
      else if (role === "weight") this.prepare(at, step);
    }
  }

  /** Places the reductions of gradients in the order in which their gradients are made. */
  placeReduced(): void {
    const { open, found } = this;
    const { roles, blocks } = found;
    const all: number[] = [];
    for (let at = 0; at < roles.length; at += 1) if (roles[at] === "reduced") all.push(at);
    if (all.length === 0) return;
    const passing = this.passing();
    const [made, readers] = [this.madeAt(passing), this.firstReaders(passing)];
    const depths = this.depths();
    all.sort((a, b) => (made[a] ?? 0) - (made[b] ?? 0) || a - b);
    /**
     * The latest tasks of each kind, one for each number of reductions that their operands have
     * passed.
     */
    const buckets = new Map<string, number[]>();
    for (const at of all) {
      const step = this.given.steps[at];
      if (step?.kind !== "collective") continue;
      if (step.collective === "slice") {
        open.open(at, rankOf(0, at), none);
        continue;
      }
      const isBySize = step.collective === "all-reduce" || blocks[at] === "";
      const kind = this.kinds.of(step);
      const key = isBySize ? "" : (blocks[at] ?? "");
      const [depth, reader] = [depths[at] ?? 0, readers[at] ?? never];
      const own = buckets.get(kind) ?? [];
      buckets.set(kind, own);
      const known = own[depth] ?? none;
      const isFit = this.fits(known, { key, at: made[at] ?? 0, limit: isBySize });
      if (isFit) open.join(known, at, reader);
      else own[depth] = open.open(at, rankOf(4, at), none, key, reader);
    }
  }

  finish(): Order {
    return this.open.finish(this.found);
  }

  /** Places the gather of a parameter: it may run once the block before its reader's begins. */
  private prepare(at: number, step: FlatStep): void {
    const { group, found, open } = this;
    const block = found.blocks[at] ?? "";
    const isForward = step.phase === "forward";
    const isFull = block === "" && group.bytes >= bucketBytes;
    const isOther = block !== group.block || isForward !== group.isForward;
    if (group.first === none || isOther || isFull) {
      group.gate = group.opened;
      group.opened = this.last;
      group.first = open.length;
      group.bytes = 0;
    }
    group.block = block;
    group.isForward = isForward;
    const { gate, first } = group;
    if (step.kind === "local" || step.collective === "slice") {
      open.open(at, rankOf(0, at), gate);
      return;
    }
    group.bytes += step.bytes;
    const kind = this.kinds.of(step);
    const known = this.lastOf(kind, first);
    const isFree = known !== none && !open.waitsFor(at, known, first, found.makers);
    if (isFree) open.join(known, at);
    else open.open(at, rankOf(3, at), gate, kind);
  }

  /** The last bucket of a kind after a task; -1 without one. */
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

  /**
   * For each step, 1 if it is placed outside the program's order, so that dependencies pass through
   * it.
   */
  private passing(): Uint8Array {
    const { roles } = this.found;
    const passing = new Uint8Array(roles.length);
    for (let at = 0; at < roles.length; at += 1) {
      if (roles[at] === "reduced" || roles[at] === "late") passing[at] = 1;
    }
    return passing;
  }

  /**
   * For each step, the program index of the latest step that computes one of its operands; -1 if
   * all operands are given.
   */
  private madeAt(passing: Uint8Array): Int32Array {
    const { roles, makers } = this.found;
    const made = new Int32Array(roles.length);
    const madeBy = (maker: number) => (passing[maker] === 1 ? (made[maker] ?? none) : maker);
    for (let at = 0; at < roles.length; at += 1) made[at] = mostOf(makers, at, none, madeBy);
    return made;
  }

  /** For each step, the program index of the first step that waits for its result. */
  private firstReaders(passing: Uint8Array): Int32Array {
    const { roles, readers } = this.found;
    const first = new Int32Array(roles.length);
    const readBy = (reader: number) => (passing[reader] === 1 ? (first[reader] ?? never) : reader);
    for (let at = roles.length - 1; at >= 0; at -= 1) {
      first[at] = leastOf(readers, at, never, readBy);
    }
    return first;
  }

  /** For each step, the number of reductions that its operands have passed. */
  private depths(): Int32Array {
    const { roles, makers } = this.found;
    const depths = new Int32Array(roles.length);
    const depthOf = (maker: number) => (depths[maker] ?? 0) + (roles[maker] === "reduced" ? 1 : 0);
    for (let at = 0; at < roles.length; at += 1) depths[at] = mostOf(makers, at, 0, depthOf);
    return depths;
  }
}

/** Rank of a task: ordered by its class first, then by program order. */
function rankOf(order: number, at: number): number {
  return order * 2 ** 32 + at;
}

/** Words for the kinds of collectives that may share a bucket, each made once. */
class Kinds {
  private readonly known = new Map<string, Map<string, string>>();

  of({ collective, axes }: CollectiveStep): string {
    const named = axes.length === 1 ? (axes[0] ?? "") : axes.join(",");
    const own = this.known.get(collective) ?? new Map<string, string>();
    if (own.size === 0) this.known.set(collective, own);
    const kind = own.get(named) ?? `${collective} ${named}`;
    own.set(named, kind);
    return kind;
  }
}
