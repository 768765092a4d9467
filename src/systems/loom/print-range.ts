import type { Box, Projection } from "#core/indexspace";

/** `zr[0:2, 0:3]`, as Loom prints ranges. */
export function printRange(box: Box): string {
  return `zr${printBox(box)}`;
}

/** `[0:2, 0:3]`. */
export function printBox(box: Box): string {
  return `[${box.map(({ start, stop }) => `${start}:${stop}`).join(", ")}]`;
}

/** `ipf(affineMap=λx.[[1,0]]⋅x + [3], shape=[1])`; an offset of zeros is left out. */
export function printProjection(projection: Projection): string {
  const matrix = projection.map(({ coefficients }) => `[${coefficients.join(",")}]`).join(",");
  const offsets = projection.map(({ offset }) => offset);
  const shift = offsets.every((offset) => offset === 0) ? "" : ` + [${offsets.join(", ")}]`;
  const shape = projection.map(({ extent }) => extent).join(", ");
  return `ipf(affineMap=λx.[${matrix}]⋅x${shift}, shape=[${shape}])`;
}
