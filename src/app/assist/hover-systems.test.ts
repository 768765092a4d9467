import { expect, test } from "vitest";
import { hoverAt } from "./hover-at.ts";
import { exampleMarked, markedFacts } from "./marked.testing.ts";

/** One operator of MindSpore with an attribute, on 4 devices. */
function attributed(primitive: string, call: string): string {
  return `from mindspore import ops
x = Tensor((8, 8))
i = Tensor((8,), "int32")
${primitive}
y = ${call}
`;
}

const written = {
  annotation: `# annotation: * (h t) k+, ?, k+ 3 -> * h t 3
def mine(x, table, w):
    return x

mesh = Mesh(d=2)
x = Tensor((2, 8, 4))
w = Parameter((4, 3))
y = mine(x, None, w, h=4)
`,
  frozen: `# annotation: *^ k -> *^ k
def mine(x):
    return x

y = mine(Tensor((2, 8, 4)))
`,
  gather: attributed(
    'gather = ops.Gather().add_prim_attr("manual_split", (5, 3)).shard(((2, 1), (1,)))',
    "gather(x, i, 0)",
  ),
  cpu: attributed(
    'gather = ops.Gather().add_prim_attr("primitive_target", "CPU")',
    "gather(x, i, 0)",
  ),
  reduce: attributed(
    'mean = ops.ReduceSum().add_prim_attr("cross_batch", True).shard(((4, 1),))',
    "mean(x, 0)",
  ),
  reshape: attributed(
    'reshape = ops.Reshape().add_prim_attr("skip_redistribution", True)',
    "reshape(x, (64,))",
  ),
  layouts: `from mindspore import Layout, ops
layout = Layout((2, 2, 2), ("dp", "sp", "mp"))
x = Tensor((8, 8))
w = Parameter((8, 4))
y = ops.MatMul().shard((layout("mp", ("sp", "dp")), layout(("sp", "dp"), "None")), (layout("mp", "None"),))(x, w)
`,
  search: `import mindspore.nn as nn
from mindspore import ops
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = ops.MatMul().shard(((4, 1), (1, 1)))
        self.b = ops.ReLU()
    def construct(self, x, w):
        return self.b(self.a(x, w))
net = AutoParallel(Net(), parallel_mode="sharding_propagation")
`,
} as const;

type Text = keyof typeof written;

/** Of the title and the lines that are said at `‸` of a place, all. */
function saidAt(text: string, place: string): readonly string[] {
  const source = Object.hasOwn(written, text) ? written[text as Text] : undefined;
  const plain = place.replace("‸", "");
  const marked =
    source === undefined ? exampleMarked(text, place) : source.replace(plain, () => place);
  const { facts, offset } = markedFacts(marked);
  const hover = hoverAt(facts, offset);
  return hover === undefined ? [] : [hover.title, ...hover.lines];
}

