/** A dim of an input: which input, and which of its dims. */
export type Ref = readonly [input: number, dim: number];

/** A dim of a result: its size, and the dims of inputs with which it is cut, if any. */
export interface LinkedDim {
  readonly size: number;
  readonly refs: readonly Ref[];
}

/** Dims of inputs that are cut together and that no result has. */
interface InnerDims {
  readonly refs: readonly Ref[];
  readonly isSummed: boolean;
}

/** How the dims of an operator's inputs and results belong together. */
export interface Links {
  readonly outputs: readonly (readonly LinkedDim[])[];
  /** Dims that no result has and that may be cut all the same: the parts are added up, if so said. */
  readonly inner?: readonly InnerDims[];
  /** Dims that a strategy may cut and batch parallel does not. */
  readonly unsplit?: readonly Ref[];
  /** Dims that batch parallel splits only where every device gets a part. */
  readonly evenly?: readonly Ref[];
  /** Without a strategy dim 0 of the first input is split, though it is not to be. */
  readonly splitsAnyway?: boolean;
  /** Device axes in the order of the first result's dims, not of the inputs'. */
  readonly isInResultOrder?: true;
  /** How many results are added up, each with an AllReduce of its own; 1 unless said. */
  readonly sums?: number;
  /** Dims that go together have lengths of their own, each cut into as many pieces. */
  readonly isScaled?: true;
  /** The parts of all devices are gathered and combined then: maxima have no sum. */
  readonly gathers?: boolean;
}

/** The facts of a call that decide the shapes of its results. */
export interface LinkCall {
  readonly op: string;
  readonly shapes: readonly (readonly number[])[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The links of a call, or why MindSpore refuses it; `undefined` where an argument is not known. */
export type LinksOf = (call: LinkCall) => Links | string | undefined;

/** A dim of its own size, which nothing cuts. */
export function own(size: number): LinkedDim {
  return { size, refs: [] };
}

/**
 * A part of a dim of the first input: whole, unless `skip_redistribution` lets every device take its
 * own block apart.
 */
export function partOf({ attributes }: LinkCall, dim: number, size: number): LinkedDim {
  return attributes.skip_redistribution === true ? { size, refs: [[0, dim]] } : own(size);
}

/** A dim of so many elements that is cut with dims of inputs. */
export function sized(size: number, ...refs: readonly Ref[]): LinkedDim {
  return { size, refs };
}

/** A dim that is one of an input. */
export function kept({ shapes }: LinkCall, ...refs: readonly Ref[]): LinkedDim {
  const sizes = refs.map(([input, dim]) => shapes[input]?.[dim] ?? 1);
  return { size: Math.max(1, ...sizes), refs };
}

/** Dims that are cut together and summed: where they are cut, the result is a partial sum. */
export function summed(...refs: readonly Ref[]): InnerDims {
  return { refs, isSummed: true };
}

/** One dim for all inputs, which have the same shape. */
export function keptInAll(call: LinkCall, dim: number): LinkedDim {
  return kept(call, ...call.shapes.map((_, input) => [input, dim] as const));
}

/** All dims of an input. */
export function likeInput(call: LinkCall, input = 0): readonly LinkedDim[] {
  return (call.shapes[input] ?? []).map((_, dim) => kept(call, [input, dim]));
}

/** The dims that inputs give together, aligned at the right. */
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

/** The classes of dims that are cut together, in the order of the inputs or of the first result. */
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

/** Whether a list of dims names one. */
export function has(refs: readonly Ref[], [input, dim]: Ref): boolean {
  return refs.some(([other, at]) => other === input && at === dim);
}
