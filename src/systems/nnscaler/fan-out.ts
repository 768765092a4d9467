/**
 * One operator that reads a tensor: the blocks that devices read, and how the operator is split.
 */
export interface Reader {
  readonly operator: string;
  /** The block of every device, as any text that is equal for equal blocks. */
  readonly blocks: string;
  /** Split into pieces; else every device does the same work. */
  readonly isPartitioned: boolean;
}

/** What nnScaler raises for a tensor with several readers, before it runs anything. */
export interface FanOutFault {
  readonly kind: "AssertionError" | "RuntimeError";
  readonly message: string;
}

/**
 * Why nnScaler cannot add up the gradients of an activation with several readers (dimops.md §3):
 * they must read the same pieces, and be all split or all replicated, unless the policy calls
 * `graph.multiref` for it. `undefined` where it can.
 */
export function fanOutFault(tensor: string, readers: readonly Reader[]): FanOutFault | undefined {
  const [first, ...rest] = readers;
  if (first === undefined || rest.length === 0) return undefined;
  const other = rest.find(({ blocks }) => blocks !== first.blocks);
  if (other !== undefined) {
    const message = `"${first.operator}" and "${other.operator}" read "${tensor}" in different pieces: nnScaler needs graph.multiref for it before the first partition`;
    return { kind: "AssertionError", message };
  }
  const odd = rest.find(({ isPartitioned }) => isPartitioned !== first.isPartitioned);
  if (odd === undefined) return undefined;
  const [split, copied] = first.isPartitioned ? [first, odd] : [odd, first];
  const message = `Fail to accumulate local gradient of "${tensor}": "${split.operator}" is split and "${copied.operator}" replicated; split or replicate both, or call graph.multiref`;
  return { kind: "RuntimeError", message };
}

/** Whether the devices add up the gradient of a weight, or why nnScaler refuses (dimops.md §3). */
export type WeightGradient =
  | { readonly kind: "reducer" | "none" }
  | { readonly kind: "refused"; readonly fault: FanOutFault };

/**
 * The reducer of a weight: over the devices whose operators are split and hold the same piece; none
 * where all readers are replicated, for they compute the same gradient. A mixture is refused, and
 * so are pieces that overlap in part.
 *
 * @param overlap whether two texts of blocks are of pieces that overlap without being equal
 */
export function weightGradient(
  weight: string,
  readers: readonly Reader[],
  overlap: (one: string, other: string) => boolean,
): WeightGradient {
  const split = readers.filter(({ isPartitioned }) => isPartitioned);
  if (split.length > 0 && split.length < readers.length) {
    return refused(
      `The weight consumers can either be ALL replicated or ALL partitioned: of "${weight}" ${listed(split)} ${split.length > 1 ? "are" : "is"} split and ${listed(readers.filter((each) => !split.includes(each)))} replicated`,
    );
  }
  const [first, ...rest] = readers;
  const crossing = rest.find(({ blocks }) => first !== undefined && overlap(first.blocks, blocks));
  if (first !== undefined && crossing !== undefined) {
    return refused(
      `"${first.operator}" and "${crossing.operator}" hold pieces of "${weight}" that overlap in part: call graph.multiref for it`,
    );
  }
  return { kind: split.length > 0 ? "reducer" : "none" };
}

function listed(readers: readonly Reader[]): string {
  return readers.map(({ operator }) => `"${operator}"`).join(", ");
}

function refused(message: string): WeightGradient {
  return { kind: "refused", fault: { kind: "RuntimeError", message } };
}
