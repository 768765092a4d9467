import { expect, test } from "vitest";
import { hoverAt } from "./hover-at.ts";
import { exampleMarked, markedFacts } from "./marked.testing.ts";

/** A MindSpore operator with an attribute, on 4 devices. */
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
  tuples: `from mindspore import ops
x = Tensor((8, 8))
w = Parameter((8, 4))
y = ops.MatMul().shard(in_strategy=((2, 4), (4, 1)), out_strategy=((8, 1),))(x, w)
z = ops.MatMul().shard(((4, 2), (2, 1)), ((4, 1),))(x, w)
u = ops.MatMul().shard(((8, 1), (1, 1)), ((8, 1),))(x, w)
t = ops.Tile().shard(((2, 4),))(x, (1, 4))
`,
  modes: `import mindspore as ms
from mindspore import ops
ms.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="recursive_programming")
y = ops.MatMul()(Tensor((8, 8)), Parameter((8, 4)))
`,
  matrix: `from mindspore import Layout, ops
layout = Layout((2, 4), ("dp", "mp"))
y = ops.ReLU().shard((layout("dp", "mp"),))(Tensor((8, 8)))
`,
  shared: `import nnscaler
@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x, w): ...
mesh = Mesh(g=4)
y = mm(Tensor((16, 32)), Parameter((32, 16)))
def policy(graph, cfg):
    for node in graph.nodes():
        parts = graph.partition(node, node.algorithm('dim'), idx=0, dim=0, num=8)
        for i, piece in enumerate(parts):
            graph.assign(piece, i // 2)
    return graph
`,
} as const;

type Text = keyof typeof written;

/** The title and all lines of the hover at `‸` in a place. */
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
  ${"tuples"}                | ${"=((‸2, 4), (4, 1)), out"}               | ${"in_strategy[0][0] = 2"}                      | ${"Input 0 of MatMul is x; its dim 0 (m, size 8): 2 pieces over d0."}
  ${"tuples"}                | ${"=(‸(2, 4), (4, 1)), out"}               | ${"in_strategy[0] = (2, 4)"}                    | ${"Each slice of x is (4, 2) of (8, 8)."}
  ${"tuples"}                | ${"(2, 4), ‸(4, 1)), out"}                 | ${"in_strategy[1] = (4, 1)"}                    | ${"Input 1 of MatMul is w: a number of pieces for each of its dims."}
  ${"tuples"}                | ${"out_strategy=((‸8, 1)"}                 | ${"out_strategy[0][0] = 8"}                     | ${"Output 0 of MatMul is y; its dim 0 (m, size 8): 8 pieces over d0, d1, d2."}
  ${"tuples"}                | ${"out_strategy=((‸8, 1)"}                 | ${"out_strategy[0][0] = 8"}                     | ${/^The sum of 4 parts ends in a ReduceScatter/}
  ${"tuples"}                | ${"out_strategy=((8, ‸1)"}                 | ${"out_strategy[0][1] = 1"}                     | ${/its dim 1 \(n, size 4\): not split\.$/}
  ${"tuples"}                | ${"out_strategy=(‸(8, 1)"}                 | ${"out_strategy[0] = (8, 1)"}                   | ${"Each slice of y is (1, 4) of (8, 4)."}
  ${"tuples"}                | ${"(2, 1)), ((‸4, 1),))(x"}                | ${"out_strategy[0][0] = 4"}                     | ${/^The sum of 2 parts ends in an AllReduce/}
  ${"tuples"}                | ${"(1, 1)), ((‸8, 1),))(x"}                | ${"out_strategy[0][0] = 8"}                     | ${/^Nothing is summed here/}
  ${"tuples"}                | ${"Tile().shard(((2, ‸4)"}                 | ${"in_strategy[0][1] = 4"}                      | ${/\(r1, size 8\): 4 pieces over d1, d2\.$/}
  ${"tuples"}                | ${"Tile().shard(((2, ‸4)"}                 | ${"in_strategy[0][1] = 4"}                      | ${"Each slice of x is (4, 8) of (8, 8)."}
  ${"tuples"}                | ${"‸out_strategy=(("}                      | ${"shard(out_strategy=None)"}                   | ${"The same for the result."}
  ${"tuples"}                | ${"‸in_strategy=(("}                       | ${"shard(in_strategy)"}                         | ${/^One tuple per input/}
  ${"modes"}                 | ${"‸search_mode="}                         | ${"search_mode"}                                | ${/^"recursive_programming": The devices are halved/}
  ${"modes"}                 | ${"‸parallel_mode="}                       | ${"parallel_mode"}                              | ${/^"semi_auto": Strategies are taken as written/}
  ${"modes"}                 | ${'"‸auto_parallel"'}                      | ${'parallel_mode "auto_parallel"'}              | ${/see search_mode/}
  ${"modes"}                 | ${'"‸recursive_programming"'}              | ${'search_mode "recursive_programming"'}        | ${/halved again and again/}
  ${"matrix"}                | ${"Layout((2, ‸4)"}                        | ${"device_matrix[1] = 4"}                       | ${"The size of the axis mp, which a tensor_map calls 0."}
  ${"matrix"}                | ${'("‸dp", "mp"))\ny'}                     | ${"mesh axis dp = 2"}                           | ${/^Alias of dim 0 of device_matrix/}
  ${"gather"}                | ${".‸add_prim_attr("}                      | ${"add_prim_attr(name, value)"}                 | ${/manual_split/}
  ${"shared"}                | ${"num=‸8"}                                | ${"num = 8"}                                    | ${"m of mm, size 16: 8 pieces of 2, 2 on each device."}
  ${"shared"}                | ${"y = ‸mm("}                              | ${"mm: m k+, k+ n -> m n"}                      | ${"Split m over g in 2 pieces on each device, set."}
`("at $place of $text stands $title: $line", ({ text, place, title, line }) => {
  const said = saidAt(text, place);
  expect(said[0]).toBe(title);
  expect(said.slice(1)).toContainEqual(
    typeof line === "string" ? line : expect.stringMatching(line),
  );
});
