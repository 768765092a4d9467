import { expect, test } from "vitest";
import { callOf, modelOf, toldOf } from "./operators.testing.ts";

// mindspore.md §5.5
test.each`
  mode                | shapes                  | strategies             | axis | attributes           | devices | told
  ${"NORMAL"}         | ${[[16, 8], [8, 4]]}    | ${[[1, 2], [2, 2]]}    | ${0} | ${{}}                | ${8}    | ${[[4, 2, 4], ""]}
  ${"NORMAL"}         | ${[[16, 8], [8]]}       | ${[[4, 1], [1]]}       | ${1} | ${{}}                | ${4}    | ${[[4, 8], ""]}
  ${"BATCH"}          | ${[[4, 16, 8], [4, 6]]} | ${[[2, 1, 4], [2, 1]]} | ${1} | ${{ batch_dims: 1 }} | ${8}    | ${[[2, 6, 2], ""]}
  ${"BATCH_AND_AXIS"} | ${[[16, 8], [8, 4]]}    | ${[[4, 1], [2, 1]]}    | ${0} | ${{}}                | ${8}    | ${[[4, 4, 8], "AllReduce 0,1,2,3"]}
  ${"AXIS_0"}         | ${[[16, 8], [8, 4]]}    | ${[[4, 2], [1, 1]]}    | ${0} | ${{}}                | ${8}    | ${[[2, 4, 4], "ReduceScatter 0,2,4,6"]}
  ${"AXIS_0"}         | ${[[16, 8], [6]]}       | ${[[4, 1], [1]]}       | ${0} | ${{}}                | ${8}    | ${[[6, 8], "AllReduce 0,1,2,3"]}
  ${"AXIS_1"}         | ${[[16, 8], [6]]}       | ${[[2, 4], [1]]}       | ${1} | ${{}}                | ${8}    | ${[[2, 6], "ReduceScatter 0,1,2,3"]}
`("[§5.5] $mode gather $strategies leaves $told", ({ shapes, strategies, axis, told, ...more }) => {
  const call = callOf("Gather", shapes, { ...more, arguments: [axis] });
  expect(toldOf(modelOf(call, strategies))).toEqual(told);
});

test.each`
  shapes               | strategies          | axis | attributes                     | why
  ${[[16, 8], [8, 4]]} | ${[[2, 2], [1, 1]]} | ${0} | ${{}}                          | ${"cannot repeat its calculation"}
  ${[[16, 8], [8, 4]]} | ${[[2, 1], [1, 4]]} | ${0} | ${{}}                          | ${"cannot split its indices"}
  ${[[16, 8, 4], [8]]} | ${[[2, 1, 1], [1]]} | ${0} | ${{}}                          | ${"1-D and 2-D parameters only"}
  ${[[12, 8], [8]]}    | ${[[2, 4], [1]]}    | ${1} | ${{}}                          | ${"cannot scatter 12 rows"}
  ${[[16, 8], [8]]}    | ${[[1, 4], [1]]}    | ${1} | ${{}}                          | ${"cannot repeat its calculation on axis 1"}
  ${[[16, 8], [8]]}    | ${[[1, 1], [1]]}    | ${1} | ${{ primitive_target: "CPU" }} | ${"along axis 0 only"}
  ${[[4, 16], [4, 6]]} | ${[[2, 1], [1, 1]]} | ${1} | ${{ batch_dims: 1 }}           | ${"equal strategies on its batch dims"}
  ${[[4, 4, 8], [8]]}  | ${[[1, 1, 2], [1]]} | ${2} | ${{}}                          | ${"cannot be split on axis 2"}
  ${[[16, 8], [8]]}    | ${[[1, 1], [1]]}    | ${5} | ${{}}                          | ${"no such axis"}
`(
  "[§5.5] gather $strategies on axis $axis: $why",
  ({ shapes, strategies, axis, attributes, why }) => {
    const call = callOf("Gather", shapes, { arguments: [axis], attributes });
    expect(() => modelOf(call, strategies)).toThrow(why);
  },
);

test.each`
  out          | told
  ${[2, 1, 1]} | ${"wrong"}
  ${[1, 1, 2]} | ${[[8, 4, 4], "AllReduce 0,2,4,6"]}
  ${[4, 1, 2]} | ${[[2, 4, 4], "ReduceScatter 0,2,4,6"]}
`("[§2.5] gather with out_strategy $out leaves $told", ({ out, told }) => {
  const call = callOf("Gather", [
    [16, 8],
    [8, 4],
  ]);
  const strategies = [
    [4, 2],
    [1, 1],
  ];
  if (told === "wrong") expect(() => modelOf(call, strategies, out)).toThrow("must be (1, 1, 2)");
  else expect(toldOf(modelOf(call, strategies, out))).toEqual(told);
});

test("[§5.5] rank 17 of manual_split (10, 20, 30, 4) holds 30 rows from 30 on", () => {
  const shapes = [
    [64, 8],
    [8, 8],
  ];
  const attributes = { manual_split: [10, 20, 30, 4] };
  const call = callOf("Gather", shapes, { attributes, devices: 32, rank: 17 });
  const model = modelOf(call, [
    [4, 8],
    [1, 4],
  ]);
  expect([model.inputSlices[0], model.offset]).toEqual([[30, 1], 30]);
});

test("[§5.5] manual_split_with_offset says where rows begin", () => {
  const attributes = {
    manual_split_with_offset: [
      [4, 2],
      [4, 7],
    ],
  };
  const call = callOf(
    "Gather",
    [
      [8, 8],
      [8, 8],
    ],
    { attributes, devices: 2, rank: 1 },
  );
  const model = modelOf(call, [
    [2, 1],
    [1, 2],
  ]);
  expect([model.inputSlices[0], model.offset]).toEqual([[4, 8], 7]);
});

// In the order of MindSpore's checks.
test.each`
  split               | strategies          | axis | devices | why
  ${["a", 4]}         | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"whole numbers"}
  ${[[5, 0], [5, 5]]} | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"whole numbers"}
  ${[0, 8]}           | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"rows for every device"}
  ${[]}               | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"rows for every device"}
  ${[4, 4]}           | ${[[2, 1], [1, 2]]} | ${1} | ${2}    | ${"axis 0"}
  ${[4, 4]}           | ${[[4, 1], [8, 1]]} | ${0} | ${8}    | ${"only the last dim of the indices"}
  ${[4, 4]}           | ${[[4, 1], [1, 8]]} | ${0} | ${8}    | ${"2 elements for strategies of 4 and 8"}
  ${[2, 6]}           | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"must be at least 4"}
  ${[4, 4]}           | ${[[2, 1], [1, 2]]} | ${0} | ${8}    | ${"needs all 8 devices"}
  ${[5, 4]}           | ${[[2, 1], [1, 2]]} | ${0} | ${2}    | ${"adds up to 9, not to 8 rows"}
`(
  "[§5.5] manual_split $split with $strategies: $why",
  ({ split, strategies, axis, devices, why }) => {
    const call = callOf(
      "Gather",
      [
        [8, 8],
        [8, 8],
      ],
      {
        attributes: { manual_split: split },
        arguments: [axis],
        devices,
      },
    );
    expect(() => modelOf(call, strategies)).toThrow(why);
  },
);
