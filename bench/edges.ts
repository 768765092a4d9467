import { createMesh, type DimLayout, type Layout, wholeAxis } from "#core/mesh";

/** A change of a tensor from one layout to another. */
export interface Edge {
  readonly from: Layout;
  readonly to: Layout;
}

/** Shape of all tensors: every dim is divisible by all devices of the meshes here. */
export const shape: readonly number[] = [1024, 1024, 1024];

/** All ordered pairs of different layouts without partials on a mesh. */
export function allEdges(sizes: readonly number[]): readonly Edge[] {
  const mesh = meshOf(sizes);
  const start: readonly Layout[] = [wholeOn(mesh)];
  const layouts = mesh.axes.reduce(
    (known, { name }) => known.flatMap((layout) => placings(layout, name)),
    start,
  );
  return layouts.flatMap((from) =>
    layouts.filter((to) => to !== from).map((to): Edge => ({ from, to })),
  );
}

/** `count` random pairs of different layouts without partials, always the same ones. */
export function randomEdges(sizes: readonly number[], count: number): readonly Edge[] {
  const mesh = meshOf(sizes);
  const random = seeded(count);
  const layout = () =>
    mesh.axes.reduce((known, { name }) => {
      const choices = placings(known, name);
      return choices[Math.floor(random() * choices.length)] ?? known;
    }, wholeOn(mesh));
  const edges: Edge[] = [];
  while (edges.length < count) {
    const [from, to] = [layout(), layout()];
    if (JSON.stringify(from.dims) !== JSON.stringify(to.dims)) edges.push({ from, to });
  }
  return edges;
}

/** Layouts with one more axis, unused or at any position of any dim. */
function placings(layout: Layout, axis: string): readonly Layout[] {
  const part = wholeAxis(layout.mesh, axis);
  const cut = layout.dims.flatMap((dim, at) =>
    Array.from({ length: dim.parts.length + 1 }, (_, position): Layout => {
      const parts = dim.parts.toSpliced(position, 0, part);
      return { ...layout, dims: layout.dims.with(at, { ...dim, parts }) };
    }),
  );
  return [layout, ...cut];
}

function wholeOn(mesh: Layout["mesh"]): Layout {
  const dims = shape.map((): DimLayout => ({ parts: [], chunks: "flat" }));
  return { mesh, dims, partials: [] };
}

function meshOf(sizes: readonly number[]): Layout["mesh"] {
  const mesh = createMesh(sizes.map((size, at) => ({ name: `a${at}`, size })));
  if (!mesh.ok) throw new Error(`no mesh of ${sizes.join("×")}`);
  return mesh.value;
}

/** Numbers in [0, 1), determined by the seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
