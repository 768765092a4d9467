import type { Example } from "#app/first-example";

export const nnscalerPolicy: Example = {
  name: "nnscaler-policy",
  title: "nnScaler: a registered operator and its policy",
  note: "The registered matmul and the PAS of nnScaler's documentation, Dimops, with the ellipses filled in, the argument h passed and sizes in the last line.",
  program: `import torch
import nnscaler

@nnscaler.register_op('(h^ m^) kd+, kd+ n -> h^ m^ n', name='matmul_custom')
def operator(x: torch.Tensor, w: torch.Tensor, h: float) -> torch.Tensor:
    out = torch.matmul(x, w)
    out = out.view(h, out.size(0) // h, out.size(1))
    return out


class Model(torch.nn.Module):
    def forward(self, x, w):
        out = operator(x, w, h=8)  # simply use it
        return out

def PAS(graph: IRGraph, resource):
    for node in graph.nodes():
        if node.name == 'matmul_custom':
            algo = node.algorithm('dim')
            # partition kd+
            config = dict(idx=0, dim=1, num=resource.ngpus)
            subnodes = graph.partition(node, algo, **config)
    return graph

shapes(x=(64, 32), w=(32, 16))
`,
};
