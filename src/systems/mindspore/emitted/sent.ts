import type { TracedTensor } from "#language/document/words";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { emittedList } from "../redistribution/emitted.ts";
import { type MappedTensor, productOf } from "../redistribution/flat-layout.ts";

/** A primitive of a redistribution that communicates, and the group of the rank. */
export interface SentStep {
  readonly op: string;
  readonly ranks: readonly number[];
}

/** What is known of a tensor that two readers want alike: the steps that both begin with run once. */
export class SentBefore {
  private readonly lists = new Map<TracedTensor, Set<string>>();

  /** Whether these steps are the first time that the tensor goes this way. */
  isNew(tensor: TracedTensor, steps: readonly unknown[]): boolean {
    const known = this.lists.get(tensor) ?? new Set();
    this.lists.set(tensor, known);
    const key = JSON.stringify(steps);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  }
}

/**
 * What a rank sends on the way from one layout to another, in the order of the compiled graph. Steps
 * that another reader of the same tensor begins with too are merged by the compiler.
 */
export function sentBetween(
  from: MappedTensor,
  to: MappedTensor,
  {
    rank,
    allToAll,
    sent,
  }: { readonly rank: number; readonly allToAll: boolean; readonly sent: SentBefore },
  tensor: TracedTensor,
): readonly SentStep[] {
  if (redistributionFault(from, to) !== undefined) return [];
  const world = Array.from({ length: productOf(from.deviceMatrix) }, (_, each) => each);
  const list = emittedList(from, to, rank, { allToAll, cleanUp: true });
  return list.flatMap(([op, ...args], at): SentStep[] => {
    const isNew = sent.isNew(tensor, list.slice(0, at + 1));
    if (!isNew || (op !== "AllGather" && op !== "AlltoAll")) return [];
    const group = args.at(-1);
    return [{ op, ranks: Array.isArray(group) ? group.map(Number) : world }];
  });
}
