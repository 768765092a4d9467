import { greatestCommonDivisor } from "#core/arithmetic";
import { blockCount, type Layout, type Part, partSize } from "#core/mesh";

/**
 * Layout with its dims cut by further parts, innermost, as long as the cuts are even. A part goes
 * whole to the first dim it divides; otherwise its sub-axes go to several dims (a weight of 75,000
 * × 100,000 goes to 64 devices as eighths of eighths).
 */
export function splitFurther(
  layout: Layout,
  shape: readonly number[],
  parts: readonly Part[],
): Layout {
  const used = new Set(layout.dims.flatMap((dim) => dim.parts.map((part) => JSON.stringify(part))));
  const more = parts.filter((part) => !used.has(JSON.stringify(part)));
  return more.reduce((split, part) => withPart(split, shape, part), layout);
}

function withPart(layout: Layout, shape: readonly number[], part: Part): Layout {
  const whole = layout.dims.findIndex((_, dim) => room(layout, shape, dim) % partSize(part) === 0);
  if (whole >= 0) return appended(layout, whole, part);
  return part.kind === "axis" ? inSubAxes(layout, shape, part) : layout;
}

/**
 * Distributes a part over dims: each in turn gets the largest sub-axis that fits; a remainder is
 * dropped.
 */
function inSubAxes(
  layout: Layout,
  shape: readonly number[],
  part: Extract<Part, { kind: "axis" }>,
): Layout {
  let split = layout;
  let { before, size: rest } = part;
  for (const dim of layout.dims.keys()) {
    const size = greatestCommonDivisor(room(layout, shape, dim), rest);
    if (size === 1) continue;
    split = appended(split, dim, { ...part, before, size });
    before *= size;
    rest /= size;
  }
  return split;
}

/**
 * Elements of a dim on each device, so the room for further cuts; 1 if the dim is uneven already.
 */
function room(layout: Layout, shape: readonly number[], dim: number): number {
  const pieces = blockCount(layout.dims[dim]?.parts ?? []);
  const size = (shape[dim] ?? 1) / pieces;
  return Number.isInteger(size) ? size : 1;
}

function appended(layout: Layout, at: number, part: Part): Layout {
  const dims = layout.dims.map((dim, index) =>
    index === at ? { ...dim, parts: [...dim.parts, part] } : dim,
  );
  return { ...layout, dims };
}
