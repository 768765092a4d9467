/** A dim of an input, by input index and dim index. */
export type Ref = readonly [input: number, dim: number];

/** A dim of a result: its size, and the input dims that are cut with it, if any. */
export interface LinkedDim {
  readonly size: number;
  readonly refs: readonly Ref[];
}

/** Input dims that are cut together and that no result has. */
interface InnerDims {
  readonly refs: readonly Ref[];
  readonly isSummed: boolean;
}

/** Which dims of an operator's inputs and results are cut together. */
export interface Links {
  readonly outputs: readonly (readonly LinkedDim[])[];
  /**
   * Classes of dims that no result has and that may be cut; if `isSummed`, cuts give partial sums.
   */
  readonly inner?: readonly InnerDims[];
  /** Dims that a strategy may cut but batch parallel does not. */
  readonly unsplit?: readonly Ref[];
  /** Dims that batch parallel cuts only if the number of devices divides them. */
  readonly evenly?: readonly Ref[];
  /**
   * Whether the default strategy splits dim 0 of the first input although the operator does not
   * allow it.
   */
  readonly splitsAnyway?: boolean;
  /** Set if device axes follow the order of the first result's dims instead of the inputs'. */
  readonly isInResultOrder?: true;
  /** Number of results that are summed, each with its own AllReduce; 1 by default. */
  readonly sums?: number;
  /** Set if linked dims have different lengths, each cut into the same number of pieces. */
  readonly isScaled?: true;
  /**
   * Whether the parts of all devices are gathered and then combined, as for maxima, which have no
   * sum.
   */
  readonly gathers?: boolean;
}

/** The facts of a call that decide the shapes of its results. */
export interface LinkCall {
  readonly op: string;
  readonly shapes: readonly (readonly number[])[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Finds the links of a call, or why MindSpore refuses it; `undefined` if an argument is not known.
 */
export type LinksOf = (call: LinkCall) => Links | string | undefined;

/** A result dim that is linked to no input dim, so nothing cuts it. */
export function own(size: number): LinkedDim {
  return { size, refs: [] };
}

/**
 * A part of a dim of the first input: whole, unless `skip_redistribution` lets every device slice
 * its own block.
 */
export function partOf({ attributes }: LinkCall, dim: number, size: number): LinkedDim {
  return attributes.skip_redistribution === true ? { size, refs: [[0, dim]] } : own(size);
}

/** A dim of this size that is cut with dims of inputs. */
export function sized(size: number, ...refs: readonly Ref[]): LinkedDim {
  return { size, refs };
}

/** A dim linked to dims of inputs, with the largest of their sizes. */
export function kept({ shapes }: LinkCall, ...refs: readonly Ref[]): LinkedDim {
  const sizes = refs.map(([input, dim]) => shapes[input]?.[dim] ?? 1);
  return { size: Math.max(1, ...sizes), refs };
}

/** Input dims that are contracted: if they are cut, the result is a partial sum. */
export function summed(...refs: readonly Ref[]): InnerDims {
  return { refs, isSummed: true };
}

/** A dim that is linked to the same dim of all inputs. */
export function keptInAll(call: LinkCall, dim: number): LinkedDim {
  return kept(call, ...call.shapes.map((_, input) => [input, dim] as const));
}

/** Result dims linked one by one to all dims of an input. */
export function likeInput(call: LinkCall, input = 0): readonly LinkedDim[] {
  return (call.shapes[input] ?? []).map((_, dim) => kept(call, [input, dim]));
}

/** The dims of inputs broadcast together, aligned at the right. */
export function broadcast(call: LinkCall, inputs?: readonly number[]): readonly LinkedDim[] {
  const which = inputs ?? call.shapes.map((_, input) => input);
  const ranks = which.map((input) => call.shapes[input]?.length ?? 0);
  const rank = Math.max(0, ...ranks);
  return Array.from({ length: rank }, (_, column) => {
    const refs = which.flatMap((input): Ref[] => {
      const dim = column - rank + (call.shapes[input]?.length ?? 0);
      return dim >= 0 ? [[input, dim]] : [];
    });
    return kept(call, ...refs);
  });
}

/**
 * The classes of dims that are cut together, in the order of the inputs or, with `isInResultOrder`,
 * of the results.
 */
export function classesOf(
  { outputs, inner = [], isInResultOrder }: Links,
  shapes: LinkCall["shapes"],
): readonly { readonly refs: readonly Ref[]; readonly size: number; readonly isSummed: boolean }[] {
  const groups = [
    ...outputs.flat().map(({ refs }) => ({ refs, isSummed: false })),
    ...inner,
  ].filter(({ refs }) => refs.length > 0);
  const joined: { refs: Ref[]; isSummed: boolean }[] = [];
  for (const { refs, isSummed } of groups) {
    const known = joined.find((each) => refs.some((ref) => has(each.refs, ref)));
    if (known === undefined) joined.push({ refs: [...refs], isSummed });
    else known.refs.push(...refs.filter((ref) => !has(known.refs, ref)));
  }
  const place = ({ refs }: { readonly refs: readonly Ref[] }) =>
    Math.min(...refs.map(([input, dim]) => input * 64 + dim));
  const sizeOf = ([input, dim]: Ref) => shapes[input]?.[dim] ?? 1;
  const classes = joined.map((each) => ({ ...each, size: Math.max(...each.refs.map(sizeOf)) }));
  return isInResultOrder === true ? classes : classes.sort((a, b) => place(a) - place(b));
}

/** Whether a list of dims contains one. */
export function has(refs: readonly Ref[], [input, dim]: Ref): boolean {
  return refs.some(([other, at]) => other === input && at === dim);
}
