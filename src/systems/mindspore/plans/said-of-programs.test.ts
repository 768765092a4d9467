import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

const full = ', dataset_strategy="full_batch"';

// Differences between MindSpore's program and the drawing are reported once, at their place.
test.each`
  primitives      | construct                                | inputs                                           | context                                      | said
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                   | ${[[16, 8]]}                                     | ${full}                                      | ${[]}
  ${["P.ReLU()"]} | ${"return self.p0(x).lcm(x) + x.lcm(x)"} | ${[[16, 8]]}                                     | ${full}                                      | ${["mindspore/no-rule", "mindspore/no-rule"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                   | ${[[16, 8]]}                                     | ${`${full}, enable_parallel_optimizer=True`} | ${["mindspore/setting-not-read"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                   | ${["Tensor(shape=[None, 8], dtype=ms.float32)"]} | ${full}                                      | ${["mindspore/dynamic-shape"]}
  ${["P.ReLU()"]} | ${"return self.p0(x)"}                   | ${[[16, 8]]}                                     | ${""}                                        | ${[]}
`("$construct under$context is said to be $said", ({ said, ...net }) => {
  const { warnings, errors } = shortly(netText(net));
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(said);
});

test("stages of a pipeline are said to be drawn on all devices", () => {
  const before = "def staged(cell, stage):\n    cell.pipeline_stage = stage\n    return cell";
  const primitives = ["staged(nn.Dense(8, 8), 0)", "staged(nn.Dense(8, 8), 1)"];
  const context = `${full}, pipeline_stages=2`;
  const construct = "return self.p1(self.p0(x))";
  const { warnings, errors } = shortly(
    netText({ before, primitives, context, construct, inputs: [[16, 8]] }),
  );
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(["mindspore/setting-not-read"]);
});

// MindSpore's BatchParallelInfo splits dim 0 whatever the operator computes.
test.each`
  primitive                    | said
  ${"P.Roll(shift=1, axis=1)"} | ${[]}
  ${"P.Roll(shift=1, axis=0)"} | ${["splits dim 0 of what it reads into 8"]}
  ${"P.ReduceMax()"}           | ${[]}
`("of $primitive, which is split whatever it computes, is said $said", ({ primitive, said }) => {
  const net = { primitives: [primitive], inputs: [[16, 8]], context: full };
  const more = primitive.includes("Reduce") ? ", 0" : "";
  const again = primitive.includes("axis=0") ? "\n        self.p0(x)" : "";
  const { warnings } = shortly(
    netText({ ...net, construct: `y = self.p0(x${more})${again}\n        return y` }),
  );
  expect(warnings.map(({ message }) => message)).toEqual(
    said.map((part: string) => expect.stringContaining(part)),
  );
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

test("a strategy of something whose shape nobody knows is not refused", () => {
  const { errors, warnings } = shortly(
    netText({
      primitives: ["P.LuUnpack()", "P.Square().shard(((2, 2, 2),))"],
      construct: "return self.p1(self.p0(x, x, x)[0])",
      inputs: [[8, 16, 64]],
    }),
  );
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toContain("mindspore/unknown-operator");
});

test("a tensor that is made of an array of unknown shape has none that is known", () => {
  const { errors, warnings } = shortly(
    netText({
      primitives: ["P.Square().shard(((2,),))"],
      construct: "return self.p0(x)",
      inputs: ["Tensor(np.trim_zeros(np.array([3, 1, 2])))"],
    }),
  );
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toContain("document/unknown-result");
});

test("a condition on a number that the text gives is worked out", () => {
  const net = { primitives: ["P.ReLU()", "P.Exp()"], inputs: [[16, 8]] };
  const construct = "if self.k < 1.0:\n    return self.p0(x)\nreturn self.p1(x)";
  const run = (number: string) =>
    shortly(netText({ ...net, construct, constants: { k: `Tensor(${number}, ms.float16)` } }));
  expect(run("0.5").operators).toEqual(["ReLU (8,1)"]);
  expect(run("1.0").operators).toEqual(["Exp (8,1)"]);
  expect(run("1.0").warnings).toEqual([]);
});

test("keys that go round between the devices are said not to be told", () => {
  const { errors, warnings } = shortly(
    netText({
      before: "from mindspore.ops.operations.nn_ops import FlashAttentionScore",
      primitives: [
        'FlashAttentionScore(head_num=8).shard(((1, 8, 1), (1, 8, 1), (1, 8, 1))).add_prim_attr("enable_ring_attention", True)',
      ],
      construct: "return self.p0(x, x, x)[3]",
      inputs: [[8, 64, 128, "float16"]],
    }),
  );
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).toContain("mindspore/ring-attention");
});

test.each`
  line                                                           | severity
  ${'ms.restore_group_info_list("./groups.pb")'}                 | ${"warning"}
  ${'ms.build_searched_strategy("./a.ckpt")'}                    | ${"warning"}
  ${'ms.load_param_into_net(net, ms.load_checkpoint("a.ckpt"))'} | ${"info"}
`("$line reads a file, which is said as $severity", ({ line, severity }) => {
  const net = { primitives: ["P.ReLU()"], construct: "return self.p0(x)", inputs: [[16, 8]] };
  const { diagnostics } = shortly(`${netText({ ...net, context: full })}\n${line}\n`);
  const said = diagnostics.filter(({ message }) => message.includes("reads a file"));
  expect(said.map((each) => [each.code, each.severity])).toEqual([
    ["document/unknown-value", severity],
  ]);
});

test.each(["enable_parallel_optimizer=True", "pipeline_stages=2"])(
  "%s is named once as not modelled",
  (setting) => {
    const net = { primitives: ["P.ReLU()"], construct: "return self.p0(x)", inputs: [[16, 8]] };
    const { warnings } = shortly(netText({ ...net, context: `${full}, ${setting}` }));
    const [name] = setting.split("=");
    expect(warnings.map(({ message }) => message.split(": ").slice(0, 2))).toEqual([
      ["not modelled", name],
    ]);
  },
);
