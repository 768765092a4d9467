import { expect, test } from "vitest";
import { product } from "#core/arithmetic";

import { modelOperator } from "./model-operator.ts";
import { callOf, layoutModelOf, modelOf } from "./operators.testing.ts";

const factors = [
  [16, 32],
  [32, 64],
];

// mindspore.md §2.2, in the order of its checks
test.each`
  item   | strategies           | devices | why
  ${"0"} | ${[[1, 1], [1, 1]]}  | ${6}    | ${"runs on 1, 2, 4 or a multiple of 8 devices"}
  ${"0"} | ${[[1, 1], [1, 1]]}  | ${12}   | ${"runs on 1, 2, 4 or a multiple of 8 devices"}
  ${"1"} | ${[[0, 1]]}          | ${8}    | ${"1 tuples for 2 inputs"}
  ${"1"} | ${[]}                | ${8}    | ${"0 tuples for 2 inputs"}
  ${"2"} | ${[[0], [1, 1]]}     | ${8}    | ${"tuple 1 of the strategy of MatMul has 1 entries for 2 dims"}
  ${"3"} | ${[[0, 3], [1, 1]]}  | ${8}    | ${"the strategy value 0 must be at least 1"}
  ${"3"} | ${[[-1, 1], [1, 1]]} | ${8}    | ${"the strategy value -1 must be at least 1"}
  ${"4"} | ${[[3, 1], [1, 1]]}  | ${8}    | ${"16 elements cannot be divided into 3 equal pieces"}
  ${"6"} | ${[[1, 2], [4, 1]]}  | ${8}    | ${"cut into 2 and 4 pieces"}
  ${"7"} | ${[[4, 4], [4, 1]]}  | ${8}    | ${"requires 16 devices, but there are 8"}
`("[§2.2 item $item] $strategies on $devices devices: $why", ({ strategies, devices, why }) => {
  expect(() => modelOf(callOf("MatMul", factors, { devices }), strategies)).toThrow(
    new RegExp(`RuntimeError: .*${why}`),
  );
});

test.each`
  devices | fault
  ${8}    | ${"the strategy value 3 is no power of two"}
  ${24}   | ${undefined}
`("[§2.2 item 5] three pieces on $devices devices: $fault", ({ devices, fault }) => {
  const model = modelOperator(callOf("ReLU", [[24, 32]], { devices }), {
    kind: "tuples",
    inputs: [[3, 1]],
  });
  expect(model.diagnostics[0]?.message).toBe(fault);
});

// mindspore.md §2.3, §5
test.each`
  op          | shapes                 | strategies          | matrix             | repeated
  ${"MatMul"} | ${factors}             | ${[[4, 1], [1, 1]]} | ${[4, 1, 1, 2]}    | ${2}
  ${"Add"}    | ${[[64, 32], [32]]}    | ${[[4, 2], [2]]}    | ${[4, 2]}          | ${1}
  ${"Add"}    | ${[[64, 1], [64, 32]]} | ${[[4, 1], [4, 2]]} | ${[4, 2]}          | ${1}
  ${"ReLU"}   | ${[[64, 32]]}          | ${[[2, 1]]}         | ${[2, 1, 4]}       | ${4}
  ${"Gather"} | ${[[16, 8], [6]]}      | ${[[4, 1], [1]]}    | ${[2, 4, 1]}       | ${2}
  ${"Gather"} | ${[[16, 8], [8, 4]]}   | ${[[1, 2], [2, 1]]} | ${[2, 1, 1, 2, 2]} | ${2}
`("[§2.3] $op $strategies has the device matrix $matrix", ({ op, shapes, strategies, ...row }) => {
  const model = modelOf(callOf(op, shapes), strategies);
  expect([model.deviceMatrix, model.repeated]).toEqual([row.matrix, row.repeated]);
  expect(product(model.deviceMatrix)).toBe(8);
});

