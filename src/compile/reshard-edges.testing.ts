import fc from "fast-check";

/** A program that mostly has one redistribution of `t`, and the `reshard` line to append. */
export interface EdgeProgram {
  readonly text: string;
  readonly shape: readonly number[];
}

interface Mesh {
  readonly axes: readonly (readonly [name: string, size: number])[];
  /** Dim sizes, some divisible by all axes together and some not. */
  readonly sizes: readonly number[];
}

const meshes: readonly Mesh[] = [
  { axes: [["x", 4]], sizes: [4, 8, 6] },
  {
    axes: [
      ["x", 2],
      ["y", 2],
    ],
    sizes: [4, 8, 16],
  },
  {
    axes: [
      ["x", 4],
      ["y", 2],
    ],
    sizes: [8, 16],
  },
  {
    axes: [
      ["x", 2],
      ["y", 3],
    ],
    sizes: [6, 12],
  },
  {
    axes: [
      ["x", 2],
      ["y", 2],
      ["z", 2],
    ],
    sizes: [8, 16],
  },
];

const names = ["a", "b", "c"];

/** Axes in some order, each on a dim or on none. */
function cuts(axes: readonly string[], rank: number) {
  const order = fc.shuffledSubarray([...axes], { minLength: axes.length });
  const dims = fc.array(fc.integer({ min: -1, max: rank - 1 }), {
    minLength: axes.length,
    maxLength: axes.length,
  });
  return fc
    .tuple(order, dims)
    .map(([list, at]) =>
      Array.from({ length: rank }, (_, dim) => list.filter((_, index) => at[index] === dim)),
    );
}

function written(axes: readonly string[]): string {
  if (axes.length === 0) return '"None"';
  return axes.length === 1 ? `"${axes[0]}"` : `(${axes.map((axis) => `"${axis}"`).join(", ")})`;
}

function strategy(name: string, keys: readonly string[], lists: readonly (readonly string[])[]) {
  const words = keys.flatMap((key, at) =>
    (lists[at] ?? []).length === 0 ? [] : [`${key}=${written(lists[at] ?? [])}`],
  );
  return words.length === 0 ? "" : `strategy(${name}, ${words.join(", ")})\n`;
}

function meshText({ axes }: Mesh): string {
  return `mesh = Mesh(${axes.map(([name, size]) => `${name}=${size}`).join(", ")})\n`;
}

/** A tensor that rests in one layout and is read in another. */
function placedEdges(mesh: Mesh): fc.Arbitrary<EdgeProgram> {
  const axes = mesh.axes.map(([name]) => name);
  return fc.integer({ min: 1, max: 3 }).chain((rank) => {
    const shapes = fc.array(fc.constantFrom(...mesh.sizes), { minLength: rank, maxLength: rank });
    return fc.tuple(shapes, cuts(axes, rank), cuts(axes, rank)).map(([shape, from, to]) => {
      const sizes = `(${shape.join(", ")},)`;
      const place = `place(t, layout(${from.map(written).join(", ")}))\n`;
      const keys = names.slice(0, rank);
      const note = `# annotation: ${keys.join(" ")} -> ${keys.join(" ")}\ndef keep(x):\n    return x\n`;
      const text = `${meshText(mesh)}${note}t = Tensor(${sizes}, "f32")\nu = keep(t)\n${place}${strategy("u", keys, to)}`;
      return { text, shape };
    });
  });
}

/** A tensor, mostly a partial sum, that is read in another layout. */
function summedEdges(mesh: Mesh): fc.Arbitrary<EdgeProgram> {
  const axes = mesh.axes.map(([name]) => name);
  const shapes = fc.array(fc.constantFrom(...mesh.sizes), { minLength: 3, maxLength: 3 });
  return fc.tuple(shapes, cuts(axes, 3), cuts(axes, 2)).map(([[m = 8, k = 8, n = 8], of, to]) => {
    const text = `${meshText(mesh)}p = Tensor((${m}, ${k}), "f32")\nq = Tensor((${k}, ${n}), "f32")\nt = matmul(p, q)\nu = neg(t)\n${strategy("t", ["m", "k", "n"], of)}${strategy("u", ["m", "n"], to)}`;
    return { text, shape: [m, n] };
  });
}

/** Programs around random edges, some of them uneven and some from partial sums. */
export const edgePrograms: fc.Arbitrary<EdgeProgram> = fc
  .tuple(fc.constantFrom(...meshes), fc.boolean())
  .chain(([mesh, isSum]) => (isSum ? summedEdges(mesh) : placedEdges(mesh)));
