import { bytesOf, type Phase, type Tensor, type TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ReshardStep } from "#core/reshard";
import {
  type ChosenSteps,
  type CollectiveStep,
  type Reason,
  type Redistribution,
  type Step,
  type Value,
  type ValueId,
  valueId,
} from "./program.ts";

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

/** A redistribution while the graph is lowered: consumers that share it add their reasons. */
export interface OpenRedistribution {
  readonly redistribution: Redistribution;
  readonly reasons: Reason[];
}

/** Steps of one redistribution; its reasons are complete only when the whole graph is lowered. */
export interface PendingReshard {
  readonly kind: "reshard";
  readonly open: OpenRedistribution;
  readonly phase: Phase;
  readonly steps: readonly ReshardStep[];
  readonly chain: readonly ValueId[];
}

/** What a redistribution is made of. */
export interface PlannedRedistribution {
  readonly source: Value;
  readonly chain: readonly Value[];
  readonly steps: readonly ReshardStep[];
  readonly lowerBound: number;
  readonly chosen?: ChosenSteps;
  readonly reason: Reason;
}

/** The redistribution that steps make, as the `index`-th of its program. */
function openRedistribution(
  { source, chain, steps, lowerBound, chosen, reason }: PlannedRedistribution,
  index: number,
): OpenRedistribution {
  let [elements, seconds] = [0, 0];
  for (const step of steps) {
    elements += step.elements;
    seconds += step.seconds;
  }
  const reasons = [reason];
  const redistribution: Redistribution = {
    index,
    tensor: source.tensor,
    input: source.id,
    output: (chain.at(-1) ?? source).id,
    elements,
    bytes: elements * bytesOf(source.dtype),
    seconds,
    lowerBound,
    reasons,
    ...(chosen !== undefined && { chosen }),
  };
  return { redistribution, reasons };
}

/** The collectives of a redistribution between its values. */
function collectiveSteps({ open, phase, steps, chain }: PendingReshard): readonly CollectiveStep[] {
  return steps.map((step, index) => {
    const input = chain[index];
    const output = chain[index + 1];
    if (input === undefined || output === undefined) throw new Error("a step without its values");
    const { collective, moves, axes, groups, transfers: pairs, elements, bytes, seconds } = step;
    const kind = "collective";
    const { reasons, index: reshard } = open.redistribution;
    if (pairs !== undefined) {
      const about = { kind, collective, phase, input, output, moves, axes, groups, pairs } as const;
      return { ...about, reasons, elements, bytes, seconds, reshard };
    }
    // Spelt out: joining objects is slow, and this runs for every collective.
    return {
      kind,
      collective,
      phase,
      input,
      output,
      moves,
      axes,
      groups,
      reasons,
      elements,
      bytes,
      seconds,
      reshard,
    };
  });
}
