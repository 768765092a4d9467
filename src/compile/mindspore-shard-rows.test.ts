import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "./compile.ts";

/** A call in a program, and the kind of error that MindSpore raises for it. */
interface Row {
  readonly item: string;
  readonly what: string;
  readonly call: string;
  readonly kind: string | null;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/compile/mindspore-shard-rows.json", "utf8"),
);

/** A net of one primitive on a product's operands, with layouts on four devices. */
function netOf(call: string): string {
  return `import mindspore.nn as nn
from mindspore import Parameter, Tensor, ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
l = Layout((2, 2), ("dp", "mp"))
i = Layout((4, 2), ("dp", "interleaved_parallel"))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.op = ${call}
        self.w = Parameter(Tensor((16, 8)))
    def construct(self, x):
        return self.op(${call.includes("ReLU") ? "x" : "x, self.w"})
net = AutoParallel(Net(), parallel_mode='semi_auto')
shapes(x=(16, 16))
`;
}

// mindspore.md §1.1, §1.2, §1.4, §2.1, §5.7, §5.8
test.each(rows)("[§2.1 item $item] $what: $kind", ({ call, kind }) => {
  const { diagnostics } = compile(netOf(call));
  const said = diagnostics.filter(({ upstream }) => upstream !== undefined);
  expect(said[0]?.upstream ?? null, said[0]?.message).toBe(kind);
});
