import type { Span } from "#core/diagnostics";
import { integer, integerOf, integersOf, textOf, tuple } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";

type Given = ReadonlyMap<string, Argument>;

/** The attribute in which a convolution keeps its padding per side, by PyTorch's name. */
export const paddingSides = "_reversed_padding_repeated_twice";

/**
 * The settings of a convolution with its padding as numbers. `"same"` adds `dilation · (kernel − 1)`
 * cells to every dim, half on each side. The operator pads itself if that is even in all dims. Else
 * the far side gets the odd cell, and `sides` holds the padding as `F.pad` takes it: the last dim
 * first.
 *
 * @param rank number of spatial dims
 */
export function withNumbers(
  given: Given,
  rank: number,
  context: Context,
  span: Span,
): { readonly bound: Given; readonly sides?: Value } {
  const said = textOf(given.get("padding")?.value);
  if (said === undefined) return { bound: given };
  const padded = (sizes: readonly number[]): Given =>
    new Map(given).set("padding", { value: tuple(sizes.map(integer)), span });
  const none = Array.from({ length: rank }, () => 0);
  if (said !== "same") return { bound: padded(none) };
  const sizes = (name: string): readonly number[] => {
    const value = given.get(name)?.value;
    return integersOf(value) ?? Array.from({ length: rank }, () => integerOf(value) ?? 1);
  };
  if (sizes("stride").some((step) => step !== 1)) {
    const at = given.get("padding")?.span ?? span;
    const message = "padding='same' is not supported for strided convolutions";
    context.raise("ValueError", message, at);
  }
  const dilation = sizes("dilation");
  const reach = sizes("kernel_size").map((size, at) => (dilation[at] ?? 1) * (size - 1));
  if (reach.every((each) => each % 2 === 0))
    return { bound: padded(reach.map((each) => each / 2)) };
  const sides = reach.toReversed().flatMap((each) => [Math.floor(each / 2), Math.ceil(each / 2)]);
  return { bound: padded(none), sides: tuple(sides.map(integer)) };
}
