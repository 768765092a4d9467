import { expect, test } from "vitest";
import { callOf } from "../operators/operators.testing.ts";
import { redistribute } from "../redistribution/redistribute.ts";
import { edgeCost } from "./candidate-prices.ts";
import { candidatesOf, enumerateCuts } from "./enumerate-strategies.ts";
import { recursiveProgramming } from "./recursive-programming.ts";
import type { SearchEdge, SearchOperator } from "./search-graph.ts";
import { shardingPropagation } from "./sharding-propagation.ts";
import { sortedFirst } from "./sorted-first.ts";

// mindspore.md §6.2
test.each`
  sizes      | devices | cuts
  ${[8, 8]}  | ${4}    | ${[[1, 1], [1, 2], [1, 4], [2, 1], [2, 2], [4, 1]]}
  ${[2, 8]}  | ${4}    | ${[[1, 1], [1, 2], [1, 4], [2, 1], [2, 2]]}
  ${[6]}     | ${4}    | ${[[1], [2]]}
  ${[12, 4]} | ${6}    | ${[[3, 1], [3, 2], [6, 1]]}
`("dims of $sizes on $devices devices are cut as $cuts", ({ sizes, devices, cuts }) => {
  expect(enumerateCuts(sizes, devices)).toEqual(cuts);
});

const product = [
  [64, 32],
  [32, 16],
];

test("[§6.2] a MatMul on 4 devices has these strategies", () => {
  const found = candidatesOf(callOf("MatMul", product, { devices: 4 }));
  const texts = found.map(({ strategies }) => strategies.map((each) => each.join("×")).join(" "));
  expect(texts.join(", ")).toBe(
    "1×1 1×1, 1×1 1×2, 1×1 1×4, 1×2 2×1, 1×2 2×2, 1×4 4×1, 2×1 1×1, 2×1 1×2, 2×2 2×1, 4×1 1×1",
  );
});

const cubes = [
  [16, 16, 32],
  [16, 32, 16],
];
const table = [[48, 24], [24]];

test.each`
  op               | shapes   | devices | strategies                 | why
  ${"BatchMatMul"} | ${cubes} | ${16}   | ${[[1, 1, 1], [1, 1, 16]]} | ${"of many combinations"}
  ${"BatchMatMul"} | ${cubes} | ${16}   | ${[[2, 2, 2], [2, 2, 2]]}  | ${"with every linked dim cut"}
  ${"Gather"}      | ${table} | ${24}   | ${[[1, 8], [3]]}           | ${"with the odd factor elsewhere"}
  ${"Gather"}      | ${table} | ${24}   | ${[[3, 8], [1]]}           | ${"with the odd factor beside"}
`("[§6.2] $op on $devices devices has $strategies, $why", ({ op, shapes, devices, strategies }) => {
  const call = callOf(op, shapes, { devices, arguments: [0], parameters: [0] });
  expect(candidatesOf(call).map((each) => each.strategies)).toContainEqual(strategies);
});

// What std::sort of GCC's library brings to the front.
test.each`
  length | price                               | first
  ${3}   | ${(at: number) => (at > 0 ? 1 : 2)} | ${1}
  ${16}  | ${() => 1}                          | ${0}
  ${17}  | ${() => 1}                          | ${8}
  ${20}  | ${(at: number) => (at < 5 ? 1 : 2)} | ${1}
  ${40}  | ${(at: number) => (at % 3 ? 1 : 2)} | ${1}
  ${100} | ${(at: number) => (at * 7) % 5}     | ${25}
`(
  "[§6.4] of $length items sorted by price, item $first comes first",
  ({ length, price, first }) => {
    const items = Array.from({ length }, (_, at: number) => at);
    expect(sortedFirst(items, price)).toBe(first);
  },
);

test("[§3.10] the edge of rows to whole costs 8192 bytes, and is forbidden of bool", () => {
  const from = { deviceMatrix: [4], tensorMap: [0, -1], shape: [64, 32] };
  const found = redistribute(from, { ...from, tensorMap: [-1, -1] });
  expect(edgeCost(found, 4)).toMatchObject({ computation: 4096, communication: 8192 });
  expect(edgeCost(found, 1, true).communication).toBe(1e20);
  expect(edgeCost(redistribute(from, from), 1, true).communication).toBe(0);
});

const chain: readonly SearchEdge[] = [
  { from: "first", to: "act", input: 0 },
  { from: "act", to: "second", input: 0 },
];

function operator(
  name: string,
  op: string,
  shapes: readonly (readonly number[])[],
  strategies?: readonly (readonly number[])[],
): SearchOperator {
  return {
    name,
    call: callOf(op, shapes, { devices: 4 }),
    ...(strategies && { written: { kind: "tuples", inputs: strategies } }),
  };
}

