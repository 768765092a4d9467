import fc from "fast-check";
import { createMesh, type DeviceMesh, type Layout, type Part, parseLayout } from "#core/mesh";

/** A mesh from text such as `dp=2,mp=4`, with devices 0, 1, 2, … */
export function meshOf(text: string): DeviceMesh {
  const axes = text.split(",").map((axis) => {
    const [name = "", size = "1"] = axis.split("=");
    return { name, size: Number(size) };
  });
  const made = createMesh(axes);
  if (!made.ok) throw new Error(`no mesh: ${text}`);
  return made.value;
}

/** A layout parsed from text on a mesh parsed from text. */
export function layoutOf(mesh: string, text: string): Layout {
  const parsed = parseLayout(text, meshOf(mesh));
  if (!parsed.ok) throw new Error(`no layout: ${text}`);
  return parsed.value;
}

/** A tensor's shape with a layout that fits it. */
export interface Laid {
  readonly layout: Layout;
  readonly shape: readonly number[];
}

/** Any layout of a tensor of rank 0 to 4 on up to three axes, even or uneven, with partials. */
export const laid: fc.Arbitrary<Laid> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    shape: fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 4 }),
    places: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ sizes, shape, places }) => laidOn(sizes, shape, places));

/** Like `laid`, but every dim divides evenly. */
export const evenlyLaid: fc.Arbitrary<Laid> = laid.map(({ layout, shape }) => ({
  layout,
  shape: shape.map((size) => size * 144),
}));

const names = ["dp", "sp", "mp"];

/**
 * Mesh axis i shards dim `places[i]`, is partial if `places[i]` is one past the last dim, else
 * replicates.
 */
function laidOn(
  sizes: readonly number[],
  shape: readonly number[],
  places: readonly number[],
): Laid {
  const axes = sizes.map((size, at) => ({ name: names[at] ?? "xp", size }));
  const made = createMesh(axes);
  if (!made.ok) throw new Error("no mesh");
  const part = (at: number): Part => {
    const { name = "", size = 1 } = axes[at] ?? {};
    return { kind: "axis", axis: name, before: 1, size };
  };
  const at = axes.map((_, axis) => axis);
  const dims = shape.map((_, dim) => ({
    parts: at.filter((axis) => places[axis] === dim).map(part),
    chunks: "flat" as const,
  }));
  const partials = at
    .filter((axis) => places[axis] === shape.length)
    .map((axis) => ({ part: part(axis), reduce: "sum" as const }));
  return { layout: { mesh: made.value, dims, partials }, shape };
}

/** Number of runs of a property; 20 times more in a soak. */
export function runs(count: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: 1, numRuns: process.env.SOAK ? count * 20 : count };
}
