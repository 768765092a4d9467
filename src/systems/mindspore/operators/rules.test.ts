import { expect, test } from "vitest";
import { callOf, layoutModelOf, modelOf, toldOf } from "./operators.testing.ts";

// mindspore.md §5.2
test.each`
  op           | shapes                   | strategies             | maps                   | slice
  ${"Add"}     | ${[[64, 32], [32]]}      | ${[[4, 2], [2]]}       | ${[[1, 0], [0]]}       | ${[16, 16]}
  ${"Div"}     | ${[[64, 32], [64, 1]]}   | ${[[4, 2], [4, 1]]}    | ${[[1, 0], [1, -1]]}   | ${[16, 16]}
  ${"Mul"}     | ${[[1, 32], [64, 32]]}   | ${[[1, 2], [4, 2]]}    | ${[[-1, 0], [1, 0]]}   | ${[16, 16]}
  ${"BiasAdd"} | ${[[8, 16, 4, 4], [16]]} | ${[[2, 4, 1, 1], [4]]} | ${[[3, 2, 1, 0], [2]]} | ${[4, 4, 4, 4]}
`("[§5.2] $op $strategies has the maps $maps", ({ op, shapes, strategies, maps, slice }) => {
  const model = modelOf(callOf(op, shapes), strategies);
  expect([model.inputMaps, model.outputs[0]?.slice]).toEqual([maps, slice]);
});

test("[§5.2] a bias is summed over the rows", () => {
  const call = callOf("Add", [[64, 32], [32]], { parameters: [1], rank: 1 });
  expect(modelOf(call, [[4, 2], [2]]).mirror).toEqual([{ input: 1, group: [1, 3, 5, 7] }]);
});

test.each`
  op           | shapes                  | strategies          | out          | why
  ${"Add"}     | ${[[64, 32], [64, 32]]} | ${[[4, 2], [1, 2]]} | ${undefined} | ${"equal strategy values, but they are 4 and 1"}
  ${"Add"}     | ${[[64, 32], [16]]}     | ${[[1, 1], [1]]}    | ${undefined} | ${"do not broadcast"}
  ${"ReLU"}    | ${[[64, 32]]}           | ${[[4, 2]]}         | ${[4, 2]}    | ${"takes no out_strategy"}
  ${"Softmax"} | ${[[16, 32]]}           | ${[[2, 4]]}         | ${undefined} | ${"cannot be split on its axis"}
  ${"Concat"}  | ${[[8, 8], [8, 8]]}     | ${[[2, 1], [2, 1]]} | ${undefined} | ${"cannot be split on its axis"}
  ${"Concat"}  | ${[[8, 8], [8, 8]]}     | ${[[1, 2], [1, 4]]} | ${undefined} | ${"equal strategies"}
`("[§5.2, §5.3] $op $strategies: $why", ({ op, shapes, strategies, out, why }) => {
  expect(() => modelOf(callOf(op, shapes), strategies, out)).toThrow(why);
});

test("[§5.2] Layouts of dims of the same size must agree, and the result takes what is there", () => {
  const shapes = [[64, 32], [32]];
  const model = layoutModelOf(callOf("Add", shapes), [2, 2, 2], [[[2, 1], 0], [0]]);
  expect(model.outputs[0]?.slice).toEqual([16, 16]);
  expect(() => layoutModelOf(callOf("Add", shapes), [2, 2, 2], [[2, 0], [1]])).toThrow(
    "the same axes on dims of the same size",
  );
});

// mindspore.md §5.3
test.each`
  op             | shapes                    | given           | strategies            | slice
  ${"Softmax"}   | ${[[16, 32]]}             | ${[0]}          | ${[[1, 8]]}           | ${[16, 4]}
  ${"LayerNorm"} | ${[[16, 32], [32], [32]]} | ${[]}           | ${[[8, 1], [1], [1]]} | ${[2, 32]}
  ${"Transpose"} | ${[[8, 16, 32]]}          | ${[[2, 0, 1]]}  | ${[[2, 2, 2]]}        | ${[16, 4, 8]}
  ${"Transpose"} | ${[[8, 16, 32]]}          | ${[[-1, 0, 1]]} | ${[[2, 2, 2]]}        | ${[16, 4, 8]}
`("[§5.3] $op $strategies leaves $slice", ({ op, shapes, given, strategies, slice }) => {
  const call = callOf(op, shapes, { arguments: given });
  expect(modelOf(call, strategies).outputs[0]?.slice).toEqual(slice);
});

