import type { DType } from "#core/ir";
import type { FlatStep, ValueId } from "#core/program";
import { numpyName, type ProgramLines } from "#systems/arrays";

/** A collective that must be found in the compiled program, under the scope of its step. */
export interface ClaimedCollective {
  readonly step: string;
  readonly kind: string;
  /** Device ids, in the order of their pieces; of a permute pairs of sender and receiver. */
  readonly groups: readonly (readonly number[])[];
  /** Received by the busiest device. */
  readonly bytes: number;
  readonly dtype: string;
}

/** The collectives of a program in its order; slices move nothing and are none. */
export function claimedCollectives(
  steps: readonly FlatStep[],
  dtypeOf: (value: ValueId) => DType,
  { pairsOf, leftOut }: Pick<ProgramLines, "pairsOf" | "leftOut">,
): readonly ClaimedCollective[] {
  return steps.flatMap((step, at) => {
    if (step.kind !== "collective" || step.collective === "slice" || leftOut.has(step)) return [];
    const { collective, bytes, input } = step;
    const isPermute = collective === "collective-permute";
    const groups = isPermute
      ? pairsOf(step).map(({ from, to }) => [from, to])
      : step.groups.map((group) => group.map(Number));
    const dtype = numpyName(dtypeOf(input));
    return [{ step: `s${at}`, kind: collective, groups, bytes, dtype }];
  });
}
