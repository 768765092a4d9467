import { expect, test } from "vitest";
import { modelOperator } from "./model-operator.ts";
import { callOf, layoutModelOf, modelOf, toldOf } from "./operators.testing.ts";

const batched = [
  [8, 16, 32],
  [8, 32, 64],
];

// mindspore.md §5.1
test.each`
  op               | shapes                       | strategies                  | out          | devices | maps                      | slice
  ${"BatchMatMul"} | ${[[2, 4, 8, 16], [32, 16]]} | ${[[2, 4, 8, 16], [1, 16]]} | ${undefined} | ${1024} | ${[[4, 3, 2, 1], [0, 1]]} | ${[1, 1, 1, 32]}
  ${"MatMul"}      | ${[[1, 32], [64, 32]]}       | ${[[1, 2], [2, 2]]}         | ${undefined} | ${4}    | ${[[-1, 1], [0, 1]]}      | ${[1, 32]}
`("[§5.1] transposed $op $strategies has the maps $maps", (row) => {
  const { op, shapes, strategies, devices } = row;
  const model = modelOf(
    callOf(op, shapes, { devices, attributes: { transpose_b: true } }),
    strategies,
  );
  expect([model.inputMaps, model.outputs[0]?.slice]).toEqual([row.maps, row.slice]);
});

test.each`
  shapes                  | strategies                | out          | told
  ${[[16, 32], [32, 64]]} | ${[[2, 4], [4, 1]]}       | ${[2, 1]}    | ${[[8, 64], "AllReduce 0,1,2,3"]}
  ${[[16, 32], [32, 64]]} | ${[[2, 4], [4, 1]]}       | ${[8, 1]}    | ${[[2, 64], "ReduceScatter 0,1,2,3"]}
  ${[[16, 32], [32, 64]]} | ${[[2, 4], [2, 4]]}       | ${undefined} | ${[[8, 16], "AllGather 0,1,2,3; AllGather 0,4"]}
  ${batched}              | ${[[2, 1, 4], [2, 4, 1]]} | ${[2, 1, 1]} | ${[[4, 16, 64], "AllReduce 0,1,2,3"]}
  ${batched}              | ${[[2, 1, 4], [2, 4, 1]]} | ${[2, 4, 1]} | ${[[1, 16, 64], "ReduceScatter 0,1,2,3"]}
`("[§5.1] $strategies with out_strategy $out leaves $told", ({ shapes, strategies, out, told }) => {
  const op = shapes[0].length > 2 ? "BatchMatMul" : "MatMul";
  expect(toldOf(modelOf(callOf(op, shapes), strategies, out))).toEqual(told);
});

test.each`
  shapes                    | strategies                | out          | attributes            | why
  ${[[16, 32], [32, 64]]}   | ${[[2, 4], [4, 1]]}       | ${[4, 2]}    | ${{}}                 | ${"must be (2, 1) or (8, 1), not (4, 2)"}
  ${batched}                | ${[[2, 1, 4], [4, 4, 1]]} | ${undefined} | ${{}}                 | ${"batch dims of BatchMatMul are cut into 2 and 4 pieces"}
  ${[[16, 32], [16, 64]]}   | ${[[1, 1], [1, 1]]}       | ${undefined} | ${{}}                 | ${"contracts dims of 32 and 16 elements"}
  ${[[16, 32], [32, 64]]}   | ${[[1, 1], [1, 1]]}       | ${undefined} | ${{ transpose_a: 1 }} | ${"must be bool"}
  ${[[3, 4, 8], [5, 8, 8]]} | ${[[1, 1, 1], [1, 1, 1]]} | ${undefined} | ${{}}                 | ${"do not broadcast"}
  ${[[16, 32], [4, 32, 6]]} | ${[[1, 1], [1, 1, 1]]}    | ${undefined} | ${{}}                 | ${"takes matrices of two dims"}
  ${[[16, 32], [32, 6]]}    | ${[[2, 4], [4, 1]]}       | ${[8, 4]}    | ${{}}                 | ${"must be"}
`(
  "[§5.1] $strategies with out_strategy $out: $why",
  ({ shapes, strategies, out, attributes, why }) => {
    const op = shapes[0].length > 2 ? "BatchMatMul" : "MatMul";
    const call = callOf(op, shapes, { attributes });
    expect(() => modelOf(call, strategies, out)).toThrow(why);
  },
);

// layouts on (2,2,2): dp = 2, sp = 1, mp = 0
test.each`
  a               | b               | out          | why
  ${[2, [1, 0]]}  | ${[[0, 1], -1]} | ${undefined} | ${"the same axes in the same order on both contraction dims"}
  ${[2, [1, -1]]} | ${[1, -1]}      | ${undefined} | ${"the same axes in the same order on both contraction dims"}
  ${[2, 1]}       | ${[1, 2]}       | ${undefined} | ${"splits rows and columns of its result by one axis"}
  ${[2, 1]}       | ${[1, 0]}       | ${[2, -1]}   | ${"must have the map (2, 0) or ((2, 1), 0)"}
`("[§5.1] Layouts $a and $b with $out: $why", ({ a, b, out, why }) => {
  const shapes = [
    [16, 32],
    [32, 64],
  ];
  expect(() => layoutModelOf(callOf("MatMul", shapes), [2, 2, 2], [a, b], out)).toThrow(why);
});

test("[§5.1] the last axis on rows and columns compiles upstream, with a warning here", () => {
  const call = callOf("MatMul", [
    [16, 32],
    [32, 64],
  ]);
  const inputs = [
    [0, 1],
    [1, 0],
  ];
  const model = modelOperator(call, { kind: "layouts", deviceMatrix: [2, 2, 2], inputs });
  expect([model.ok, model.diagnostics[0]?.severity]).toEqual([true, "warning"]);
});

test.each`
  row     | a             | b             | out           | slice
  ${"3D"} | ${[2, -1, 1]} | ${[2, 1, 0]}  | ${[2, -1, 0]} | ${[4, 16, 32]}
  ${"3D"} | ${[2, 0, 1]}  | ${[2, 1, -1]} | ${undefined}  | ${[4, 8, 64]}
`("[§5.1] batched Layouts $a and $b leave $slice", ({ a, b, out, slice }) => {
  const model = layoutModelOf(callOf("BatchMatMul", batched), [2, 2, 2], [a, b], out);
  expect(model.outputs[0]?.slice).toEqual(slice);
});

test("[§5.1] batched Layouts refuse a scattered result", () => {
  const call = callOf("BatchMatMul", batched);
  const inputs = [
    [2, -1, 1],
    [2, 1, 0],
  ];
  expect(() => layoutModelOf(call, [2, 2, 2], inputs, [[2, 1], -1, 0])).toThrow(
    "must have the map",
  );
});
