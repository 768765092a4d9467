import { redistributionFault } from "../redistribution/check-tensor.ts";
import { emittedList } from "../redistribution/emitted.ts";
import { type MappedTensor, productOf } from "../redistribution/flat-layout.ts";

/** A primitive of a redistribution that communicates, and the group of the rank. */
export interface SentStep {
  readonly op: string;
  readonly ranks: readonly number[];
}

/** What a rank sends on the way from one layout to another, in the order of the compiled graph. */
export function sentBetween(
  from: MappedTensor,
  to: MappedTensor,
  { rank, allToAll }: { readonly rank: number; readonly allToAll: boolean },
): readonly SentStep[] {
  if (redistributionFault(from, to) !== undefined) return [];
  const world = Array.from({ length: productOf(from.deviceMatrix) }, (_, each) => each);
  const list = emittedList(from, to, rank, { allToAll, cleanUp: true });
  return list.flatMap(([op, ...args]): SentStep[] => {
    if (op !== "AllGather" && op !== "AlltoAll") return [];
    const group = args.at(-1);
    return [{ op, ranks: Array.isArray(group) ? group.map(Number) : world }];
  });
}
