import type { Phase, Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import {
  collectiveSteps,
  type OpenRedistribution,
  openRedistribution,
  type PendingReshard,
  type PlannedRedistribution,
} from "./pending-reshard.ts";
import { type Reason, type Step, type Value, valueId } from "./program.ts";

/** A value that a redistribution has made, and what is written of it. */
export interface Copy {
  readonly value: Value;
  readonly open: OpenRedistribution;
}

/** A per-device program while it is written: its values, its steps, and its redistributions. */
export class ProgramBuilder {
  readonly values: Value[] = [];
  readonly redistributions: OpenRedistribution[] = [];
  /** The pass that what follows belongs to. */
  phase: Phase = "forward";
  private readonly steps: (Step | PendingReshard)[] = [];
  private readonly counts = new Map<TensorId, number>();
  private readonly copies = new Map<string, Copy[]>();

  /** How many steps and redistributions there are so far. */
  get length(): number {
    return this.steps.length;
  }

  /** The steps of a part, with every redistribution written out. */
  written(start = 0, end = this.steps.length): readonly Step[] {
    const all: Step[] = [];
    for (const step of this.steps.slice(start, end)) {
      if (step.kind === "reshard") all.push(...collectiveSteps(step));
      else all.push(step);
    }
    return all;
  }

  /** One more step. */
  push(step: Step): void {
    this.steps.push(step);
  }

  /** One more value of a tensor. */
  add(tensor: Tensor, layout: Layout, held?: Value["held"]): Value {
    const count = this.counts.get(tensor.id) ?? 0;
    this.counts.set(tensor.id, count + 1);
    const { id, dtype, role } = tensor;
    const plain: Value = { id: valueId(`${id}@${count}`), tensor: id, dtype, role, layout };
    const value = held === undefined ? plain : { ...plain, held };
    this.values.push(value);
    return value;
  }

  /** Writes down a redistribution with its steps. */
  note(planned: PlannedRedistribution): Copy {
    const { source, chain, steps } = planned;
    const value = chain.at(-1) ?? source;
    const open = openRedistribution(planned, this.redistributions.length);
    this.redistributions.push(open);
    const ids = [source.id];
    for (const { id } of chain) ids.push(id);
    this.steps.push({ kind: "reshard", phase: this.phase, open, steps, chain: ids });
    return { value, open };
  }

  /**
   * An earlier copy that will do, else a new one.
   *
   * @param key of what copies are shared: a tensor, or a tensor in one pass
   */
  shared(
    key: string,
    isWanted: (value: Value) => boolean,
    make: () => Copy,
    reason: Reason,
  ): Value {
    const copies = this.copies.get(key) ?? [];
    this.copies.set(key, copies);
    const copy = copies.find(({ value }) => isWanted(value));
    if (copy !== undefined) {
      copy.open.reasons.push(reason);
      return copy.value;
    }
    const made = make();
    copies.push(made);
    return made.value;
  }
}
