import { axisPartsOf, type Layout, type Part, partsOfMatrix } from "#core/mesh";
import type { MappedTensor } from "./redistribution/flat-layout.ts";

/**
 * The layout as a tensor map on a device matrix; `undefined` for partial sums, uneven or explicit
 * pieces, which MindSpore cannot express.
 */
export function mappedTensor(layout: Layout, shape: readonly number[]): MappedTensor | undefined {
  const { mesh, dims, partials } = layout;
  const isPlain = dims.every(
    (dim) => dim.sizes === undefined && dim.parts.every(({ kind }) => kind === "axis"),
  );
  if (!isPlain || partials.length > 0) return undefined;
  const used = axisPartsOf(layout);
  const deviceMatrix = mesh.axes.flatMap(({ name, size }) => {
    const edges = used.filter(({ axis }) => axis === name).flatMap(edgesOf);
    const stops = [...new Set([1, ...edges, size])].sort((a, b) => a - b);
    return size === 1 ? [1] : stops.slice(1).map((stop, at) => stop / (stops[at] ?? 1));
  });
  const owners = partsOfMatrix(mesh, deviceMatrix);
  if (owners === undefined) return undefined;
  const axesOf = (part: Part) =>
    owners.flatMap(([owner], at) => {
      return owner !== undefined && isWithin(owner, part) ? [deviceMatrix.length - 1 - at] : [];
    });
  return { deviceMatrix, tensorMap: dims.map((dim) => dim.parts.flatMap(axesOf)), shape };
}

function edgesOf({ before, size }: { readonly before: number; readonly size: number }) {
  return [before, before * size];
}

function isWithin(inner: Part, outer: Part): boolean {
  if (inner.kind === "pieces" || outer.kind === "pieces" || inner.axis !== outer.axis) return false;
  const isBehind = inner.before >= outer.before;
  return isBehind && inner.before * inner.size <= outer.before * outer.size;
}
