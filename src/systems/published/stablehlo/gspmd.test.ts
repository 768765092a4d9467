import fc from "fast-check";
import { expect, test } from "vitest";
import { tiledMesh } from "./gspmd.ts";

const meshOf = (...shardings: readonly string[]) => {
  const mesh = tiledMesh(shardings);
  return mesh && { axes: mesh.axes.map(([, size]) => size), dims: shardings.map(mesh.namesOf) };
};

test.each`
  shardings                                                                             | axes         | dims
  ${["{devices=[2,4]<=[8]}"]}                                                           | ${[2, 4]}    | ${[[["axis_0"], ["axis_1"]]]}
  ${["{devices=[8,1]<=[8]}", "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"]} | ${[2, 4]}    | ${[[["axis_0", "axis_1"], []], [[], ["axis_1"]]]}
  ${["{devices=[4,2]<=[2,4]T(1,0)}"]}                                                   | ${[2, 4]}    | ${[[["axis_1"], ["axis_0"]]]}
  ${["{devices=[1,2]0,1}", "{replicated}"]}                                             | ${[2]}       | ${[[[], ["axis_0"]], []]}
  ${["{devices=[2,2,2]<=[8] last_tile_dims={replicated}}"]}                             | ${[2, 2, 2]} | ${[[["axis_0"], ["axis_1"]]]}
`("$shardings lie on a mesh of $axes", ({ shardings, axes, dims }) => {
  expect(meshOf(...shardings)).toEqual({ axes, dims });
});

test.each([
  ["{maximal device=0}"],
  ["{devices=[2]1,0}"],
  ["{devices=[2,4]<=[8] last_tile_dims={manual}}"],
  ["{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"],
  ["{devices=[99999999,99999999]<=[8]}"],
])("%s has no mesh", (...shardings) => {
  expect(tiledMesh(shardings)).toBeUndefined();
});

test("each device has the tile that the file's list gives it", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.nat()), fc.nat(3), (shape, stream, merges) => {
      const order = shape.map((_, at) => at);
      order.sort((a, b) => keyOf(stream, a) - keyOf(stream, b) || a - b);
      const tile: number[] = order.map((at) => shape[at] ?? 1);
      for (let times = 0; times < merges && tile.length > 1; times += 1) {
        tile.splice(0, 2, (tile[0] ?? 1) * (tile[1] ?? 1));
      }
      const count = shape.reduce((product, size) => product * size, 1);
      const text = `{devices=[${tile}]<=[${shape}]T(${order})}`;
      const mesh = tiledMesh([text]);
      if (count < 2) expect(mesh).toBeUndefined();
      else expect(tilesBy(mesh, text, count)).toEqual(tilesOf(shape, order, tile, count));
    }),
    { seed: 2, numRuns: 300 },
  );
});

const keys = new WeakMap<object, number[]>();
function keyOf(stream: fc.Stream<number>, at: number): number {
  const known = keys.get(stream) ?? [...stream.take(8)];
  keys.set(stream, known);
  return known[at] ?? 0;
}

/** The tile of each device, from the device list of the file. */
function tilesOf(
  shape: readonly number[],
  order: readonly number[],
  tile: readonly number[],
  count: number,
) {
  const found: number[][] = [];
  for (let at = 0; at < count; at += 1) {
    const turned = coordinatesOf(
      at,
      order.map((each) => shape[each] ?? 1),
    );
    const own = shape.map((_, dim) => turned[order.indexOf(dim)] ?? 0);
    const device = own.reduce((sum, each, dim) => sum * (shape[dim] ?? 1) + each, 0);
    found[device] = coordinatesOf(at, tile);
  }
  return found;
}

/** The tile of each device, from the mesh axes that cut each dim. */
function tilesBy(mesh: ReturnType<typeof tiledMesh>, text: string, count: number) {
  const axes = mesh?.axes ?? [];
  const dims = mesh?.namesOf(text) ?? [];
  return Array.from({ length: count }, (_, device) => {
    const places = coordinatesOf(
      device,
      axes.map(([, size]) => size),
    );
    const at = new Map(axes.map(([name], index) => [name, places[index] ?? 0]));
    const sizes = new Map(axes);
    return dims.map((names) =>
      names.reduce((sum, name) => sum * (sizes.get(name) ?? 1) + (at.get(name) ?? 0), 0),
    );
  });
}

function coordinatesOf(index: number, shape: readonly number[]): number[] {
  let left = index;
  return [...shape]
    .reverse()
    .map((size) => {
      const own = left % size;
      left = (left - own) / size;
      return own;
    })
    .reverse();
}
