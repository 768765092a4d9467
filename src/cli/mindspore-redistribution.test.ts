import { expect, test } from "vitest";
import type { Arguments } from "./commands/answer.ts";
import { answerTo } from "./commands.ts";

const rows = { device_matrix: [4], tensor_map: [0, -1], tensor_shape: [64, 32] };
const whole = { ...rows, tensor_map: [-1, -1] };

test("it answers operators, primitives, slices, costs and the lists of a rank", () => {
  expect(answerTo("mindspore-redistribution", { from: rows, to: whole, rank: 1 })).toEqual({
    ok: true,
    operators: [{ op: "ConcatByAxis", args: [0, 0, 4] }],
    primitives: ["AllGather"],
    slice_from: [16, 32],
    slice_to: [64, 32],
    cost: { forward: 1024, backward: 256, computation: 1024, memory: 2560 },
    raw: [["AllConcat", [0, 1, 2, 3, 0]]],
    clean: "same as raw",
    emitted: [["AllGather", "WORLD_GROUP"]],
    diagnostics: [],
  });
});

test("the clean-up pass of the compiler can be left out", () => {
  const [from, to] = [
    { device_matrix: [2, 2], tensor_map: [[1, 0], -1], tensor_shape: [16, 8] },
    { device_matrix: [2, 2], tensor_map: [-1, -1], tensor_shape: [16, 8] },
  ];
  const emitted = (cleanup: boolean) => {
    const answer = answerTo("mindspore-redistribution", { from, to, rank: 0, cleanup });
    return Array.isArray(answer.emitted) ? answer.emitted.map(([name]) => name).join(" ") : "";
  };
  expect(emitted(false)).toBe("Reshape AllGather AllGather Split Concat Reshape");
  expect(emitted(true)).toBe("AllGather Reshape AllGather Reshape");
});

const good = { from: rows, to: whole };
const bad = (change: object): Arguments => ({ ...good, to: { ...whole, ...change } });

test.each([
  [{ ...good, to: 3 }, '"from" and "to" must have device_matrix'],
  [{ ...good, rank: 4 }, '"rank" must be a whole number below 4'],
  [{ ...good, alltoall: 1 }, '"alltoall" must be true or false'],
  [bad({ tensor_shape: [64, 16] }), "2048 elements cannot become 1024"],
  [bad({ device_matrix: [8] }), "4 devices cannot become 8"],
  [bad({ tensor_map: [0] }), "the tensor map has 1 entries for 2 dims"],
  [bad({ tensor_map: [1, -1] }), "the device matrix has no axis 1"],
  [bad({ tensor_map: [0, 0] }), "the device axis 0 splits more than one dim"],
  [
    bad({ tensor_map: [0, -1], tensor_shape: [2, 1024] }),
    "dim 0 of 2 elements cannot be cut into 4",
  ],
  [bad({ device_matrix: [0] }), "the device matrix must have sizes of 1 or more"],
])("it refuses %j: %s", (args, message) => {
  const answer = answerTo("mindspore-redistribution", args);
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics[0]?.message).toContain(message);
});
