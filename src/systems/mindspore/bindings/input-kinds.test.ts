import { expect, test } from "vitest";
import { readDocument } from "#systems";
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
  ${"P.AddN()"}                   | ${"(x)"}
  ${"P.Concat()"}                 | ${"(x)"}
  ${"P.KLDivLoss()"}              | ${"(x)"}
  ${"P.L2Loss()"}                 | ${"(x, y)"}
  ${"P.Pad()"}                    | ${"(x)"}
  ${"P.Renorm(2)"}                | ${"(x)"}
  ${"P.ReLU(1)"}                  | ${"(x)"}
  ${"P.Softmax(dim=1)"}           | ${"(x)"}
  ${"P.Softmax(-1, axis=-1)"}     | ${"(x)"}
  ${"P.Invert()"}                 | ${"(x)"}
  ${"P.RandomChoiceWithMask()"}   | ${"(x)[0]"}
  ${"P.TensorScatterAdd()"}       | ${"(x, y, y)"}
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
  ${"P.AddN()"}             | ${"([x, y])"}
  ${"P.Softmax(axis=-1)"}   | ${"(x)"}
`("$primitive$call is compiled", ({ primitive, call }) => {
  expect(faultsOf(primitive, call)).toEqual([]);
});

test.each`
  primitive          | call
  ${"P.LRN()"}       | ${"(x)"}
  ${"P.Dropout2D()"} | ${"(x)[0]"}
  ${"P.Ger()"}       | ${"(x, y)"}
`("$primitive$call has other dims than MindSpore takes", ({ primitive, call }) => {
  expect(faultsOf(primitive, call)).toEqual(["ValueError"]);
});

test.each`
  call                               | upstream
  ${"ops.abs()"}                     | ${["TypeError"]}
  ${"ops.abs(x, 1)"}                 | ${["TypeError"]}
  ${"ops.exp(x, bogus=1)"}           | ${["TypeError"]}
  ${"ops.exp(x, input=x)"}           | ${["TypeError"]}
  ${"ops.hypot(x)"}                  | ${["TypeError"]}
  ${"ops.softmax(x, axis=-1)"}       | ${[]}
  ${"nn.ReLU()(x, y)"}               | ${["TypeError"]}
  ${"nn.ReLU(1)(x)"}                 | ${["TypeError"]}
  ${"nn.SeLU(bogus=1)(x)"}           | ${["TypeError"]}
  ${"nn.Softmax(axis=-1)(x)"}        | ${[]}
  ${"mint.nn.PReLU(1, init=0.5)(x)"} | ${[]}
`("$call takes the arguments of its signature", ({ call, upstream }) => {
  const text = `import mindspore as ms
from mindspore import Tensor, mint, nn, ops
x = Tensor((16, 32), ms.float32)
y = Tensor((16, 32), ms.float32)
z = ${call}
`;
  const errors = readDocument(text).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map((each) => each.upstream)).toEqual(upstream);
});
