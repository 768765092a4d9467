import { bytesOf, type Phase } from "#core/ir";
import type { ReshardStep } from "#core/reshard";
import type { CollectiveStep, Reason, Redistribution, Value, ValueId } from "./program.ts";

/** A redistribution while the graph is lowered: consumers that share it add their reasons. */
export interface Draft {
  readonly redistribution: Omit<Redistribution, "reasons">;
  readonly reasons: Reason[];
}

/** Steps of one redistribution; its reasons are complete only when the whole graph is lowered. */
export interface PendingReshard {
  readonly kind: "reshard";
  readonly draft: Draft;
  readonly phase: Phase;
  readonly steps: readonly ReshardStep[];
  readonly chain: readonly ValueId[];
}

/** What a redistribution is made of. */
export interface Planned {
  readonly source: Value;
  readonly chain: readonly Value[];
  readonly steps: readonly ReshardStep[];
  readonly lowerBound: number;
  readonly reason: Reason;
}

/** The redistribution that steps make, as the `index`-th of its program. */
export function draftOf(
  { source, chain, steps, lowerBound, reason }: Planned,
  index: number,
): Draft {
  const total = (of: (step: ReshardStep) => number) =>
    steps.reduce((sum, step) => sum + of(step), 0);
  const elements = total((step) => step.elements);
  return {
    redistribution: {
      index,
      tensor: source.tensor,
      input: source.id,
      output: (chain.at(-1) ?? source).id,
      elements,
      bytes: elements * bytesOf(source.dtype),
      seconds: total((step) => step.seconds),
      lowerBound,
    },
    reasons: [reason],
  };
}

/** The collectives of a redistribution between its values. */
export function collectiveSteps({
  draft,
  phase,
  steps,
  chain,
}: PendingReshard): readonly CollectiveStep[] {
  return steps.map((step, index) => {
    const input = chain[index];
    const output = chain[index + 1];
    if (input === undefined || output === undefined) throw new Error("a step without its values");
    return {
      kind: "collective",
      collective: step.collective,
      phase,
      input,
      output,
      moves: step.moves,
      axes: step.axes,
      groups: step.groups,
      ...(step.transfers !== undefined && { pairs: step.transfers }),
      reasons: draft.reasons,
      elements: step.elements,
      bytes: step.bytes,
      seconds: step.seconds,
      reshard: draft.redistribution.index,
    };
  });
}
