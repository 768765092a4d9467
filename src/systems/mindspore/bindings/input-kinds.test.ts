import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

// Faults that the compiler of MindSpore 2.10.0 reports, with float32 x and y of (16, 32).

function faultsOf(primitive: string, call: string): readonly (string | undefined)[] {
  const net = {
    primitives: [primitive],
    inputs: [
      [16, 32],
      [16, 32],
    ],
  };
  const { errors } = shortly(netText({ ...net, construct: `return self.p0${call}` }));
  return errors.map(({ upstream }) => upstream);
}

test.each`
  primitive                       | call
  ${"P.Split(0, 2)"}              | ${"(x, -1)"}
  ${"P.Softmax()"}                | ${"(x, -1)"}
  ${"P.ReLU()"}                   | ${"(x, True)"}
  ${"P.GeLU()"}                   | ${'(x, "tanh")'}
  ${"P.ReduceSum()"}              | ${"(x, -1, True)"}
  ${"P.Transpose()"}              | ${"(x)"}
  ${"P.Transpose()"}              | ${"(x, 1, 0)"}
  ${"P.Reshape()"}                | ${"(x, -1)"}
  ${"P.Concat(0)"}                | ${"(x, y)"}
  ${"P.Concat()"}                 | ${"((x, y), 1)"}
  ${"P.Add()"}                    | ${"(x, y, y)"}
  ${"P.Add()"}                    | ${"(x, [1.0])"}
  ${"P.Cast()"}                   | ${"(x)"}
  ${"P.ExpandDims()"}             | ${"(x)"}
  ${"P.Squeeze()"}                | ${"(x, 0)"}
  ${"P.StridedSlice()"}           | ${"(x, (0, 0), (8, 8))"}
  ${"P.Slice()"}                  | ${"(x, 0, 8)"}
  ${"P.Dropout(0.5)"}             | ${"(x, 0.5)"}
  ${"P.ArgMaxWithValue()"}        | ${"(x, 1)"}
  ${"P.TopK()"}                   | ${"(x)"}
  ${"P.FillV2()"}                 | ${"((16, 32), 2.0)"}
  ${"P.Stack(0)"}                 | ${"(x, y)"}
  ${"P.CumSum()"}                 | ${"(x)"}
  ${"P.Sqrt()"}                   | ${"(x, x)"}
  ${"P.LogSoftmax()"}             | ${"(x, 1)"}
  ${"P.BroadcastTo((4, 16, 32))"} | ${"(x, (4, 16, 32))"}
`("$primitive$call is refused as MindSpore refuses it", ({ primitive, call }) => {
  expect(faultsOf(primitive, call)).toEqual(["TypeError"]);
});

test.each`
  primitive                 | call
  ${"P.Split(0, 2)"}        | ${"(x)[0]"}
  ${"P.ReduceSum(True)"}    | ${"(x)"}
  ${"P.ReduceMean()"}       | ${"(x, 1)"}
  ${"P.Reshape()"}          | ${"(x, [32, 16])"}
  ${"P.Concat(0)"}          | ${"([x, y])"}
  ${"P.Mul()"}              | ${"(x, 2)"}
  ${"P.Cast()"}             | ${"(x, ms.float16)"}
  ${"P.TopK()"}             | ${"(x, 2)"}
  ${"P.Greater()"}          | ${"(x, 0)"}
  ${"P.Pow()"}              | ${"(x, 2)"}
  ${"P.ArgMaxWithValue(1)"} | ${"(x)"}
`("$primitive$call is compiled", ({ primitive, call }) => {
  expect(faultsOf(primitive, call)).toEqual([]);
});
