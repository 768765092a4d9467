import fc from "fast-check";
import { createMesh, type DeviceMesh, type Layout, type Part, parseLayout } from "#core/mesh";

/** A mesh from its text form without devices: `x=2,y=4`. */
export function meshOf(text: string, devices?: readonly number[]): DeviceMesh {
  const axes = text.split(",").map((axis) => {
    const [name = "", size = "1"] = axis.split("=");
    return { name, size: Number(size) };
  });
  const mesh = createMesh(axes, devices);
  if (!mesh.ok) throw new Error(`bad mesh ${text}`);
  return mesh.value;
}

/** A layout from its text. */
export function layoutFrom(text: string, mesh: DeviceMesh): Layout {
  const layout = parseLayout(text, mesh);
  if (!layout.ok) throw new Error(`bad layout ${text}`);
  return layout.value;
}

/** Layouts of a mesh: every part of the axes on a random dim, partial, or nowhere. */
export function layoutsOn(
  mesh: DeviceMesh,
  rank: number,
  { partial = false, subAxes = false }: { partial?: boolean; subAxes?: boolean } = {},
): fc.Arbitrary<Layout> {
  const parts = mesh.axes.flatMap(({ name, size }): Part[] => {
    const whole: Part = { kind: "axis", axis: name, before: 1, size };
    if (!subAxes || size !== 4) return [whole];
    return [
      { ...whole, size: 2 },
      { ...whole, before: 2, size: 2 },
    ];
  });
  return fc
    .tuple(
      fc.shuffledSubarray(parts, { minLength: parts.length }),
      fc.array(fc.integer({ min: partial ? -2 : -1, max: rank - 1 }), {
        minLength: parts.length,
        maxLength: parts.length,
      }),
    )
    .map(([order, places]) => ({
      mesh,
      dims: Array.from({ length: rank }, (_, dim) => ({
        parts: order.filter((_, at) => places[at] === dim),
        chunks: "flat" as const,
      })),
      partials: order
        .filter((_, at) => places[at] === -2)
        .map((part) => ({ part, reduce: "sum" as const })),
    }));
}