// mindspore.md §6.4
test.each`
  configured          | act         | second
  ${[[4, 1], [1, 1]]} | ${[[4, 1]]} | ${[[4, 1], [1, 1]]}
  ${[[1, 1], [1, 4]]} | ${[[1, 4]]} | ${[[1, 4], [4, 1]]}
  ${[[2, 1], [1, 2]]} | ${[[2, 2]]} | ${[[2, 2], [2, 1]]}
`("[§6.4] from $configured propagation redistributes nothing", ({ configured, act, second }) => {
  const found = shardingPropagation({
    operators: [
      operator(
        "first",
        "MatMul",
        [
          [8, 8],
          [8, 16],
        ],
        configured,
      ),
      operator("act", "ReLU", [[8, 16]]),
      operator("second", "MatMul", [
        [8, 16],
        [16, 8],
      ]),
      operator("alone", "ReLU", [[8, 8]]),
    ],
    edges: chain,
  });
  expect(found.strategies.get("act")?.strategies).toEqual(act);
  expect(found.strategies.get("second")?.strategies).toEqual(second);
  expect(found.strategies.get("alone")?.strategies).toEqual([[1, 1]]);
});

test("[§6.4] propagation also goes against the flow, and the nearer operator decides", () => {
  const found = shardingPropagation({
    operators: [
      operator("first", "ReLU", [[8, 16]]),
      operator("act", "ReLU", [[8, 16]]),
      operator(
        "second",
        "MatMul",
        [
          [8, 16],
          [16, 8],
        ],
        [
          [1, 4],
          [4, 1],
        ],
      ),
    ],
    edges: chain,
  });
  expect([
    found.strategies.get("first")?.strategies,
    found.strategies.get("act")?.strategies,
  ]).toEqual([[[1, 4]], [[1, 4]]]);
});

test.each`
  rows    | contracted | columns | strategies
  ${1024} | ${64}      | ${64}   | ${[[4, 1], [1, 1]]}
  ${64}   | ${1024}    | ${64}   | ${[[1, 4], [4, 1]]}
  ${16}   | ${64}      | ${4096} | ${[[1, 1], [1, 4]]}
  ${3}    | ${5}       | ${7}    | ${[[1, 1], [1, 1]]}
`("[§6.4] a MatMul of $rows, $contracted and $columns is halved to $strategies", (row) => {
  const shapes = [
    [row.rows, row.contracted],
    [row.contracted, row.columns],
  ];
  const graph = { operators: [operator("first", "MatMul", shapes)], edges: [] };
  expect(recursiveProgramming(graph, 4).strategies.get("first")?.strategies).toEqual(
    row.strategies,
  );
});

test.each`
  a                  | b               | flips    | strategies
  ${[8, 16, 32]}     | ${[8, 32, 64]}  | ${false} | ${[[1, 2, 1], [1, 1, 4]]}
  ${[64, 16, 32]}    | ${[64, 32, 64]} | ${false} | ${[[4, 1, 1], [4, 1, 2]]}
  ${[64, 16, 32]}    | ${[64, 64, 32]} | ${true}  | ${[[4, 1, 1], [4, 2, 1]]}
  ${[64, 2, 16, 32]} | ${[32, 64]}     | ${false} | ${[[8, 1, 1, 1], [1, 1]]}
  ${[1, 2, 2]}       | ${[1, 2, 2]}    | ${false} | ${[[1, 1, 1], [1, 1, 1]]}
`("[§6.4] a BatchMatMul of $a and $b is halved to $strategies", ({ a, b, flips, strategies }) => {
  const { call } = operator("first", "BatchMatMul", [a, b]);
  const attributes = { transpose_b: flips };
  const graph = {
    operators: [{ name: "first", call: { ...call, attributes, devices: 8 } }],
    edges: [],
  };
  expect(recursiveProgramming(graph, 8).strategies.get("first")?.strategies).toEqual(strategies);
});

test("[§6.4] a product goes the way of the next one, and other operators follow", () => {
  const found = recursiveProgramming(
    {
      operators: [
        operator("first", "MatMul", [
          [64, 64],
          [64, 64],
        ]),
        operator("second", "MatMul", [
          [64, 64],
          [64, 64],
        ]),
        operator("act", "ReLU", [[64, 64]]),
      ],
      edges: [
        { from: "first", to: "second", input: 0 },
        { from: "second", to: "act", input: 0 },
      ],
    },
    4,
  );
  expect([...found.strategies.values()].map(({ strategies }) => strategies)).toEqual([
    [
      [4, 1],
      [1, 1],
    ],
    [
      [4, 1],
      [1, 1],
    ],
    [[4, 1]],
  ]);
});

test("[§6.4] without a product everything stays whole", () => {
  const graph = { operators: [operator("act", "ReLU", [[8, 8]])], edges: [] };
  expect(recursiveProgramming(graph, 4).strategies.get("act")?.strategies).toEqual([[1, 1]]);
});
