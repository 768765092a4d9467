import { type LibraryEntry, library } from "#core/ir";
import type { Argument } from "#language/python";
import type { TensorWords } from "./tensors.ts";
import { text } from "./values.ts";

/**
 * `MatMul(transpose_a, transpose_b)` as a sum over the contraction, in which the transposed
 * operand stands with its last two dims swapped; `undefined` when neither is transposed.
 */
export function transposedMatmul(
  tensors: TensorWords,
  constructed: readonly Argument[],
  operands: readonly Argument[],
): { readonly entry: LibraryEntry; readonly args: readonly Argument[] } | undefined {
  const isSet = (name: string) =>
    constructed.some(
      ({ name: key, value }) => key === name && value.kind === "bool" && value.value,
    );
  const [a, b] = [isSet("transpose_a"), isSet("transpose_b")];
  const entry = library.get("einsum");
  const [first] = operands;
  if (entry === undefined || first === undefined || !(a || b)) return undefined;
  const ranks = operands.map(({ value }) => tensors.tensorOf(value)?.shape?.length ?? 2);
  const [left = 2, right = 2] = ranks;
  const batch = "abcdefgh".slice(0, Math.max(0, Math.max(left, right) - 2));
  const own = (rank: number) => batch.slice(batch.length - Math.max(0, rank - 2));
  const equation = `${own(left)}${a ? "km" : "mk"},${own(right)}${b ? "nk" : "kn"}->${batch}mn`;
  return { entry, args: [{ value: text(equation), span: first.span }, ...operands] };
}
