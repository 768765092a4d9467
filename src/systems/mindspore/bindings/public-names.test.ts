import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";
import { isMissing, publicNames } from "./public-names.ts";

const head = "import mindspore as ms\nfrom mindspore import mint, nn, ops\n";

test.each`
  module                       | name
  ${"mindspore"}               | ${"set_device"}
  ${"mindspore.nn"}            | ${"TrainOneStepCell"}
  ${"mindspore.ops"}           | ${"bmm"}
  ${"mindspore.mint"}          | ${"matmul"}
  ${"mindspore.communication"} | ${"get_rank"}
  ${"mindspore.parallel"}      | ${"AutoParallel"}
`("2.10 has $module.$name", ({ module, name }) => {
  expect(publicNames(module).has(name)).toBe(true);
  expect(isMissing(module, name)).toBe(false);
});

test.each(["ms.set_device('CPU')", "ms.hal", "nn.TrainOneStepCell", "ops.scan if False else 1"])(
  "%s raises nothing",
  (line) => {
    expect(shortly(`${head}${line}\n`).errors).toEqual([]);
  },
);

test.each(["nn.RMSNorm(8)", "ms.ms_function", "mint.nope(3)"])(
  "%s is MindSpore's AttributeError, as a warning",
  (line) => {
    const { errors, warnings } = shortly(`${head}y = ${line}\n`);
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([
      { code: "mindspore/missing-name", upstream: "AttributeError" },
    ]);
  },
);

test("what 2.10 cannot import takes the other branch", () => {
  const { errors, warnings, operators } = shortly(`${head}
try:
    from mindspore._checkparam import Validator
except ImportError:
    import mindspore._checkparam as Validator
try:
    from mindspore.nn import RMSNorm
except ImportError:
    RMSNorm = nn.ReLU
size = Validator.check_positive_int(16)
x = ms.Tensor(shape=(size, 16), dtype=ms.float32)
y = RMSNorm()(x)
`);
  expect([errors, warnings]).toEqual([[], []]);
  expect(operators).toEqual(["ReLU (1,1)"]);
});
