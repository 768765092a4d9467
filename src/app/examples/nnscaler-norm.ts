import type { Example } from "#app/first-example";

export const nnscalerNorm: Example = {
  name: "nnscaler-norm",
  title: "nnScaler: an instance norm without communication",
  note: "The registered instance norm of nnScaler's documentation, Customized Operator: n and c are cut, ^ keeps h and w whole.",
  program: `import torch
import torch.nn as nn
import nnscaler

@nnscaler.register_op('n c h^ w^, c, c -> n c h^ w^', name='my_instance_norm')
def my_instance_norm(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    return nn.functional.instance_norm(input, weight=weight, bias=bias)

mesh = Mesh(dp=2, tp=2)
x = Tensor((4, 8, 6, 6))
weight = Parameter((8,))
bias = Parameter((8,))
y = my_instance_norm(x, weight, bias)
strategy(y, n="dp", c="tp")
`,
};
