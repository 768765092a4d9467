import { product } from "#core/arithmetic";
import { cleanedUp } from "./clean-up.ts";
import { baseSliceShape, flattened, type MappedTensor } from "./flat-layout.ts";
import { emittedPrimitives, type PrimitiveCall, printedList } from "./primitives.ts";
import { listOfRank, type RankOperator } from "./rank-list.ts";
import { redistribute, sliceShape } from "./redistribute.ts";

/** A rank's list as MindSpore's checkpoint conversion engine prints it. */
export interface OfflineLists {
  readonly raw: readonly PrimitiveCall[];
  /** After the clean-up pass. */
  readonly clean: readonly PrimitiveCall[];
}

/** Both offline lists of a rank; they never contain an AllToAll. */
export function offlineLists(from: MappedTensor, to: MappedTensor, rank: number): OfflineLists {
  const redistribution = redistribute(from, to, { offline: true });
  const list = listOfRank(redistribution, rank);
  const start = redistribution.sliceFrom;
  return {
    raw: printedList(list, start),
    clean: printedList(cleanedUp(list, start, rank), start),
  };
}

/** A rank's operators from one layout to another. */
export interface RankList {
  readonly list: readonly RankOperator[];
  /** The local shape before the first operator. */
  readonly start: readonly number[];
}

/** Options for a rank's list. */
interface ListOptions {
  readonly allToAll: boolean;
  /** Whether the clean-up pass runs; otherwise the list is the raw one. */
  readonly cleanUp: boolean;
}

/**
 * The operators of a rank as MindSpore 2.10 compiles them; its compiler always cleans up.
 *
 * Tensors of different shapes occur only at a Reshape operator. If its source names several axes on
 * a dim, the list begins with a Reshape (mindspore.md §3.8).
 */
export function stepsOfRank(
  from: MappedTensor,
  to: MappedTensor,
  rank: number,
  { allToAll, cleanUp }: ListOptions,
): RankList {
  const redistribution = redistribute(from, to, { allToAll });
  const start = redistribution.sliceFrom;
  const raw = listOfRank(redistribution, rank);
  const list = cleanUp ? cleanedUp(raw, start, rank) : raw;
  const flat = sliceShape(flattened(from));
  const isReshape = from.shape.join() !== to.shape.join();
  const needsFront = isReshape && flat.join() !== baseSliceShape(from).join();
  const isFlat = list[0]?.kind === "reshape";
  return {
    list: needsFront && !isFlat ? [{ kind: "reshape", shape: flat }, ...list] : list,
    start,
  };
}

/** A rank's operators as primitives of the compiled graph. */
export function emittedList(
  from: MappedTensor,
  to: MappedTensor,
  rank: number,
  options: ListOptions,
): readonly PrimitiveCall[] {
  const { list, start } = stepsOfRank(from, to, rank, options);
  return emittedPrimitives(list, start, product(from.deviceMatrix));
}
