import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

const full = ', dataset_strategy="full_batch"';

// What a MindSpore program does there and not here is said once, where it stands.
test.each`
  primitives      | construct                                                                    | inputs                                           | context                                      | said
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                                                       | ${[[16, 8]]}                                     | ${full}                                      | ${[]}
  ${["P.ReLU()"]} | ${"return self.p0(x).broadcast_to((2, 16, 8)) + x.broadcast_to((2, 16, 8))"} | ${[[16, 8]]}                                     | ${full}                                      | ${["mindspore/no-rule"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                                                       | ${[[16, 8]]}                                     | ${`${full}, enable_parallel_optimizer=True`} | ${["mindspore/setting-not-read"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                                                       | ${[[16, 8]]}                                     | ${`${full}, pipeline_stages=2`}              | ${["mindspore/setting-not-read"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                                                       | ${["Tensor(shape=[None, 8], dtype=ms.float32)"]} | ${full}                                      | ${["mindspore/dynamic-shape"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                                                       | ${[[16, 8]]}                                     | ${""}                                        | ${[]}
`("$construct under$context is said to be $said", ({ said, ...net }) => {
  const { warnings, errors } = shortly(netText(net));
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(said);
});

test("what a net is fed is said to be one device's part", () => {
  const net = { primitives: ["P.ReLU()"], construct: "return self.p0(x)", inputs: [[16, 8]] };
  const { diagnostics } = shortly(netText({ ...net, context: "" }));
  const fed = diagnostics.filter(({ code }) => code === "mindspore/fed-part");
  expect(fed.map(({ message }) => message)).toEqual([expect.stringContaining("(128, 8)")]);
});

test("two layouts of one parameter are refused at the second strategy", () => {
  const { errors } = shortly(
    netText({
      primitives: ["P.Mul().shard(((8, 1), (8, 1)))", "P.Mul().shard(((4, 2), (4, 2)))"],
      construct: "return self.p1(self.p0(x, self.w), self.w)",
      inputs: [[16, 16]],
      parameters: { w: [16, 16] },
    }),
  );
  expect(errors.map(({ code, upstream }) => [code, upstream])).toEqual([
    ["mindspore/strategy-refused", "RuntimeError"],
  ]);
  expect(errors[0]?.related).toHaveLength(1);
});
