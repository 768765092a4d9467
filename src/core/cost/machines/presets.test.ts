import { expect, test } from "vitest";
import { hardwareOf, parseMachine } from "./machine.ts";
import { chips } from "./machines.ts";
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
  ${"4xH100"}        | ${4}
  ${"64xH100"}       | ${8}
  ${"12xH100"}       | ${6}
  ${"1x64xH100"}     | ${64}
  ${"16x4xH100"}     | ${4}
  ${"4x1xH100"}      | ${1}
  ${"36xGB200"}      | ${36}
  ${"144xGB200"}     | ${72}
  ${"2xCPU"}         | ${1}
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

test.each(["1x64xH100", "4x1xH100", "2x4x1xH100", "64xH100", "12xH100", "8xA100 40GB"])(
  "the name of %s reads as the same machine",
  (text) => {
    const machine = parseMachine(text);
    if (!machine.ok) throw new Error(text);
    expect(parseMachine(hardwareOf(machine.value).name)).toEqual(machine);
  },
);

test.each`
  text             | name
  ${"8x910B"}      | ${"8×Ascend 910B"}
  ${"ascend-910c"} | ${"Ascend 910C"}
  ${"4x4090"}      | ${"4×RTX 4090"}
  ${"2xcpu"}       | ${"2×Xeon 8480+"}
  ${"4x4 TPU7x"}   | ${"4×4 TPU v7"}
`("$text is $name", ({ text, name }) => {
  const machine = parseMachine(text);
  expect(machine.ok && hardwareOf(machine.value).name).toBe(name);
});

test("a machine without devices is none", () => {
  expect(parseMachine("0xH100").diagnostics[0]?.code).toBe("cost/unknown-hardware");
});

test("every device says where its figures are from, and its peaks are in order", () => {
  for (const chip of chips) {
    const { peaks, sources, basis, name } = chip;
    for (const source of Object.values(sources)) expect([name, source]).not.toEqual([name, ""]);
    const sixteen = peaks.bf16 ?? peaks.f16 ?? 0;
    expect([name, chip.flops]).toEqual([name, sixteen]);
    expect([name, (peaks.tf32 ?? 0) < sixteen]).toEqual([name, true]);
    expect([name, (peaks.f32 ?? 0) < sixteen]).toEqual([name, true]);
    expect([name, (peaks.f8 ?? sixteen) >= sixteen]).toEqual([name, true]);
    expect([name, basis === "measured"]).toEqual([name, name === "H100"]);
    expect([name, chip.within.bandwidth >= chip.between.bandwidth]).toEqual([name, true]);
  }
});

test("the figures of every device are of one scale: a GB where bytes belong is seen", () => {
  for (const { name, flops, memoryBytes, memoryBandwidth, within } of chips) {
    const secondsToRead = memoryBytes / memoryBandwidth;
    expect(secondsToRead, `${name} reads its memory`).toBeGreaterThan(0.01);
    expect(secondsToRead, `${name} reads its memory`).toBeLessThan(2);
    const operationsPerByte = flops / memoryBandwidth;
    expect(operationsPerByte, `${name} for each byte`).toBeGreaterThan(30);
    expect(operationsPerByte, `${name} for each byte`).toBeLessThan(1500);
    expect(within.bandwidth, `${name} to its neighbours`).toBeLessThan(memoryBandwidth);
    expect(within.bandwidth, `${name} to its neighbours`).toBeGreaterThan(memoryBandwidth / 100);
  }
});