// mindspore.md §2.4
test.each`
  op               | shapes                        | attributes               | devices | slices
  ${"MatMul"}      | ${factors}                    | ${{}}                    | ${8}    | ${[[2, 32], [32, 64]]}
  ${"MatMul"}      | ${[[32, 16], [32, 64]]}       | ${{ transpose_a: true }} | ${8}    | ${[[32, 2], [32, 64]]}
  ${"MatMul"}      | ${[[6, 32], [32, 64]]}        | ${{}}                    | ${4}    | ${[[3, 32], [32, 64]]}
  ${"BatchMatMul"} | ${[[8, 16, 32], [8, 32, 64]]} | ${{}}                    | ${8}    | ${[[1, 16, 32], [1, 32, 64]]}
  ${"BatchMatMul"} | ${[[8, 16, 32], [32, 64]]}    | ${{}}                    | ${8}    | ${[[1, 16, 32], [32, 64]]}
  ${"Add"}         | ${[[64, 32], [32]]}           | ${{}}                    | ${8}    | ${[[8, 32], [32]]}
  ${"Add"}         | ${[[6, 32], [6, 32]]}         | ${{}}                    | ${4}    | ${[[3, 32], [3, 32]]}
  ${"Add"}         | ${[[64, 32], [1, 32]]}        | ${{}}                    | ${8}    | ${[[8, 32], [1, 32]]}
  ${"Softmax"}     | ${[[16, 32]]}                 | ${{}}                    | ${8}    | ${[[2, 32]]}
  ${"Gather"}      | ${[[16, 8], [8, 4]]}          | ${{}}                    | ${8}    | ${[[16, 8], [1, 4]]}
`("[§2.4] without a strategy $op of $shapes holds $slices", ({ op, shapes, slices, ...more }) => {
  expect(modelOf(callOf(op, shapes, more)).inputSlices).toEqual(slices);
});

// mindspore.md §7c: the declared order of the group, which 2.10 sorts
test("[§7c] a higher-order MatMul scatters over its list of axes", () => {
  const call = callOf("MatMul", factors, { parameters: [0, 1] });
  const inputs = [
    [0, [1, 2]],
    [[1, 2], -1],
  ];
  const output = [[0, 1, 2], -1];
  const rows = [0, 4, 2, 6, 1, 5, 3, 7];
  for (const rank of rows.keys()) {
    const model = layoutModelOf({ ...call, rank }, [2, 2, 2], inputs, output);
    const first = rank % 2;
    const group = [first, first + 4, first + 2, first + 6];
    expect(model.forward).toEqual([{ primitive: "ReduceScatter", group }]);
    expect(model.outputs[0]?.slice).toEqual([2, 64]);
    expect(model.mirror).toEqual([{ input: 1, group: [rank - first, rank - first + 1] }]);
  }
  const plain = layoutModelOf(call, [2, 2, 2], inputs);
  expect(plain.forward).toEqual([{ primitive: "AllReduce", group: [0, 4, 2, 6] }]);
  const warned = modelOperator(call, { kind: "layouts", deviceMatrix: [2, 2, 2], inputs, output });
  expect(warned.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
});

test("[§7a] the two MatMuls send nothing themselves, and only a parameter has a mirror", () => {
  const first = modelOf(callOf("MatMul", factors, { devices: 4, parameters: [1] }), [
    [4, 1],
    [1, 1],
  ]);
  expect([first.deviceMatrix, first.inputMaps, first.forward]).toEqual([
    [4, 1, 1],
    [
      [2, 1],
      [1, 0],
    ],
    [],
  ]);
  expect(first.mirror).toEqual([{ input: 1, group: [0, 1, 2, 3] }]);
});

test("an operator without a rule is refused by name", () => {
  expect(() => modelOf(callOf("Unique", [[8]]))).toThrow("no rule of MindSpore's Unique is known");
});

test.each`
  op             | shapes               | why
  ${"ReduceSum"} | ${[[16, 32]]}        | ${"ReduceSum does not support config layout"}
  ${"Concat"}    | ${[[8, 8], [8, 8]]}  | ${"Concat does not support config layout"}
  ${"Gather"}    | ${[[16, 8], [8, 4]]} | ${"Gather does not support config layout"}
  ${"Reshape"}   | ${[[16, 8]]}         | ${"Reshape does not support config layout"}
`("[§6.5] $why", ({ op, shapes, why }) => {
  const maps = shapes.map(() => [-1, -1]);
  expect(() => layoutModelOf(callOf(op, shapes), [8], maps)).toThrow(why);
});

test.each`
  matrix    | maps                  | why
  ${[4]}    | ${[[0, -1]]}          | ${"layouts of 4 devices, but there are 8"}
  ${[8]}    | ${[[0, -1], [0, -1]]} | ${"2 layouts for 1 inputs"}
  ${[8]}    | ${[[0]]}              | ${"the tensor map has 1 entries for 2 dims"}
  ${[2, 4]} | ${[[[1, 0], -1]]}     | ${"dim 0 of 12 elements cannot be cut into 8"}
`("Layouts $maps on $matrix: $why", ({ matrix, maps, why }) => {
  expect(() => layoutModelOf(callOf("ReLU", [[12, 32]]), matrix, maps)).toThrow(why);
});
