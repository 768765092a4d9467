import { product } from "#core/arithmetic";
import type { TracedTensor } from "#language/document/trace";
import { entryList } from "../operators/call.ts";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { emittedList } from "../redistribution/emitted.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";

/** A communicating primitive of a redistribution, with the group of the rank. */
export interface SentStep {
  readonly op: string;
  readonly ranks: readonly number[];
}

/**
 * A tensor between two operators; its device matrix may end with an axis of pieces inside each
 * card.
 */
export interface PlacedTensor extends MappedTensor {
  /** Size of the last device axis if it cuts inside each card (mindspore.md §1.4). */
  readonly interleaved?: number;
}

/**
 * Remembers the redistribution steps applied to a tensor: the same step on the same value, for
 * another reader or another piece inside a card, is merged by the compiler and runs once.
 */
export class SentBefore {
  private readonly values = new Map<TracedTensor, Map<string, number>>();

  /** The number of the value that a step makes, and whether the step is new. */
  made(tensor: TracedTensor, step: readonly unknown[]): { value: number; isNew: boolean } {
    const known = this.values.get(tensor) ?? new Map<string, number>();
    this.values.set(tensor, known);
    const key = JSON.stringify(step);
    const value = known.get(key);
    if (value !== undefined) return { value, isNew: false };
    known.set(key, known.size);
    return { value: known.size - 1, isNew: true };
  }
}

/**
 * The messages of a rank between two layouts, in the order of the compiled graph. Leading steps
 * that another reader of the tensor shares are merged by the compiler.
 *
 * With an interleaved side every piece of a card is redistributed separately over virtual ranks:
 * rank `r` has those from `r · pieces` on. Messages between pieces of one card are not sent.
 */
export function sentBetween(
  from: PlacedTensor,
  to: PlacedTensor,
  {
    rank,
    allToAll,
    sent,
    cleanUp,
  }: {
    readonly rank: number;
    readonly allToAll: boolean;
    readonly sent: SentBefore;
    /** Whether the clean-up pass runs on the list; it does when all lengths are known. */
    readonly cleanUp: boolean;
  },
  tensor: TracedTensor,
): readonly SentStep[] {
  const pieces = Math.max(from.interleaved ?? 1, to.interleaved ?? 1);
  const [source, target] = [inPieces(from, pieces), inPieces(to, pieces)];
  if (redistributionFault(source, target) !== undefined) return [];
  const ofCard = Array.from({ length: pieces }, (_, piece) => rank * pieces + piece);
  const lists = ofCard.map((each) => emittedList(source, target, each, { allToAll, cleanUp }));
  const isCut = from.interleaved !== undefined && from.tensorMap.flatMap(entryList).includes(0);
  let held = ofCard.map((_, piece) => sent.made(tensor, isCut ? ["piece", piece] : []).value);
  const world = Array.from({ length: product(source.deviceMatrix) }, (_, each) => each);
  const steps: SentStep[] = [];
  for (let at = 0; at < (lists[0]?.length ?? 0); at++) {
    held = lists.map((list, piece) => {
      const [op = "", ...args] = list[at] ?? [];
      const isSent = op === "AllGather" || op === "AlltoAll";
      const last = args.at(-1);
      const group = Array.isArray(last) ? last.map(Number) : world;
      const taken = group.filter((each) => ofCard.includes(each)).map((each) => each % pieces);
      const ranks = [...new Set(group.map((each) => Math.floor(each / pieces)))];
      const read = isSent ? taken.map((each) => held[each]) : [held[piece]];
      const { value, isNew } = sent.made(tensor, [op, isSent ? ranks : args, args.length, read]);
      if (isSent && isNew && ranks.length > 1) steps.push({ op, ranks });
      return value;
    });
  }
  return steps;
}

/**
 * Extends a tensor's device matrix by the axis of pieces; a plain tensor is whole in each card
 * (mindspore.md §1.4).
 */
function inPieces(placed: PlacedTensor, pieces: number): MappedTensor {
  const { deviceMatrix, tensorMap, shape, interleaved } = placed;
  if (pieces === 1 || interleaved !== undefined) return placed;
  const moved = (value: number) => (value < 0 ? value : value + 1);
  return {
    deviceMatrix: [...deviceMatrix, pieces],
    tensorMap: tensorMap.map((entry) =>
      typeof entry === "number" ? moved(entry) : entry.map(moved),
    ),
    shape,
  };
}
