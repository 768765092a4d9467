import { describe, expect, test } from "vitest";
import type { DeviceMesh } from "#core/mesh";
import { hueOf, keepHues } from "./hue.ts";

function meshOf(...names: readonly string[]): DeviceMesh {
  return { axes: names.map((name) => ({ name, size: 1 })), devices: [] };
}

function huesOf(mesh: DeviceMesh): string {
  return mesh.axes.map(({ name }) => `${name} ${hueOf(mesh, name)}`).join(", ");
}

/** The hues after a sequence of mesh edits, each derived from the mesh before it. */
function edited(...meshes: readonly DeviceMesh[]): string {
  for (const [at, mesh] of meshes.entries()) {
    const before = meshes[at - 1];
    if (before !== undefined) keepHues(before, mesh);
  }
  const last = meshes.at(-1);
  return last === undefined ? "" : huesOf(last);
}

describe("hues of axes", () => {
  test("axes are coloured by their places at first", () => {
    expect(huesOf(meshOf("a", "b", "c"))).toBe("a 1, b 2, c 3");
  });

  test("axes that change places keep their hues, there and back", () => {
    expect(edited(meshOf("dp", "tp"), meshOf("tp", "dp"))).toBe("tp 2, dp 1");
    expect(edited(meshOf("tp", "dp"), meshOf("dp", "tp"))).toBe("dp 1, tp 2");
  });

  test("a new axis takes a hue that is free, wherever it stands", () => {
    expect(edited(meshOf("x", "y"), meshOf("z", "x", "y"))).toBe("z 3, x 1, y 2");
    expect(edited(meshOf("z", "x", "y"), meshOf("z", "y"))).toBe("z 3, y 2");
  });

  test("no two axes of a mesh share a hue while there are enough", () => {
    const meshes = [
      meshOf("p", "q", "r"),
      meshOf("r", "p"),
      meshOf("s", "r", "p"),
      meshOf("s", "t"),
    ];
    const hues = edited(...meshes).split(", ");
    expect(new Set(hues.map((each) => each.at(-1))).size).toBe(hues.length);
  });
});
