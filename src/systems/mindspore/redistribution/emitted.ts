import { product } from "#core/arithmetic";
import { cleanedUp } from "./clean-up.ts";
import { baseSliceShape, flattened, type MappedTensor } from "./flat-layout.ts";
import { emittedPrimitives, type PrimitiveCall, printedList } from "./primitives.ts";
import { listOfRank, type RankOperator } from "./rank-list.ts";
import { redistribute, sliceShape } from "./redistribute.ts";

/** The list of one rank as the engine that converts checkpoints prints it. */
export interface OfflineLists {
  readonly raw: readonly PrimitiveCall[];
  /** After the clean-up pass. */
  readonly clean: readonly PrimitiveCall[];
}

/** Both offline lists of a rank; they never hold an AllToAll. */
export function offlineLists(from: MappedTensor, to: MappedTensor, rank: number): OfflineLists {
  const redistribution = redistribute(from, to, { offline: true });
  const list = listOfRank(redistribution, rank);
  const start = redistribution.sliceFrom;
  return {
    raw: printedList(list, start),
    clean: printedList(cleanedUp(list, start, rank), start),
  };
}

/** The steps of one rank on the way from one layout to another. */
export interface RankList {
  readonly list: readonly RankOperator[];
  /** The local shape that they begin with. */
  readonly start: readonly number[];
}

/** How a list is made. */
interface ListOptions {
  readonly allToAll: boolean;
  /** Whether the clean-up pass runs at all; without it the list is the raw one. */
  readonly cleanUp: boolean;
}

/**
 * The steps of a rank as MindSpore 2.10 compiles them, which always cleans up.
 *
 * Tensors of different shapes meet only at a Reshape operator. One whose source names several axes
 * on a dim begins with a Reshape (mindspore.md §3.8).
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

/** Those steps as primitives. */
export function emittedList(
  from: MappedTensor,
  to: MappedTensor,
  rank: number,
  options: ListOptions,
): readonly PrimitiveCall[] {
  const { list, start } = stepsOfRank(from, to, rank, options);
  return emittedPrimitives(list, start, product(from.deviceMatrix));
}
