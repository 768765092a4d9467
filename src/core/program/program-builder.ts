import { type Checked, failed, passed } from "#core/diagnostics";
import { bytesOf, type Phase, type Tensor, type TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ReshardRequest } from "#core/plan";
import { type PricedSteps, type ReshardPlan, type ReshardStep, reachesLayout } from "#core/reshard";
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

/** A redistributed copy of a value and its still open redistribution. */
export interface Copy {
  readonly value: Value;
  readonly open: OpenRedistribution;
}

/** A per-device program while it is written: its values, its steps, and its redistributions. */
export class ProgramBuilder {
  readonly values: Value[] = [];
  readonly redistributions: OpenRedistribution[] = [];
  /** The pass of the steps that are added next. */
  phase: Phase = "forward";
  private readonly steps: (Step | PendingReshard)[] = [];
  private readonly counts = new Map<TensorId, number>();
  private readonly copies = new Map<string, Copy[]>();

  /** The number of steps and redistributions so far. */
  get length(): number {
    return this.steps.length;
  }

  /** The steps of a range, with every redistribution written out. */
  written(start = 0, end = this.steps.length): readonly Step[] {
    const all: Step[] = [];
    for (const step of this.steps.slice(start, end)) {
      if (step.kind === "reshard") all.push(...collectiveSteps(step));
      else all.push(step);
    }
    return all;
  }

  /** Appends a step. */
  push(step: Step): void {
    this.steps.push(step);
  }

  /** Adds a value of a tensor. */
  add(tensor: Tensor, layout: Layout, held?: Value["held"]): Value {
    const count = this.counts.get(tensor.id) ?? 0;
    this.counts.set(tensor.id, count + 1);
    const { id, dtype, role } = tensor;
    const plain: Value = { id: valueId(`${id}@${count}`), tensor: id, dtype, role, layout };
    const value = held === undefined ? plain : { ...plain, held };
    this.values.push(value);
    return value;
  }

  /** Records a redistribution with its steps. */
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
   * An earlier copy that serves, else a new one.
   *
   * @param key what shares copies: a tensor, or a tensor in one pass
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

/** A redistribution during lowering: consumers that share it add their reasons. */
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

/** The parts of a redistribution. */
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
    // Written field by field: merging objects is slow, and this runs for every collective.
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

/** The facts of a redistribution that decide its steps. */
export interface ReshardEdge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  /** Whether it ends the partial sums of an operator that reduces inside. */
  readonly isInside: boolean;
}

/** Another system's own steps on an edge, priced as ours; fails with the reason if it has none. */
export type SystemReshard = (system: string, edge: ReshardEdge) => Checked<PricedSteps>;

/** Steps with the choice that they follow, or could not follow. */
export interface Chosen {
  readonly steps: PricedSteps["steps"];
  readonly chosen?: ChosenSteps;
}

/** Steps that the text chooses for an edge, else those of the default plan. */
export function chooseSteps(
  requests: readonly ReshardRequest[],
  request: number | undefined,
  edge: ReshardEdge,
  plan: ReshardPlan,
  systems: SystemReshard,
): Chosen {
  const asked = request === undefined ? undefined : requests[request];
  if (request === undefined || asked === undefined) return { steps: plan.steps };
  const { steps } = asked;
  const found = typeof steps === "number" ? pointOf(plan, steps) : ownSteps(systems, steps, edge);
  if (found.ok) return { steps: found.value.steps, chosen: { request, steps } };
  const declined = found.diagnostics[0]?.message ?? "there is none";
  return { steps: plan.steps, chosen: { request, steps, declined } };
}

/** The plan of the front with the given number of steps. */
function pointOf({ front, points }: ReshardPlan, steps: number): Checked<PricedSteps> {
  const point = points[front.findIndex((each) => each.steps === steps)];
  if (point !== undefined) return passed(point);
  const there = front.map((each) => `${each.steps} (${each.elements} elements)`);
  return refuse(`the numbers of steps that pay are ${there.join(", ")}`);
}

/** Another system's own steps, if they end in exactly the wanted blocks. */
function ownSteps(systems: SystemReshard, system: string, edge: ReshardEdge): Checked<PricedSteps> {
  const found = systems(system, edge);
  if (!found.ok || reachesLayout(found.value.steps, edge.from, edge.to, edge.shape)) return found;
  return refuse("it cuts a dim that does not divide evenly into other blocks");
}

function refuse(message: string): Checked<PricedSteps> {
  return failed({ code: "reshard/no-such-steps", severity: "warning", message });
}
