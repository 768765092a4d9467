import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileText } from "#app/language-service";
import { runPlan } from "./index.ts";

test("kernels that only say which cells they touch are named, since they compute nothing", () => {
  const example = examples.find(({ name }) => name === "loom-expression");
  if (example === undefined) throw new Error("no such example");
  const { plan, program } = compileText(exampleText(example));
  const { ok, diagnostics } = runPlan(plan, program, { seed: 1, values: "integers" });
  expect(ok).toBe(false);
  expect(diagnostics[0]).toMatchObject({
    code: "execute/no-body",
    severity: "error",
    message: expect.stringMatching(/^the kernel ".+" of ".+" has no body here/),
  });
});

const net = (init: string, construct: string, shapes: string) => `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${init}
    def construct(${construct}
net = Net()
parallel_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(${shapes})
`;

test("what a primitive sums inside itself in a way that is not known is not called different", () => {
  const norm = (rows: number, channels: number) =>
    net(
      `        self.norm = nn.BatchNorm2d(8)
        self.norm.bn_train.shard(((${rows}, ${channels}, 1, 1), (${channels},), (${channels},), (${channels},), (${channels},)))`,
      "self, x):\n        return self.norm(x)",
      "x=(8, 8, 4, 4)",
    );
  const outcome = (text: string) => {
    const { plan, program } = compileText(text);
    return runPlan(plan, program, { seed: 1, values: "integers" });
  };
  const cut = outcome(norm(4, 1));
  expect(cut.ok).toBe(false);
  expect(cut.diagnostics).toMatchObject([
    {
      code: "execute/unknown-combination",
      message: expect.stringMatching(/^how "BatchNorm" of ".+" combines the pieces of "a" inside/),
    },
  ]);
  const byChannels = outcome(norm(1, 4));
  expect(byChannels.ok && byChannels.value.equal).toBe(true);
});

test("indices of a table that is cut by hand are drawn in the rows of the device that looks them up", () => {
  const text = net(
    `        self.gather = ops.Gather().shard(((4, 1), (1, 4)))
        self.gather.add_prim_attr("manual_split", (2, 6, 5, 3))`,
    "self, table, at):\n        return self.gather(table, at, 0)",
    'table=(16, 4), at=((3, 8), "int32")',
  );
  const { plan, program, diagnostics } = compileText(text);
  expect(diagnostics.map(({ code }) => code)).toContain("mindspore/as-given");
  for (let seed = 1; seed <= 5; seed += 1) {
    const run = runPlan(plan, program, { seed, values: "integers" });
    expect(run.ok && run.value.first).toBeUndefined();
    const at = run.ok ? [...run.value.ran.wanted].find(([id]) => id === "at")?.[1].values : [];
    const sections = [...(at ?? [])].map((row, flat) => [Math.floor((flat % 8) / 2), row] as const);
    const starts = [0, 2, 8, 13, 16];
    for (const [piece, row] of sections) {
      expect(row).toBeGreaterThanOrEqual(starts[piece] ?? 0);
      expect(row).toBeLessThan(starts[piece + 1] ?? 0);
    }
    expect(new Set(sections.map(([piece]) => piece)).size).toBe(4);
  }
});
