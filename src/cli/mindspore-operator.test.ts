import { expect, test } from "vitest";
import type { Arguments } from "./commands/answer.ts";
import { answerTo } from "./commands.ts";

const product: Arguments = {
  op: "MatMul",
  shapes: [
    [8, 4],
    [4, 6],
  ],
  device_num: 8,
  parameters: [1],
};

const tuples: Arguments = {
  ...product,
  strategies: [
    [2, 2],
    [2, 1],
  ],
};

test("it answers matrix, maps, slices, copies and collectives", () => {
  expect(answerTo("mindspore-operator", { ...tuples, out_strategy: [[4, 1]], rank: 1 })).toEqual({
    ok: true,
    device_matrix: [2, 2, 1, 2],
    input_maps: [
      [3, 2],
      [2, 1],
    ],
    output_maps: [[2, 1]],
    output_matrix: [4, 1, 2],
    input_slices: [
      [4, 2],
      [2, 6],
    ],
    output_slices: [[2, 6]],
    repeated: 2,
    forward: [{ primitive: "ReduceScatter", group: [1, 3] }],
    mirror: [{ input: 1, primitive: "_MirrorOperator", group: [0, 1, 4, 5] }],
    diagnostics: [],
  });
});

const layouts: Arguments = {
  ...product,
  layout: { device_matrix: [2, 2, 2], alias_name: ["dp", "sp", "mp"] },
  layouts: ['layout("dp", "sp")', 'layout("sp", "mp")'],
};

test("it reads Layouts as Python does", () => {
  expect(
    answerTo("mindspore-operator", { ...layouts, out_strategy: 'layout(("dp", "sp"), "mp")' }),
  ).toMatchObject({
    ok: true,
    input_maps: [
      [2, 1],
      [1, 0],
    ],
    output_maps: [[[2, 1], 0]],
    forward: [{ primitive: "ReduceScatter", group: [0, 2] }],
  });
});

test.each([
  [{ ...layouts, layouts: ['layout("dp", "tp")', 'layout("sp", "mp")'] }, "ValueError", "tp"],
  [{ ...layouts, layouts: ['layout("dp", ("sp", "dp"))', 'layout("sp")'] }, "ValueError", "dp"],
  [
    { ...layouts, layout: { device_matrix: [2], alias_name: ["dp", "sp"] } },
    "ValueError",
    "length",
  ],
  [{ ...layouts, layouts: ["3", "4"] }, undefined, '"layouts" must be calls'],
  [{ ...layouts, layouts: ["layout(", "4"] }, "SyntaxError", ""],
  [{ ...layouts, layouts: [3] }, undefined, '"layouts" must be a list of calls'],
  [{ ...layouts, layout: 3 }, undefined, '"layout" must have'],
  [{ ...tuples, out_strategy: [] }, "RuntimeError", "one tuple"],
  [{ ...product, out_strategy: [[8, 1]] }, "ValueError", "in_strategy"],
  [{ ...tuples, strategies: [["2"]] }, undefined, '"strategies" must be'],
  [{ ...tuples, out_strategy: 3 }, undefined, '"out_strategy" must be'],
  [{ ...tuples, op: 3 }, undefined, '"op" must be'],
  [{ ...tuples, shapes: [[0]] }, undefined, '"shapes" must be'],
  [{ ...tuples, attributes: [] }, undefined, '"attributes" must be'],
  [{ ...tuples, arguments: 3 }, undefined, '"arguments" must be'],
  [{ ...tuples, parameters: [2] }, undefined, '"parameters" must be'],
  [{ ...tuples, device_num: 0 }, undefined, '"device_num" must be'],
  [{ ...tuples, device_num: 1e9 }, undefined, "1000000000 devices; at most 65536"],
  [{ ...tuples, rank: 8 }, undefined, '"rank" must be a whole number below 8'],
  [{ ...tuples, device_num: 2 }, "RuntimeError", "requires 4 devices"],
])("it refuses %j", (args, upstream, message) => {
  const answer = answerTo("mindspore-operator", args);
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
  expect(answer.ok).toBe(false);
  expect(errors[0]?.upstream).toBe(upstream);
  expect(errors[0]?.message).toContain(message);
});
