import { expect, test } from "vitest";
import { hardwareOf, parseMachine } from "./machine.ts";
import { machinePresets, nearestMachine } from "./presets.ts";

test("every preset is a machine, and its name reads as the same machine", () => {
  for (const text of machinePresets) {
    const machine = parseMachine(text);
    expect(machine.ok, text).toBe(true);
    if (!machine.ok) continue;
    expect(parseMachine(hardwareOf(machine.value).name)).toEqual(machine);
  }
});

test.each`
  text               | node
  ${"8xH100"}        | ${8}
  ${"32x8xH100"}     | ${8}
  ${"4x4xH100"}      | ${4}
  ${"H100"}          | ${8}
  ${"72xGB200"}      | ${72}
  ${"4x4x8 TPU v5p"} | ${undefined}
`("a node of $text has $node devices", ({ text, node }) => {
  const machine = parseMachine(text);
  expect(machine.ok && hardwareOf(machine.value).node).toBe(node);
});

test.each`
  text              | meant
  ${"8xH1000"}      | ${"8xH100"}
  ${"32x8xh10"}     | ${"32x8xH100"}
  ${"4x4x8 TPUv5"}  | ${"4x4x8 TPU v5e"}
  ${"A-1000"}       | ${"A100"}
  ${"16x16 tpu v6"} | ${"16x16 TPU v6e"}
  ${""}             | ${"V100"}
`("$text is taken for $meant", ({ text, meant }) => {
  expect(nearestMachine(text)).toBe(meant);
});
