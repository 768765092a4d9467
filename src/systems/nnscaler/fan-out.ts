/**
 * An operator that reads a tensor: the blocks that its devices read, and whether it is partitioned.
 */
export interface Reader {
  readonly operator: string;
  /** The blocks of all devices as text; equal texts mean equal blocks. */
  readonly blocks: string;
  /** Whether it is split into pieces; otherwise every device does the same work. */
  readonly isPartitioned: boolean;
}

/** The exception of nnScaler for a tensor with several readers, raised before anything runs. */
export interface FanOutFault {
  readonly kind: "AssertionError" | "RuntimeError";
  readonly message: string;
}

/**
 * Why nnScaler cannot accumulate the gradients of an activation with several readers (dimops.md
 * §3): they must read the same pieces, and be all partitioned or all replicated, unless the policy
 * calls `graph.multiref` for the tensor. `undefined` if it can.
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

/**
 * Whether a reducer sums the gradient of a weight over devices, or why nnScaler refuses (dimops.md
 * §3).
 */
export type WeightGradient =
  | { readonly kind: "reducer" | "none" }
  | { readonly kind: "refused"; readonly fault: FanOutFault };

/**
 * The reducer of a weight runs over the devices with partitioned operators that hold the same
 * piece. There is none if all readers are replicated, since they compute the same gradient.
 * Mixtures, and pieces that partly overlap, are refused.
 *
 * @param overlap whether two block texts describe pieces that overlap without being equal
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
