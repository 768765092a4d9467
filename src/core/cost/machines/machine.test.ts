import { expect, test } from "vitest";
import { testMesh } from "../../plan/graph.testing.ts";
import { hardwareOf, linkedMesh, machineSize, parseMachine } from "./machine.ts";

function machine(text: string) {
  const parsed = parseMachine(text);
  if (!parsed.ok) throw new Error(parsed.diagnostics[0]?.message);
  return parsed.value;
}

test.each`
  text               | name               | size
  ${"8xH100"}        | ${"8×H100"}        | ${8}
  ${"32x8xH100"}     | ${"32×8×H100"}     | ${256}
  ${"4x4x8 TPU v5p"} | ${"4×4×8 TPU v5p"} | ${128}
  ${"16x16xTPU v5e"} | ${"16×16 TPU v5e"} | ${256}
  ${"h200"}          | ${"H200"}          | ${undefined}
  ${"8 x mi300x"}    | ${"8×MI300X"}      | ${8}
`("$text is $name", ({ text, name, size }) => {
  expect(hardwareOf(machine(text)).name).toBe(name);
  expect(machineSize(machine(text))).toBe(size);
});

test("an unknown machine is refused with the ones that are known", () => {
  const [fault] = parseMachine("8xH1000").diagnostics;
  expect(fault?.message).toContain('"8xH1000" names no known machine');
  expect(fault?.message).toContain("TPU v5p");
});

test("the axes inside a node have the fast link, those between nodes the slow one", () => {
  const mesh = linkedMesh(machine("4x8xH100"), testMesh({ dp: 4, tp: 8 }));
  expect(mesh.axes.map(({ link }) => link?.bandwidth)).toEqual([50e9, 450e9]);
  const across = linkedMesh(machine("4x8xH100"), testMesh({ dp: 2, tp: 16 }));
  expect(across.axes.map(({ link }) => link?.bandwidth)).toEqual([50e9, 50e9]);
  expect(across.axes.map(({ link }) => link?.fabric)).toEqual(["switch", "two-level"]);
});

test("64 of one kind are eight nodes of eight, with what that does to their links", () => {
  const links = (text: string) =>
    linkedMesh(machine(text), testMesh({ dp: 8, tp: 8 })).axes.map(({ link }) => link?.bandwidth);
  expect(links("64xH100")).toEqual(links("8x8xH100"));
  expect(links("1x64xH100")).toEqual([450e9, 450e9]);
});

test.each`
  mesh                     | levels
  ${{ all: 32 }}           | ${["4 × 8"]}
  ${{ dp: 16, tp: 2 }}     | ${["4 × 4", undefined]}
  ${{ dp: 4, tp: 8 }}      | ${[undefined, undefined]}
  ${{ dp: 8, tp: 4 }}      | ${["4 × 2", undefined]}
  ${{ dp: 2, x: 2, y: 8 }} | ${[undefined, undefined, undefined]}
  ${{ dp: 8, tp: 3 }}      | ${[undefined, undefined]}
`("of $mesh on nodes of 8 the axes of whole nodes have two levels", ({ mesh, levels }) => {
  const { axes } = linkedMesh(machine("4x8xH100"), testMesh(mesh));
  const levelsOf = axes.map(
    ({ link }) => link?.inner && `${link.inner.nodes} × ${link.inner.devices}`,
  );
  expect(levelsOf).toEqual(levels);
  for (const { link, size } of axes) {
    if (link?.inner) expect(link.inner.nodes * link.inner.devices).toBe(size);
  }
});

test("a torus has rings where an axis closes, else lines", () => {
  const mesh = linkedMesh(machine("4x2x8 TPU v5p"), testMesh({ x: 4, y: 2, z: 8 }));
  expect(mesh.axes.map(({ link }) => link?.fabric)).toEqual(["ring", "line", "ring"]);
});
