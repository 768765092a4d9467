import { bytesOf, type DType } from "#core/ir";
import type { CollectiveStep, FlatStep, ValueId } from "#core/program";
import type { ProgramLines, SentBox } from "#systems/arrays";
import { numpyName } from "#systems/arrays/python";
import { exchangeRounds } from "./exchange-rounds.ts";

/** A collective that the compiled program must contain, under the scope of its step. */
export interface ClaimedCollective {
  readonly step: string;
  readonly kind: string;
  /** Device ids in the order of their pieces; for a permute, pairs of sender and receiver. */
  readonly groups: readonly (readonly number[])[];
  /** Bytes received by the busiest device. */
  readonly bytes: number;
  readonly dtype: string;
}

/**
 * Collectives of a program in order, without slices, which move nothing. An exchange is listed as
 * the permutes of its rounds.
 */
export function claimedCollectives(
  steps: readonly FlatStep[],
  dtypeOf: (value: ValueId) => DType,
  { pairsOf, leftOut }: Pick<ProgramLines, "pairsOf" | "leftOut">,
): readonly ClaimedCollective[] {
  return steps.flatMap((step, at) => {
    if (step.kind !== "collective" || step.collective === "slice" || leftOut.has(step)) return [];
    const { collective, bytes, input, pairs = [] } = step;
    const dtype = numpyName(dtypeOf(input));
    const named = { step: `s${at}`, dtype };
    if (collective === "exchange")
      return exchangeRounds(pairs.map(sentBox)).map(({ sent, elements }) => ({
        ...{ ...named, kind: "collective-permute", bytes: elements * bytesOf(dtypeOf(input)) },
        groups: sent.map(({ from, to }) => [from, to]),
      }));
    const isPermute = collective === "collective-permute";
    const groups = isPermute
      ? pairsOf(step).map(({ from, to }) => [from, to])
      : step.groups.map((group) => group.map(Number));
    return [{ ...named, kind: collective, groups, bytes }];
  });
}

function sentBox(pair: NonNullable<CollectiveStep["pairs"]>[number]): SentBox {
  return { from: Number(pair.from), to: Number(pair.to), range: pair.range };
}
