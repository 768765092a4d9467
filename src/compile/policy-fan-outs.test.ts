import { expect, test } from "vitest";
import { compile } from "./compile.ts";

/** Three products under a policy: `h = x·w`, `a = h·v`, and `b = h·` the given operand. */
function program(cuts: string, second: string, first = "pass"): string {
  return `import nnscaler, torch
@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, w)

def PAS(graph, cfg):
    ${first}
    cuts = ${cuts}
    for at, node in enumerate(node for node in graph.nodes() if node.name != 'multiref'):
        cut = cuts[at]
        if cut is None:
            pieces = graph.replicate(node, times=cfg.plan_ngpus)
        else:
            pieces = graph.partition(node, node.algorithm('dim'), idx=cut[0], dim=cut[1], num=cfg.plan_ngpus)
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)
    return graph

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.zeros(8, 8))
        self.v = torch.nn.Parameter(torch.zeros(8, 8))
    def forward(self, x):
        h = mm(x, self.w)
        a = mm(h, self.v)
        b = mm(h, self.${second})
        return a, b

mesh = Mesh(d=4)
x = Tensor((8, 8))
a, b = Model()(x)
`;
}

const everyTensor = "[graph.multiref(ft) for ft in graph.full_tensors()]";

// dimops.md §3, "Gradients"
test.each`
  cuts                          | second | first          | said
  ${"[(0, 0), (0, 0), (0, 0)]"} | ${"v"} | ${undefined}   | ${[]}
  ${"[None, None, None]"}       | ${"w"} | ${undefined}   | ${[]}
  ${"[(0, 0), (0, 0), (1, 1)]"} | ${"w"} | ${undefined}   | ${["RuntimeError overlap in part", "AssertionError different pieces"]}
  ${"[(0, 0), (0, 0), None]"}   | ${"w"} | ${undefined}   | ${["RuntimeError ALL replicated", "AssertionError different pieces"]}
  ${"[None, (1, 1), None]"}     | ${"v"} | ${undefined}   | ${["RuntimeError ALL replicated", "RuntimeError accumulate local gradient"]}
  ${"[None, (1, 1), None]"}     | ${"v"} | ${everyTensor} | ${[]}
`("[§3] readers cut along $cuts after $first: $said", ({ cuts, second, first, said }) => {
  const found = compile(program(cuts, second, first)).diagnostics;
  const texts = found.map(({ upstream, message }) => `${upstream} ${message}`);
  expect(found.map(({ code }) => code)).toEqual(said.map(() => "nnscaler/needs-multiref"));
  for (const [at, words] of said.entries()) {
    const [kind, ...rest] = words.split(" ");
    expect(texts[at]).toMatch(new RegExp(`^${kind} .*${rest.join(" ")}`));
  }
});
