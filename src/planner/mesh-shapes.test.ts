import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMachine, platformOf } from "#core/cost/machines";
import type { Link } from "#core/mesh";
import { type MeshShape, meshShapes } from "./mesh-shapes.ts";

const alike = (shape: MeshShape) => shape.map(() => undefined);

/** The links of a machine along axes of these lengths. */
function linksOn(text: string): (shape: MeshShape) => readonly (Link | undefined)[] {
  const machine = parseMachine(text);
  if (!machine.ok) throw new Error(text);
  return (shape) => {
    const axes = shape.map((size, at) => ({ name: `x${at}`, size }));
    return platformOf(machine.value)
      .link({ axes, devices: [] })
      .axes.map(({ link }) => link);
  };
}

const texts = (shapes: readonly MeshShape[]) => shapes.map((shape) => shape.join("×"));

test.each`
  devices | mostAxes | shapes
  ${1}    | ${3}     | ${[]}
  ${7}    | ${3}     | ${["7"]}
  ${8}    | ${1}     | ${["8"]}
  ${8}    | ${3}     | ${["8", "4×2", "2×2×2"]}
  ${12}   | ${3}     | ${["12", "6×2", "4×3", "3×2×2"]}
  ${2.5}  | ${3}     | ${[]}
`("$devices devices on equal links have the meshes $shapes", ({ devices, mostAxes, shapes }) => {
  expect(texts(meshShapes({ devices, mostAxes, linksOf: alike }))).toEqual(shapes);
});

test("within a node no order counts, across nodes it does", () => {
  const within = meshShapes({ devices: 8, mostAxes: 2, linksOf: linksOn("8xH100") });
  expect(texts(within)).toEqual(["8", "4×2"]);
  const across = meshShapes({ devices: 16, mostAxes: 2, linksOf: linksOn("2x8xH100") });
  expect(texts(across)).toEqual(["16", "8×2", "4×4", "2×8"]);
});

test("every shape has the devices, and no two are the same axes on the same links", () => {
  const machines = ["8xH100", "4x8xH100", "4x4x4 TPU v4"];
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 600 }),
      fc.constantFrom(...machines),
      (devices, machine) => {
        const linksOf = linksOn(machine);
        const shapes = meshShapes({ devices, mostAxes: 3, linksOf });
        const keys = shapes.map((shape) => {
          const links = linksOf(shape);
          return JSON.stringify(shape.map((size, at) => JSON.stringify([size, links[at]])).sort());
        });
        expect(new Set(keys).size).toBe(shapes.length);
        for (const shape of shapes) {
          expect(shape.reduce((product, size) => product * size, 1)).toBe(devices);
          expect(shape.every((size) => size >= 2)).toBe(true);
        }
      },
    ),
  );
});
