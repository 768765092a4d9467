import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples, models } from "#app/examples";
import { answerTo } from "../commands.ts";

/** A net compiled by MindSpore, as recorded by the test of generated nets. */
interface GeneratedNet {
  readonly name: string;
  readonly program: string;
}

const generated: readonly GeneratedNet[] = JSON.parse(
  readFileSync("src/systems/mindspore/functions/generated-nets.json", "utf8"),
);

interface Asked {
  readonly steps?: readonly { readonly collective: string; readonly phase?: string }[];
  readonly emitted?: { readonly collectives: readonly { readonly op: string }[] };
  readonly diagnostics?: readonly { readonly code: string; readonly severity: string }[];
}

const sums = /^(AllReduce|ReduceScatter|all-reduce|reduce-scatter)$/;

/**
 * Whether MindSpore sends and the drawn plan does not, or only one of them adds up partial sums.
 */
function contradicts({ steps = [], emitted }: Asked): boolean {
  const theirs = (emitted?.collectives ?? []).map(({ op }) => op);
  const drawn = steps
    .filter(
      ({ collective, phase }) => phase === "forward" && !/^(operator|slice)$/.test(collective),
    )
    .map(({ collective }) => collective);
  const isSum = (name: string) => sums.test(name);
  return theirs.length > 0 !== drawn.length > 0 || theirs.some(isSum) !== drawn.some(isSum);
}

const programs = [...examples, ...models, ...generated];

test("what MindSpore emits does not contradict the drawn steps without a word", () => {
  const silent = programs.filter(({ program }) => {
    const asked = answerTo("plan", { program, as: "mindspore" }) as Asked;
    const isSaid = asked.diagnostics?.some(({ code }) => code === "mindspore/sends-otherwise");
    return contradicts(asked) && isSaid !== true;
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("a net whose unset operators MindSpore splits and the plan does not says so", () => {
  const program = `import numpy as np
import mindspore as ms
from mindspore import nn, mint, Tensor, context
from mindspore.ops import operations as P
context.set_auto_parallel_context(device_num=8, parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = P.ReLU().shard(((2, 4),))
    def construct(self, x):
        return mint.transpose(self.act(x), 0, 1)
net = Net()
net(Tensor(np.ones((16, 32)), ms.float32))
`;
  const asked = answerTo("plan", { program, as: "mindspore" }) as Asked;
  expect(asked.emitted?.collectives.map(({ op }) => op)).toEqual(["AllGather"]);
  const codes = asked.diagnostics?.map(({ code }) => code);
  expect(codes).toContain("mindspore/no-rule");
});
