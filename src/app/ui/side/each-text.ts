import { formatBytes, heldBytes } from "#app/scene";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";

/** Bytes that each device holds of a tensor, in words. */
export function eachText(tensor: Tensor, layout: Layout): string {
  const bytes = formatBytes(heldBytes(tensor, layout));
  const isUnequal = layout.dims.some(({ sizes }) => sizes !== undefined);
  if (isUnequal) return `at most ${bytes}`;
  return layout.partials.length > 0 ? `${bytes}, unsummed` : `${bytes} each`;
}
