import { bytesOf, type Phase } from "#core/ir";
import type { ReshardStep } from "#core/reshard";
import type {
  ChosenSteps,
  CollectiveStep,
  Reason,
  Redistribution,
  Value,
  ValueId,
} from "./program.ts";

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
export function openRedistribution(
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
export function collectiveSteps({
  open,
  phase,
  steps,
  chain,
}: PendingReshard): readonly CollectiveStep[] {
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
