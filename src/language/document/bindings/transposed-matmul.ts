import { batchDims, type LibraryEntry, library } from "#core/ir";
import type { Argument } from "#language/python";
import { knownSize } from "../trace/size.ts";
import type { TensorBindings } from "./tensors.ts";
import { text } from "./values/values.ts";

/**
 * `MatMul(transpose_a, transpose_b)` as a contraction with the last two dims of a transposed
 * operand swapped; `undefined` when neither is transposed.
 */
export function transposedMatmul(
  tensors: TensorBindings,
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
  const shapes = operands.map(
    ({ value }) => tensors.tensorOf(value)?.shape?.map(knownSize) ?? [undefined, undefined],
  );
  const [left, right, batch] = batchDims(shapes[0] ?? [], shapes[1] ?? []);
  const dims = (names: readonly string[], matrix: string) => [...names, matrix].join(" ");
  const [x, y] = [dims(left, a ? "k m" : "m k"), dims(right, b ? "n k" : "k n")];
  const equation = `${x}, ${y} -> ${dims(batch, "m n")}`;
  return { entry, args: [{ value: text(equation), span: first.span }, ...operands] };
}
