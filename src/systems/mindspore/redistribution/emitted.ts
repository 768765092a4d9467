import { cleanedUp } from "./clean-up.ts";
import { baseSliceShape, flattened, type MappedTensor, productOf } from "./flat-layout.ts";
import { emittedPrimitives, type PrimitiveCall, printedList } from "./primitives.ts";
import { listOfRank } from "./rank-list.ts";
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

/**
 * The primitives of a rank as MindSpore 2.10 compiles them, which always cleans up.
 *
 * Tensors of different shapes meet only at a Reshape operator. One whose source names several axes
 * on a dim begins with a Reshape (mindspore.md §3.8).
 *
 * @param cleanUp whether the pass runs at all; without it the list is the raw one
 */
export function emittedList(
  from: MappedTensor,
  to: MappedTensor,
  rank: number,
  { allToAll, cleanUp }: { readonly allToAll: boolean; readonly cleanUp: boolean },
): readonly PrimitiveCall[] {
  const redistribution = redistribute(from, to, { allToAll });
  const start = redistribution.sliceFrom;
  const raw = listOfRank(redistribution, rank);
  const list = cleanUp ? cleanedUp(raw, start, rank) : raw;
  const calls = emittedPrimitives(list, start, productOf(from.deviceMatrix));
  const flat = sliceShape(flattened(from));
  const isReshape = from.shape.join() !== to.shape.join();
  const needsFront = isReshape && flat.join() !== baseSliceShape(from).join();
  return needsFront && calls[0]?.[0] !== "Reshape" ? [["Reshape", flat], ...calls] : calls;
}
