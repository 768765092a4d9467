import { expect, test } from "vitest";
import { testMesh } from "../plan/graph.testing.ts";
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
});

test("a torus has rings where an axis closes, else lines", () => {
  const mesh = linkedMesh(machine("4x2x8 TPU v5p"), testMesh({ x: 4, y: 2, z: 8 }));
  expect(mesh.axes.map(({ link }) => link?.fabric)).toEqual(["ring", "line", "ring"]);
});
