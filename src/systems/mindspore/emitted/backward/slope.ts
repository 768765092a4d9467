/** The gradient of a value on a device. */
export interface Slope {
  /** Equal numbers mean equal computations, which the compiler runs once. */
  readonly number: number;
  /** Whether the compiler folds it as a constant; `undefined` if that was not recorded. */
  readonly isConstant: boolean | undefined;
}

/** The gradients of a net, each with the number of its computation. */
export class Slopes {
  private readonly numbers = new Map<string, number>();

  /** The gradient computed from `parts`, which identify the computation. */
  of(parts: readonly unknown[], isConstant: boolean | undefined = false): Slope {
    const key = JSON.stringify(parts);
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    return { number, isConstant };
  }

  /** The sum of the gradients from several readers, independent of their order. */
  sum(slopes: readonly Slope[]): Slope {
    const [only] = slopes;
    if (only !== undefined && slopes.length === 1) return only;
    const isConstant = slopes.every((each) => each.isConstant === false) ? false : undefined;
    const numbers = slopes.map(({ number }) => number).toSorted((a, b) => a - b);
    return this.of(["sum", ...numbers], isConstant);
  }
}
