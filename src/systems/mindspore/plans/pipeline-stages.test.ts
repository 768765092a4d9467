import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/** A net of cells `a`, `b` and `c` under as many pipeline stages. */
function textOf(stages: number, lines: string, construct: string, end = ""): string {
  return `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, nn
import unknown
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch", pipeline_stages=${stages})
class Part(nn.Cell):
    def __init__(self, name):
        super().__init__()
        self.w = Parameter(Tensor(np.ones([64, 64]), ms.float32), name=name)
        self.mm = P.MatMul()
    def construct(self, x):
        return self.mm(x, self.w)
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = Part("a"), Part("b"), Part("c")
        self.list = nn.CellList([Part("d"), Part("e")])
        self.row = nn.SequentialCell(Part("f"), nn.Dense(64, 64))
        ${lines.replaceAll("; ", "\n        ")}
    def construct(self, x):
        return ${construct}
net = Net()
${end}
net(Tensor(np.ones([64, 64]), ms.float32))
`;
}

const both = "self.a.pipeline_stage = 0; self.b.pipeline_stage = 1";

// Answers of the compiler of MindSpore 2.10.0 for a net in the phase of a plain call.
test.each`
  stages | lines                                                           | construct                                  | end                                                               | refused
  ${2}   | ${"self.a = unknown.Block(); self.a.pipeline_stage = 0"}        | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${false}
  ${1}   | ${""}                                                           | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${false}
  ${2}   | ${""}                                                           | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${true}
  ${2}   | ${both}                                                         | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${false}
  ${2}   | ${"self.a.pipeline_stage = 0"}                                  | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${true}
  ${2}   | ${"self.a.pipeline_stage = 0; self.b.pipeline_stage = 0"}       | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${true}
  ${2}   | ${"self.a.pipeline_stage = 0; self.b.pipeline_stage = 3"}       | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${false}
  ${2}   | ${"self.pipeline_stage = 1"}                                    | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${true}
  ${2}   | ${`${both}; self.c.pipeline_stage = 2`}                         | ${"self.b(self.a(x))"}                     | ${""}                                                             | ${false}
  ${2}   | ${`${both}; self.c.pipeline_stage = 2`}                         | ${"self.c(self.b(self.a(x)))"}             | ${""}                                                             | ${true}
  ${2}   | ${"self.list.pipeline_stage = 0; self.b.pipeline_stage = 1"}    | ${"self.b(self.list[1](self.list[0](x)))"} | ${""}                                                             | ${true}
  ${2}   | ${"self.list[0].pipeline_stage = 0; self.b.pipeline_stage = 1"} | ${"self.b(self.list[0](x))"}               | ${""}                                                             | ${false}
  ${2}   | ${"self.row.pipeline_stage = 0; self.b.pipeline_stage = 1"}     | ${"self.b(self.row(x))"}                   | ${""}                                                             | ${false}
  ${2}   | ${"self.a.pipeline_stage = 0; self.row[1].pipeline_stage = 1"}  | ${"self.row[1](self.a(x))"}                | ${""}                                                             | ${false}
  ${2}   | ${""}                                                           | ${"self.b(self.a(x))"}                     | ${"net = nn.PipelineCell(net, 2)"}                                | ${true}
  ${2}   | ${""}                                                           | ${"self.b(self.a(x))"}                     | ${'net = nn.PipelineCell(net, 2, stage_config={"a": 0, "b": 1})'} | ${false}
  ${2}   | ${""}                                                           | ${"self.b(self.a(x))"}                     | ${'net = nn.PipelineCell(net, 2, stage_config={"a": 0})'}         | ${true}
`("$construct of $stages stages with $lines $end is refused: $refused", (row) => {
  const text = textOf(row.stages, row.lines, row.construct, row.end);
  const codes = shortly(text).errors.map(({ code }) => code);
  expect(codes).toEqual(row.refused ? ["mindspore/pipeline-stages"] : []);
});
