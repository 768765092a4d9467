import { type Expr, position } from "./body/body.ts";
import { frozenAt, type KnownSize, letter, written } from "./call.ts";

/**
 * Index of the current cell in an operand of the given rank, with the coordinate along `dim`
 * replaced.
 */
export function replaced(rank: number, dim: number, place: (here: Expr) => Expr): readonly Expr[] {
  return Array.from({ length: rank }, (_, each) =>
    each === dim ? place(position(each)) : position(each),
  );
}

/**
 * An annotation in which one dim is frozen in the operand and a number of the given size in each
 * result.
 */
export function alongNumbers(rank: number, dim: number, sizes: readonly KnownSize[]): string {
  const input = frozenAt(rank, (each) => each === dim).join(" ");
  const outputs = sizes.map((size) =>
    Array.from({ length: rank }, (_, each) => (each === dim ? written(size) : letter(each))).join(
      " ",
    ),
  );
  return `${input} -> ${outputs.join(", ")}`;
}
