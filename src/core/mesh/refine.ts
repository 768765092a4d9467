import { type Layout, type Part, partsCoexist } from "./layout.ts";
import type { AxisName } from "./mesh.ts";

/**
 * The parts of the mesh that neither cut a dim nor are partial: along them devices hold the same.
 * In mesh order, major first; parts of one device are left out.
 */
export function replicationOf(layout: Layout): readonly Part[] {
  const used = axisPartsOf(layout);
  return layout.mesh.axes.flatMap(({ name, size }) => freeParts(name, size, used));
}

/**
 * The parts of a layout that lie on mesh axes: those of the dims in order, then the partial ones.
 */
export function axisPartsOf(layout: Layout): readonly Extract<Part, { kind: "axis" }>[] {
  const parts = [...layout.dims.flatMap((dim) => dim.parts), ...layout.partials.map((p) => p.part)];
  return parts.filter((part) => part.kind === "axis");
}

/**
 * The same layout with every part cut where one of `others` begins or ends: `x` of size 8 beside
 * `x:(2)2` becomes `x:(1)2*x:(2)2*x:(4)2`. Blocks stay the same for flat dims; nested ones keep
 * their levels. `undefined` when a part and one of `others` have no common refinement.
 */
export function refineLayout(layout: Layout, others: readonly Part[]): Layout | undefined {
  const dims = layout.dims.map((dim) =>
    dim.chunks === "nested" ? dim : { ...dim, parts: dim.parts.flatMap((p) => cut(p, others)) },
  );
  const partials = layout.partials.flatMap(({ part, reduce }) =>
    cut(part, others).map((piece) => ({ part: piece, reduce })),
  );
  const refined = { mesh: layout.mesh, dims, partials };
  const fits = axisPartsOf(refined).every((part) =>
    others.every((other) => partsCoexist(part, other) || isWithin(part, other)),
  );
  return fits ? refined : undefined;
}

/** A part in the pieces that the edges of others make of it, major first. */
function cut(part: Part, others: readonly Part[]): readonly Part[] {
  if (part.kind === "pieces") return [part];
  const [first, last] = [part.before, part.before * part.size];
  const edges = others.flatMap((other) =>
    other.kind === "axis" && other.axis === part.axis
      ? [other.before, other.before * other.size]
      : [],
  );
  const inside = [...new Set([first, ...edges.filter((at) => at > first && at < last)])].sort(
    (a, b) => a - b,
  );
  const stops = [...inside.slice(1), last];
  const isChain = inside.every((at, piece) => (stops[piece] ?? at) % at === 0);
  if (!isChain) return [part];
  return inside.map((at, piece) => ({ ...part, before: at, size: (stops[piece] ?? at) / at }));
}

function isWithin(inner: Part, outer: Part): boolean {
  if (inner.kind === "pieces" || outer.kind === "pieces") return false;
  const [innerEnd, outerEnd] = [inner.before * inner.size, outer.before * outer.size];
  return inner.before % outer.before === 0 && outerEnd % innerEnd === 0;
}

function freeParts(
  name: AxisName,
  size: number,
  used: readonly Extract<Part, { kind: "axis" }>[],
): readonly Part[] {
  const taken = used.filter((part) => part.axis === name).sort((a, b) => a.before - b.before);
  const starts = [1, ...taken.map((part) => part.before * part.size)];
  const stops = [...taken.map((part) => part.before), size];
  return starts.flatMap((before, at): Part[] => {
    const free = (stops[at] ?? before) / before;
    return free > 1 ? [{ kind: "axis", axis: name, before, size: free }] : [];
  });
}
