import { expect, test } from "vitest";
import { netText, shortly } from "./emitted.testing.ts";

// Compilations by MindSpore 2.10 for each rank of a ring: S is a Send, R a Receive.
test.each`
  devices | rank | steps
  ${2}    | ${0} | ${"SRS"}
  ${2}    | ${1} | ${"RSR"}
  ${4}    | ${0} | ${"SRSSRSS"}
  ${4}    | ${1} | ${"RSRSSRS"}
  ${4}    | ${2} | ${"SRSRRSR"}
  ${4}    | ${3} | ${"RSRRSRR"}
  ${8}    | ${0} | ${"SRSSRSSSRSSSRSS"}
  ${8}    | ${3} | ${"RSRSRSRSRSRSSRS"}
  ${8}    | ${4} | ${"SRSRSRSRSRSRRSR"}
  ${8}    | ${7} | ${"RSRRSRRRSRRRSRR"}
`("rank $rank of a flash ring of $devices sends and receives as often as $steps", (row) => {
  const { devices, rank, steps } = row;
  const cut = `(1, ${devices}, 1)`;
  const text = netText({
    before: "from mindspore.ops.operations.nn_ops import FlashAttentionScore",
    primitives: [
      `FlashAttentionScore(head_num=8, input_layout="BSH").shard((${cut}, ${cut}, ${cut})).add_prim_attr("enable_flash_sp", True)`,
    ],
    inputs: Array.from({ length: 3 }, () => [4, 64, 256, "float16"]),
    construct: "return self.p0(x, y, z, None, None, None, None, None)[3]",
    devices,
  });
  const { operators, collectives } = shortly(text, rank);
  const count = (of: string, letter: string) => of.split(letter).length - 1;
  const all = collectives.join(" ");
  expect(operators).toHaveLength(devices + 1);
  expect([count(all, "Send"), count(all, "Receive")]).toEqual([
    count(steps, "S"),
    count(steps, "R"),
  ]);
});
