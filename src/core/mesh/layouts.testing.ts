import fc from "fast-check";
import { product } from "#core/arithmetic";
import type { Checked } from "#core/diagnostics";
import { createMesh, type DeviceMesh, type DimLayout, type Layout, type Part } from "./index.ts";

/** The value of a check that must pass in a test. */
export function passedValue<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw new Error(checked.diagnostics.map(({ message }) => message).join("; "));
}

/** Meshes of up to three axes, with permuted ids in half of the cases. */
export const anyMesh: fc.Arbitrary<DeviceMesh> = fc
  .array(fc.constantFrom<number>(1, 2, 3, 4, 6), { minLength: 0, maxLength: 3 })
  .filter((sizes) => product(sizes) <= 36)
  .chain((sizes) => {
    const axes = sizes.map((size, at) => ({ name: "xyz".charAt(at), size }));
    const count = product(sizes);
    const ids = Array.from({ length: count }, (_, id) => id);
    const order = fc.shuffledSubarray(ids, { minLength: count, maxLength: count });
    return fc
      .oneof(fc.constant(ids), order)
      .map((devices) => passedValue(createMesh(axes, devices)));
  });

/** Layouts with any legal mixture of parts, with a shape that they fit. */
export const layoutAndShape: fc.Arbitrary<{
  readonly layout: Layout;
  readonly shape: readonly number[];
}> = fc
  .tuple(
    anyMesh,
    fc.integer({ min: 0, max: 3 }),
    fc.infiniteStream(fc.nat(1000)),
    fc.constantFrom<DimLayout["chunks"]>("flat", "nested"),
  )
  .map(([mesh, rank, numbers, chunks]) => {
    const draw = (below: number) => Number(numbers.next().value) % below;
    const shape = Array.from({ length: rank }, () => draw(11));
    return { layout: drawLayout(mesh, shape, chunks, draw), shape };
  });

type Draw = (below: number) => number;

function drawLayout(
  mesh: DeviceMesh,
  shape: readonly number[],
  chunks: DimLayout["chunks"],
  draw: Draw,
): Layout {
  const pool = mesh.axes.flatMap(({ name, size }) => drawParts(name, size, draw));
  const places = pool.map((part) => ({ part, place: draw(shape.length + 2), order: draw(100) }));
  const at = (place: number) =>
    places
      .filter((one) => one.place === place)
      .sort((a, b) => a.order - b.order)
      .map((one) => one.part);
  const reduce = (["sum", "max", "min", "prod", "avg"] as const)[draw(5)] ?? "sum";
  return {
    mesh,
    dims: shape.map((size, dim) => drawDim(at(dim), size, chunks, draw)),
    partials: at(shape.length).map((part) => ({ part, reduce })),
  };
}

function drawParts(axis: string, size: number, draw: Draw): readonly Part[] {
  const whole: Part = { kind: "axis", axis, before: 1, size };
  const inner = { 4: 2, 6: draw(2) === 0 ? 2 : 3 }[size];
  if (inner === undefined || draw(2) === 0) return [whole];
  return [
    { kind: "axis", axis, before: 1, size: inner },
    { kind: "axis", axis, before: inner, size: size / inner },
  ];
}

function drawDim(
  axes: readonly Part[],
  size: number,
  chunks: DimLayout["chunks"],
  draw: Draw,
): DimLayout {
  const parts = [...axes];
  if (draw(4) === 0) parts.splice(draw(parts.length + 1), 0, { kind: "pieces", count: 2 });
  const count = parts.reduce((n, part) => n * (part.kind === "axis" ? part.size : part.count), 1);
  if (parts.length === 0 || draw(4) > 0) return { parts, chunks };
  const edges = Array.from({ length: count - 1 }, () => draw(size + 1)).sort((a, b) => a - b);
  const sizes = [...edges, size].map((edge, i) => edge - (edges[i - 1] ?? 0));
  return { parts, sizes, chunks };
}
