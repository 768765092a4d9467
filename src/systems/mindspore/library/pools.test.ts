import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

// Results of the compiler of MindSpore 2.10.0.
test.each`
  layer                                      | shape             | operators
  ${"nn.MaxPool2d(kernel_size=2, stride=2)"} | ${[8, 3, 16, 16]} | ${["MaxPool (8,1,1,1)"]}
  ${'nn.MaxPool2d(3, 2, "same")'}            | ${[8, 3, 16, 16]} | ${["MaxPool (8,1,1,1)"]}
  ${"nn.MaxPool2d()"}                        | ${[8, 3, 16, 16]} | ${["MaxPool (8,1,1,1)"]}
  ${"nn.AvgPool2d(2, 2)"}                    | ${[8, 3, 16, 16]} | ${["AvgPool (8,1,1,1)"]}
  ${'nn.AvgPool2d(3, 1, "same")'}            | ${[8, 3, 16, 16]} | ${["AvgPool (8,1,1,1)"]}
  ${"nn.MaxPool1d(2, 2)"}                    | ${[8, 4, 16]}     | ${["ExpandDims (8,1,1)", "MaxPool (8,1,1,1)"]}
  ${"nn.AvgPool1d(2, 2)"}                    | ${[8, 4, 16]}     | ${["ExpandDims (8,1,1)", "AvgPool (8,1,1,1)"]}
  ${"nn.Conv2d(3, 8, 3, has_bias=True)"}     | ${[8, 3, 16, 16]} | ${["Conv2D (8,1,1,1) (1,1,1,1)", "BiasAdd (8,1,1,1) (1)"]}
`("$layer is compiled to $operators", ({ layer, shape, operators }) => {
  const read = shortly(
    netText({ primitives: [layer], construct: "return self.p0(x)", inputs: [shape] }),
  );
  expect(read.errors).toEqual([]);
  expect(read.warnings).toEqual([]);
  expect(read.operators.filter((each) => !each.startsWith("Squeeze"))).toEqual(operators);
  expect(read.collectives).toEqual([]);
});

test("a pool that pads is not known, which is said", () => {
  const layer = 'nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)';
  const read = shortly(
    netText({ primitives: [layer], construct: "return self.p0(x)", inputs: [[8, 3, 16, 16]] }),
  );
  expect(read.warnings).not.toEqual([]);
});

test.each`
  strategy                       | cut
  ${""}                          | ${"BiasAdd (8,1,1) (1)"}
  ${".shard(((2, 4, 1), (4,)))"} | ${"BiasAdd (2,4,1) (4)"}
`("BiasAdd$strategy adds along dim 1, whatever stands behind it", ({ strategy, cut }) => {
  const given = { primitives: [`P.BiasAdd()${strategy}`], construct: "return self.p0(x, self.w)" };
  const read = shortly(netText({ ...given, inputs: [[8, 32, 16]], parameters: { w: [32] } }));
  expect(read.errors).toEqual([]);
  expect(read.operators).toEqual([cut]);
});
