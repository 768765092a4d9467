import { expect, test } from "vitest";
import { reading } from "../../../language/document/reading.testing.ts";

const head = `from mindspore import ops
logits = Tensor((8, 4))
ids = Tensor((8,), "int32")
y = Tensor((8, 4))
`;

test.each`
  call                                                                                     | shape
  ${'ops.cross_entropy(logits, ids, None, -100, "none")'}                                  | ${"8"}
  ${'ops.cross_entropy(logits, ids, None, -100, "mean")'}                                  | ${""}
  ${'ops.cross_entropy(logits, ids, None, -1, "none")'}                                    | ${"8"}
  ${'ops.cross_entropy(logits, ids, reduction="none")'}                                    | ${"8"}
  ${'ops.nll_loss(logits, ids, None, -100, "none")'}                                       | ${"8"}
  ${'ops.mse_loss(logits, y, "none")'}                                                     | ${"8,4"}
  ${'ops.huber_loss(logits, y, "none", 0.5)'}                                              | ${"8,4"}
  ${'ops.kl_div(logits, y, "batchmean")'}                                                  | ${""}
  ${'ops.binary_cross_entropy(logits=logits, labels=y, reduction="none")'}                 | ${"8,4"}
  ${'ops.binary_cross_entropy_with_logits(logits, y, y, y, "none")'}                       | ${"8,4"}
  ${'mindspore.mint.nn.functional.binary_cross_entropy_with_logits(logits, y, y, "none")'} | ${"8,4"}
  ${'ops.cosine_embedding_loss(logits, y, ids, 0.1, "none")'}                              | ${"8"}
  ${'ops.triplet_margin_loss(logits, y, y, 1.0, 2, 1e-6, False, "sum")'}                   | ${""}
  ${'mindspore.mint.nn.functional.l1_loss(logits, y, "none")'}                             | ${"8,4"}
  ${"ops.one_hot(ids, 4, 1, 0)"}                                                           | ${"8,4"}
  ${"ops.one_hot(ids, depth=4)"}                                                           | ${"8,4"}
  ${"ops.one_hot(indices=ids, depth=4, axis=-1)"}                                          | ${"8,4"}
  ${"mindspore.mint.nn.functional.one_hot(tensor=ids, num_classes=4)"}                     | ${"8,4"}
`("$call takes its arguments in MindSpore's order", ({ call, shape }) => {
  const { tensors } = reading(`${head}z = ${call}\n`);
  expect(tensors).toContain(`z[${shape}]`);
});

test("classes of one_hot stand along the axis that is named", () => {
  const { tensors } = reading(`${head}z = ops.one_hot(ids, 4, 1, 0, 0)\n`);
  expect(tensors).toContain("z[4,8]");
});

test("a loss whose reduction differs between ops and mint is as each of them says", () => {
  const head = "from mindspore import mint, ops\nx = Tensor((2, 8))\ny = Tensor((2, 8))\n";
  const of = (call: string) => reading(`${head}z = ${call}(x, y)\n`).tensors;
  expect(of("ops.smooth_l1_loss")).toContain("z[2,8]");
  expect(of("mint.nn.functional.smooth_l1_loss")).toContain("z[]");
});

test.each`
  call                                         | tensors
  ${"y, rstd = ops.rms_norm(x, gamma)"}        | ${"y[2,8] rstd[2,1]"}
  ${"y, rstd = ops.rms_norm(x, gamma, 1e-5)"}  | ${"y[2,8] rstd[2,1]"}
  ${"y = ops.rms_norm(x=x, gamma=gamma)[0]"}   | ${"y[2,8]"}
  ${"y = ops.rms_norm(x, (8,), gamma)"}        | ${"y[2,8]"}
  ${"y = ops.rms_norm(x, normalized_shape=8)"} | ${"y[2,8]"}
`("$call reads as MindSpore's rms_norm, which gives the root too", ({ call, tensors }) => {
  const read = reading(
    `from mindspore import ops\nx = Tensor((2, 8))\ngamma = Tensor((8,))\n${call}\nz = y + 1\n`,
  );
  expect(read.said.filter((each) => each.startsWith("error"))).toEqual([]);
  expect(read.tensors).toContain(tensors);
  expect(read.tensors).toContain("z[2,8]");
});
