import type { Range } from "#core/indexspace";
import type { HeldBlocks, HeldDim } from "./held-blocks.ts";
import { tuple } from "./python/python-names.ts";

/**
 * The table that lists tensors in unequal blocks: per dim the mesh axes that cut it, and the
 * indices of each block. Empty when there are none.
 */
export function heldText(held: ReadonlyMap<string, HeldBlocks>): string {
  if (held.size === 0) return "";
  const lines = [...held].map(
    ([name, { dims }]) => `    "${name}": [${dims.map(dimText).join(", ")}],\n`,
  );
  return `# Tensors in unequal blocks: per dim, the axes that tell the blocks apart, and the indices that each has.
HELD = {
${lines.join("")}}
`;
}

function dimText({ axes, blocks }: HeldDim): string {
  return `(${tuple(axes.map((axis) => `"${axis}"`))}, [${blocks.map(indicesText).join(", ")}])`;
}

function indicesText(ranges: readonly Range[]): string {
  const texts = ranges.map(rangeText);
  if (texts.length === 0) return "range(0)";
  return texts.length === 1 ? texts.join() : `[${texts.map((text) => `*${text}`).join(", ")}]`;
}

/** A range as a Python `range`. */
export function rangeText({ start, stop }: Range): string {
  return `range(${start}, ${stop})`;
}