test("[§5.3] mean and variance of LayerNorm lie like its input before the normalised dims", () => {
  const call = callOf(
    "LayerNorm",
    [
      [16, 8, 4],
      [8, 4],
      [8, 4],
    ],
    { parameters: [1, 2] },
  );
  const model = modelOf(call, [
    [4, 1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(model.outputs.map(({ shape, slice }) => [shape, slice])).toEqual([
    [
      [16, 8, 4],
      [4, 8, 4],
    ],
    [
      [16, 1, 1],
      [4, 1, 1],
    ],
    [
      [16, 1, 1],
      [4, 1, 1],
    ],
  ]);
  expect(model.mirror.map(({ group }) => group.length)).toEqual([8, 8]);
});

test.each`
  op             | shapes                    | given       | maps                     | why
  ${"Softmax"}   | ${[[16, 32]]}             | ${[]}       | ${[[1, 0]]}              | ${"cannot be split on its axis"}
  ${"LayerNorm"} | ${[[16, 32], [32], [32]]} | ${[]}       | ${[[-1, 1], [1], [1]]}   | ${"cannot be split from begin_norm_axis on"}
  ${"LayerNorm"} | ${[[16, 32], [32], [32]]} | ${[3]}      | ${[[1, -1], [-1], [-1]]} | ${"no dim of its input"}
  ${"LayerNorm"} | ${[[16, 32], [32], [32]]} | ${[]}       | ${[[-1, -1], [1], [-1]]} | ${"must lie like its input"}
  ${"Transpose"} | ${[[16, 32]]}             | ${[[0, 0]]} | ${[[1, -1]]}             | ${"every dim of its input once"}
`("[§5.3] $op with the maps $maps: $why", ({ op, shapes, given, maps, why }) => {
  const call = callOf(op, shapes, { arguments: given });
  expect(() => layoutModelOf(call, [8, 1], maps)).toThrow(why);
});

test("[§5.3] Softmax refuses an axis of one device too, and Transpose permutes its map", () => {
  expect(() => layoutModelOf(callOf("Softmax", [[16, 32]]), [8, 1], [[1, 0]])).toThrow("axis");
  const call = callOf("Transpose", [[16, 32]], { arguments: [[1, 0]] });
  const model = layoutModelOf(call, [2, 2, 2], [[[1, 2], 0]], [0, [1, 2]]);
  expect(model.outputs[0]).toMatchObject({ map: [0, [1, 2]], slice: [16, 4] });
  expect(() => layoutModelOf(call, [2, 2, 2], [[[1, 2], 0]], [0, [2, 1]])).toThrow("permuted");
});

// mindspore.md §5.4
test.each`
  strategy     | attributes                       | parameters | told
  ${undefined} | ${{}}                            | ${[]}      | ${[[4, 4, 32], ""]}
  ${undefined} | ${{}}                            | ${[0]}     | ${[[4, 4, 32], "AllGather 0,1; AllGather 0,2,4,6"]}
  ${[[4, 1]]}  | ${{}}                            | ${[0]}     | ${[[4, 4, 32], "AllGather 0,1,2,3"]}
  ${[[4, 1]]}  | ${{ skip_redistribution: true }} | ${[0]}     | ${[[4, 4, 32], ""]}
`("[§5.4] Reshape with $strategy and $attributes leaves $told", (row) => {
  const { strategy, attributes, parameters } = row;
  const call = callOf("Reshape", [[16, 32]], { arguments: [[4, -1, 32]], attributes, parameters });
  expect(toldOf(modelOf(call, strategy))).toEqual(row.told);
});

test.each`
  target        | attributes                    | strategy     | why
  ${[4, 4, 31]} | ${{}}                         | ${undefined} | ${"as many elements"}
  ${[-1, 5]}    | ${{}}                         | ${undefined} | ${"as many elements"}
  ${[512]}      | ${{ skip_redistribution: 1 }} | ${undefined} | ${"must be bool"}
  ${[512]}      | ${{}}                         | ${[[16, 1]]} | ${"requires 16 devices"}
`("[§5.4] Reshape to $target with $attributes: $why", ({ target, attributes, strategy, why }) => {
  const call = callOf("Reshape", [[16, 32]], { arguments: [target], attributes, parameters: [0] });
  expect(() => modelOf(call, strategy)).toThrow(why);
});

// mindspore.md §5.6
test.each`
  op              | strategies  | axis    | attributes               | told
  ${"ReduceSum"}  | ${[[4, 2]]} | ${1}    | ${{}}                    | ${[[2], "AllReduce 0,1"]}
  ${"ReduceSum"}  | ${[[4, 2]]} | ${-2}   | ${{}}                    | ${[[4], "AllReduce 0,2,4,6"]}
  ${"ReduceSum"}  | ${[[4, 2]]} | ${null} | ${{}}                    | ${[[], "AllReduce 0,1,2,3,4,5,6,7"]}
  ${"ReduceSum"}  | ${[[4, 2]]} | ${1}    | ${{ keep_dims: true }}   | ${[[2, 1], "AllReduce 0,1"]}
  ${"ReduceSum"}  | ${[[2, 2]]} | ${1}    | ${{}}                    | ${[[4], "AllReduce 0,2"]}
  ${"ReduceSum"}  | ${[[8, 1]]} | ${1}    | ${{}}                    | ${[[1], ""]}
  ${"ReduceMax"}  | ${[[4, 2]]} | ${1}    | ${{ cross_batch: true }} | ${[[2], ""]}
  ${"ReduceMean"} | ${[[4, 2]]} | ${1}    | ${{ cross_batch: true }} | ${[[2], "AllReduce 0,1"]}
  ${"ReduceMean"} | ${[[8, 1]]} | ${0}    | ${{ cross_batch: true }} | ${[[8], ""]}
  ${"ReduceAny"}  | ${[[8, 1]]} | ${0}    | ${{ cross_batch: true }} | ${[[8], ""]}
`(
  "[§5.6] $op $strategies on axis $axis leaves $told",
  ({ op, strategies, axis, attributes, told }) => {
    const call = callOf(op, [[8, 8]], { arguments: [axis], attributes });
    expect(toldOf(modelOf(call, strategies))).toEqual(told);
  },
);

test.each`
  axis | attributes            | why
  ${2} | ${{}}                 | ${"no such axis"}
  ${0} | ${{ cross_batch: 1 }} | ${"cross_batch must be bool"}
`("[§5.6] ReduceSum on axis $axis with $attributes: $why", ({ axis, attributes, why }) => {
  const call = callOf("ReduceSum", [[8, 8]], { arguments: [axis], attributes });
  expect(() => modelOf(call, [[4, 2]])).toThrow(why);
});

const scattered = [
  [8, 8],
  [4, 1],
  [4, 8],
];

// mindspore.md §5.7
test.each`
  strategies                  | why
  ${[[1, 2], [1, 1], [1, 2]]} | ${undefined}
  ${[[2, 1], [1, 1], [1, 1]]} | ${"indexed dims"}
  ${[[1, 2], [2, 1], [1, 2]]} | ${"indices"}
  ${[[1, 2], [1, 1], [2, 2]]} | ${"updates"}
  ${[[1, 2], [1, 1], [1, 1]]} | ${"updates"}
`("[§5.7] TensorScatterUpdate $strategies: $why", ({ strategies, why }) => {
  const call = callOf("TensorScatterUpdate", scattered);
  if (why === undefined) expect(modelOf(call, strategies).inputMaps[2]).toEqual([-1, 1]);
  else expect(() => modelOf(call, strategies)).toThrow(why);
});

test("[§5.7] self_define_shard takes Layouts as they are, with one for the result", () => {
  const attributes = { self_define_shard: true };
  const call = callOf("TensorScatterUpdate", scattered, { attributes, parameters: [0] });
  const maps = [
    [-1, 0],
    [-1, -1],
    [-1, 0],
  ];
  const model = layoutModelOf(call, [2, 2, 2], maps, [-1, 0]);
  expect([model.outputs[0]?.slice, model.mirror]).toEqual([
    [8, 4],
    [{ input: 0, group: [0, 2, 4, 6] }],
  ]);
  expect(() => layoutModelOf(call, [2, 2, 2], maps)).toThrow("needs an output layout");
  expect(() =>
    modelOf(call, [
      [1, 2],
      [1, 1],
      [1, 2],
    ]),
  ).toThrow("takes Layouts only");
  const other = { ...call, attributes: { self_define_shard: 1 } };
  expect(() => modelOf(other)).toThrow("self_define_shard must be bool");
});