test.each`
  text                       | place                                      | title                                           | line
  ${"annotation"}            | ${": ‸* (h"}                               | ${"*"}                                          | ${/^Any number of dims/}
  ${"annotation"}            | ${"‸(h t)"}                                | ${"(h t)"}                                      | ${/^Only h may be cut/}
  ${"annotation"}            | ${"(h t‸)"}                                | ${"(h t)"}                                      | ${/^t: not cut anywhere/}
  ${"annotation"}            | ${", ‸?,"}                                 | ${"?"}                                          | ${/whole on every device/}
  ${"annotation"}            | ${"k+ ‸3 ->"}                              | ${"3"}                                          | ${/never cut/}
  ${"annotation"}            | ${"3 ‸-> *"}                               | ${"->"}                                         | ${/^Inputs stand before it/}
  ${"annotation"}            | ${"k+‸, ?"}                                | ${"k+ = 4"}                                     | ${/^k\+ is summed/}
  ${"frozen"}                | ${": ‸*^ k"}                               | ${"*"}                                          | ${"^: none of them may be cut."}
  ${"nnscaler-policy"}       | ${"('(h‸^ m^)"}                            | ${"h^ = 8"}                                     | ${"h^ may not be cut."}
  ${"nnscaler-policy"}       | ${"kd‸+, kd+"}                             | ${"kd+ = 32"}                                   | ${/^kd\+ is summed/}
  ${"nnscaler-policy"}       | ${"dict(‸idx=0"}                           | ${"idx = 0"}                                    | ${"0 of matmul_custom is x."}
  ${"nnscaler-policy"}       | ${"idx=‸0"}                                | ${"idx = 0"}                                    | ${/inputs from 0, outputs behind them/}
  ${"nnscaler-policy"}       | ${"‸dim=1"}                                | ${"dim = 1"}                                    | ${"1 of x is kd."}
  ${"nnscaler-policy"}       | ${"‸num=resource"}                         | ${"num = resource.ngpus"}                       | ${"kd of matmul_custom, size 32: 4 pieces of 8, each a part of the sum."}
  ${"nnscaler-policy"}       | ${"algorithm('‸dim')"}                     | ${"'dim'"}                                      | ${/along a dim of its annotation/}
  ${"nnscaler-policy"}       | ${"node.‸algorithm"}                       | ${"node.algorithm(tag)"}                        | ${/along an identifier/}
  ${"nnscaler-policy"}       | ${"graph.‸partition"}                      | ${"graph.partition(node, algo, idx, dim, num)"} | ${/^Cuts an operator into pieces/}
  ${"nnscaler-policy"}       | ${"resource.‸ngpus"}                       | ${"resource.ngpus"}                             | ${/plan_ngpus/}
  ${"mindspore-net"}         | ${"'‸semi_auto'"}                          | ${'parallel_mode "semi_auto"'}                  | ${/along its first dim over all devices/}
  ${"search"}                | ${'"‸sharding_propagation"'}               | ${'parallel_mode "sharding_propagation"'}       | ${/least redistribution/}
  ${"search"}                | ${'"‸sharding_propagation"'}               | ${'parallel_mode "sharding_propagation"'}       | ${/would choose/}
  ${"gather"}                | ${'"‸manual_split"'}                       | ${"manual_split = (5, 3)"}                      | ${/axis 0 only/}
  ${"gather"}                | ${"(‸5, 3)"}                               | ${"manual_split = (5, 3)"}                      | ${/add up to the rows/}
  ${"cpu"}                   | ${'"‸primitive_target"'}                   | ${'primitive_target = "CPU"'}                   | ${/runs on the host/}
  ${"cpu"}                   | ${'"‸CPU"'}                                | ${'primitive_target = "CPU"'}                   | ${/EmbeddingLookup/}
  ${"reduce"}                | ${'"‸cross_batch"'}                        | ${"cross_batch = True"}                         | ${/not synchronised/}
  ${"reshape"}               | ${'"‸skip_redistribution"'}                | ${"skip_redistribution = True"}                 | ${/Nothing is sent before or after/}
  ${"layouts"}               | ${'layout("‸mp", ('}                       | ${"mesh axis mp = 2"}                           | ${"Dim 0 of Input 0 of MatMul, x, size 8: 2 pieces of 4."}
  ${"layouts"}               | ${'‸("sp", "dp"))'}                        | ${"(sp, dp)"}                                   | ${"sp × dp cut one dim, sp outermost: (1, 2) in the tensor_map."}
  ${"layouts"}               | ${'("sp", "‸dp")),'}                       | ${"mesh axis dp = 2"}                           | ${"Dim 1 of Input 0 of MatMul, x, size 8: 4 pieces of 2."}
  ${"layouts"}               | ${'"‸None")), ('}                          | ${'"None"'}                                     | ${"Nothing cuts this dim: -1 in the tensor_map."}
  ${"layouts"}               | ${'(layout("‸mp", "None"),)'}              | ${"mesh axis mp = 2"}                           | ${"Dim 0 of Output 0 of MatMul, y, size 8: 2 pieces of 4."}
  ${"mindspore-interleaved"} | ${'mp", "‸interleaved_parallel"'}          | ${"interleaved_parallel = 2"}                   | ${/^A virtual axis, always the last: 4 cards/}
  ${"mindspore-interleaved"} | ${'("dp", "‸interleaved_parallel"), "mp"'} | ${"interleaved_parallel = 2"}                   | ${/runs once per piece/}
`("at $place of $text stands $title: $line", ({ text, place, title, line }) => {
  const said = saidAt(text, place);
  expect(said[0]).toBe(title);
  expect(said.slice(1)).toContainEqual(
    typeof line === "string" ? line : expect.stringMatching(line),
  );
});
