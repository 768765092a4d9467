/** The rule by which one number of a leaf follows from 24 random bits. */
export type DrawRule =
  /** Ones: the gradient of the loss. */
  | { readonly kind: "ones" }
  /** A float in [−1, 1). */
  | { readonly kind: "signed" }
  /** A float in [0.25, 1.25), for logarithms and roots. */
  | { readonly kind: "positive" }
  /** A float in [0.125, 0.875): an uncertain probability. */
  | { readonly kind: "fraction" }
  /** −1 or 1. */
  | { readonly kind: "sign" }
  /** An integer in −`range` … `range`; a share of 1 − `density` of them is 0. */
  | { readonly kind: "integer"; readonly range: number; readonly density: number }
  /** An integer in 1 … `range`. */
  | { readonly kind: "count"; readonly range: number }
  /**
   * An integer in 0 … `below` − 1; `isOpen` if nothing reads it as an index, so that any value may
   * be given.
   */
  | { readonly kind: "index"; readonly below: number; readonly isOpen?: true };

/** The draw of a leaf's numbers: each depends on the seed and its own flat index alone. */
export interface LeafDraw {
  readonly seed: number;
  readonly rule: DrawRule;
}

const unit = 2 ** 24;

/**
 * The drawn number at a flat index of the whole tensor. Floats have 24 bits at most, so that single
 * precision holds each exactly and every engine can draw them itself.
 */
export function drawnAt({ seed, rule }: LeafDraw, index: number): number {
  const bits = bitsAt(seed, index);
  switch (rule.kind) {
    case "ones":
      return 1;
    case "signed":
      return bits / (unit / 2) - 1;
    case "positive":
      return 0.25 + (bits >>> 2) / (unit / 4);
    case "fraction":
      return (unit / 8 + 3 * (bits >>> 2)) / unit;
    case "sign":
      return bits < unit / 2 ? -1 : 1;
    case "integer": {
      const limit = rule.density * unit;
      const width = 2 * rule.range + 1;
      return bits < limit ? Math.floor((bits * width) / limit) - rule.range : 0;
    }
    case "count":
      return 1 + Math.floor((bits * rule.range) / unit);
    case "index":
      return Math.floor((bits * rule.below) / unit);
  }
}

/**
 * The first 24 bits of the number that mulberry32 (T. Ettinger) draws `index` steps after a seed.
 */
function bitsAt(seed: number, index: number): number {
  const state = (seed + Math.imul(index + 1, 0x6d2b79f5)) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return (bits ^ (bits >>> 14)) >>> 8;
}
