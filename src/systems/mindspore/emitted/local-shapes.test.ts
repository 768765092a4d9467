import { expect, test } from "vitest";
import { netText, shortly } from "./emitted.testing.ts";

// Whether MindSpore 2.10's compiler refuses the net, for x of 16×32 on 8 devices.
test.each`
  body                                                        | y           | misfits
  ${"ops.exp(mint.transpose(x, 0, 1))"}                       | ${[1]}      | ${0}
  ${"mint.transpose(x, 0, 1) @ y"}                            | ${[16, 8]}  | ${1}
  ${"mint.transpose(x, 0, 1) + y"}                            | ${[32, 1]}  | ${1}
  ${"mint.transpose(x, 0, 1) + y"}                            | ${[1]}      | ${0}
  ${"mint.permute(x, (1, 0)) * y"}                            | ${[32, 16]} | ${1}
  ${"mint.narrow(x, 0, 0, 8)"}                                | ${[1]}      | ${1}
  ${"mint.narrow(x, 0, 0, 2)"}                                | ${[1]}      | ${0}
  ${"mint.split(x, 8, 0)[0] + y"}                             | ${[8, 32]}  | ${0}
  ${"mint.split(x, 8, 1)[0] + y"}                             | ${[16, 8]}  | ${0}
  ${"ops.reshape(mint.transpose(x, 0, 1), (8, 64))"}          | ${[1]}      | ${0}
  ${"ops.tanh(mint.transpose(x, 0, 1)) * y"}                  | ${[32, 16]} | ${1}
  ${"ops.LayerNorm()(mint.transpose(x, 0, 1), y, y)"}         | ${[16]}     | ${1}
  ${"ops.dense(mint.transpose(x, 0, 1), y)"}                  | ${[8, 16]}  | ${1}
  ${"ops.dense(mint.permute(x, (0, 1)), y)"}                  | ${[8, 32]}  | ${0}
  ${"mint.transpose(x, 0, 1).broadcast_to((3, 32, 16))"}      | ${[1]}      | ${1}
  ${"mint.split(x, 8, 0)[0].broadcast_to((3, 8, 32))"}        | ${[1]}      | ${1}
  ${"ops.broadcast_to(mint.narrow(x, 0, 0, 2)[:1], (2, 32))"} | ${[1]}      | ${0}
`(
  "of $body with $y the pieces do not fit $misfits times",
  ({ body, y, misfits }: { body: string; y: readonly number[]; misfits: number }) => {
    const before = "from mindspore import mint";
    const construct = `return ${body}`;
    const { errors } = shortly(
      netText({ primitives: [], construct, inputs: [[16, 32], y], before }),
    );
    const wanted = Array.from({ length: misfits }, () => "mindspore/pieces-misfit");
    expect(errors.map(({ code }) => code)).toEqual(wanted);
  },
);

// Results of the compiler for x of 2×8×32, y of 16×8×32 and a parameter w like x, on 8 devices.
test.each`
  construct                                                      | refused
  ${"mint.transpose(ops.exp(x), 1, 2)"}                          | ${false}
  ${"mint.transpose(x * self.w, 1, 2)"}                          | ${true}
  ${"mint.transpose(x, 1, 2), x * self.w"}                       | ${false}
  ${"ops.exp(x), mint.transpose(x, 1, 2)"}                       | ${true}
  ${"ops.exp(y), mint.transpose(x, 1, 2)"}                       | ${false}
  ${"mint.transpose(mint.unsqueeze(ops.exp(x), 1), 1, 2)"}       | ${true}
  ${"mint.narrow(x, 1, 0, 4), mint.narrow(x * 2, 1, 4, 4)"}      | ${true}
  ${"mint.transpose(x, 1, 2), mint.transpose(y, 1, 2)"}          | ${false}
  ${"mint.transpose(y, 1, 2), mint.transpose(x, 1, 2)"}          | ${true}
  ${"mint.transpose(y, 1, 2), mint.transpose(ops.exp(y), 1, 2)"} | ${false}
  ${"x.transpose(0, 2, 1), mint.transpose(ops.exp(x), 1, 2)"}    | ${false}
  ${"mint.einsum('bij,jk->bik', y, self.v)"}                     | ${true}
  ${"mint.einsum('bij,bkj->bik', y, y)"}                         | ${false}
  ${"mint.einsum('bij,bkj->bik', x, x)"}                         | ${true}
  ${"mint.einsum('bij,bij->b', y, y * 2)"}                       | ${false}
  ${"ops.tanh(x) + 1, mint.unsqueeze(y, 0)"}                     | ${false}
  ${"ops.tanh(y) + 1, mint.unsqueeze(y, 0)"}                     | ${true}
  ${"y[:, :4], mint.unsqueeze(y, 0)"}                            | ${false}
  ${"mint.stack((y, y), 1), mint.unsqueeze(y, 0)"}               | ${false}
  ${"(y * 2).exp_(), mint.unsqueeze(y, 0)"}                      | ${true}
  ${"(x * 2).exp_()"}                                            | ${false}
  ${"(x * 2).exp_().exp_()"}                                     | ${true}
  ${"(x * 2).mul_(2.0).mul_(3.0)"}                               | ${false}
  ${"(x * self.w[0]).exp_()"}                                    | ${true}
  ${"(x * self.w[:1]).exp_()"}                                   | ${false}
  ${"(x * self.w).exp_()"}                                       | ${true}
`(
  "what looks into memory late is refused where it is whole: $construct",
  ({ construct, refused }) => {
    const text = netText({
      primitives: [],
      construct: `return ${construct}`,
      inputs: [
        [2, 8, 32],
        [16, 8, 32],
      ],
      parameters: { w: [2, 8, 32], v: [32, 32] },
      before: "from mindspore import mint",
    });
    const codes = shortly(text).errors.map(({ code }) => code);
    expect(codes).toEqual(refused ? ["mindspore/late-access"] : []);
  },
);

// Results of the compiler for x of 16×8 on 8 devices.
test.each`
  body                                | refused
  ${"ops.pad(x, (1, 1))"}             | ${false}
  ${"ops.pad(x, (0, 0, 1, 1))"}       | ${true}
  ${"ops.pad(x, (1, 1, 1, 1))"}       | ${false}
  ${"ops.pad(x[None], (0, 0, 1, 1))"} | ${false}
  ${"ops.pad(x[:12], [0, 0, 0, 4])"}  | ${true}
  ${"ops.pad(x[:7], [0, 0, 0, 4])"}   | ${false}
  ${"ops.squeeze(x, 1)"}              | ${true}
  ${"x.squeeze(-1)"}                  | ${true}
  ${"mint.squeeze(x[:1], 0)"}         | ${false}
`("a default strategy that 2.10 itself refuses is refused: $body", ({ body, refused }) => {
  const text = netText({
    ...{ primitives: [], construct: `return ${body}`, inputs: [[16, 8]] },
    before: "from mindspore import mint",
  });
  const codes = shortly(text).errors.map(({ code }) => code);
  expect(codes).toEqual(refused ? ["mindspore/strategy-refused"] : []);
});
