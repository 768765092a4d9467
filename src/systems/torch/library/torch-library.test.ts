import { expect, test } from "vitest";
import { compile } from "#compile";
import { flatSteps } from "#core/program";
import { readDocument } from "#systems";

const head = `import torch, copy, math
from torch import nn
import torch.nn.functional as F
from einops import rearrange, repeat, reduce
x = Tensor((2, 8, 4, 4))
s = Tensor((2, 6, 8))
i = Tensor((2, 3), "int64")
`;

function read(lines: string) {
  const { diagnostics, graph, modules } = readDocument(`${head}${lines}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return { modules, shape: graph.tensors.find(({ name }) => name === "y")?.shape };
}

/** Shapes that PyTorch 2.13 gives on the meta device for the same expressions. */
test.each`
  expression                                                              | shape
  ${"x[:, [-1], :]"}                                                      | ${[2, 1, 4, 4]}
  ${"x[:, 0, None]"}                                                      | ${[2, 1, 4, 4]}
  ${"x[..., ::2, 1:]"}                                                    | ${[2, 8, 2, 3]}
  ${"s[i]"}                                                               | ${[2, 3, 6, 8]}
  ${"s[torch.arange(2)[:, None], i]"}                                     | ${[2, 3, 8]}
  ${"torch.arange(start=0, end=6, step=2)"}                               | ${[3]}
  ${"torch.arange(0, 1, 0.25)"}                                           | ${[4]}
  ${"s // 2"}                                                             | ${[2, 6, 8]}
  ${"s % s[0]"}                                                           | ${[2, 6, 8]}
  ${"~(s > 0) & (s != 1)"}                                                | ${[2, 6, 8]}
  ${"torch.einsum('...ij,...kj->...ik', s, s)"}                           | ${[2, 6, 6]}
  ${"torch.einsum('bij,bkj', s, s)"}                                      | ${[6, 6]}
  ${"torch.meshgrid(torch.arange(3), torch.arange(5), indexing='xy')[0]"} | ${[5, 3]}
  ${"s.repeat_interleave(3, dim=1)"}                                      | ${[2, 18, 8]}
  ${"s.unbind(1)[0]"}                                                     | ${[2, 8]}
  ${"s.movedim(0, -1)"}                                                   | ${[6, 8, 2]}
  ${"torch.tensor_split(s, indices=(1, 3), dim=1)[1]"}                    | ${[2, 2, 8]}
  ${"s.tensor_split(sections=4, dim=1)[0]"}                               | ${[2, 2, 8]}
  ${"torch.round(s, decimals=2)"}                                         | ${[2, 6, 8]}
  ${"s[:, :1].expand_as(s)"}                                              | ${[2, 6, 8]}
  ${"s.sum_to_size(6, 1)"}                                                | ${[6, 1]}
  ${"s.sum_to_size((2, 1, 8))"}                                           | ${[2, 1, 8]}
  ${"torch.gradient(s)[2]"}                                               | ${[2, 6, 8]}
  ${"torch.gradient(s, dim=(0, -1))[1]"}                                  | ${[2, 6, 8]}
  ${"s.unflatten(-1, (2, 4))"}                                            | ${[2, 6, 2, 4]}
  ${"torch.view_as_complex(s.reshape(2, 6, 4, 2))"}                       | ${[2, 6, 4]}
  ${"torch.view_as_real(torch.polar(s, s))"}                              | ${[2, 6, 8, 2]}
  ${"s.masked_fill_(s > 0, 1.0)"}                                         | ${[2, 6, 8]}
  ${"F.adaptive_avg_pool2d(x, (1, 2))"}                                   | ${[2, 8, 1, 2]}
  ${"F.max_pool2d(x, 3, 2, ceil_mode=True)"}                              | ${[2, 8, 2, 2]}
  ${"F.interpolate(x, scale_factor=2)"}                                   | ${[2, 8, 8, 8]}
  ${"F.pixel_shuffle(x, 2)"}                                              | ${[2, 2, 8, 8]}
  ${"F.pad(x, (1, 2, 1, 1), mode='reflect')"}                             | ${[2, 8, 6, 7]}
  ${"F.unfold(x, 3, padding=1)"}                                          | ${[2, 72, 16]}
  ${"F.normalize(s, dim=-1)"}                                             | ${[2, 6, 8]}
  ${"F.glu(s)"}                                                           | ${[2, 6, 4]}
  ${"rearrange(x, 'b (g c) h w -> b (h w) g c', g=2)"}                    | ${[2, 16, 2, 4]}
  ${"repeat(s, 'b n d -> b (n r) d', r=2)"}                               | ${[2, 12, 8]}
  ${"reduce(x, 'b c h w -> b c', 'mean')"}                                | ${[2, 8]}
  ${"nn.Flatten()(x)"}                                                    | ${[2, 128]}
  ${"nn.Conv2d(8, 4, 3, padding='same')(x)"}                              | ${[2, 4, 4, 4]}
  ${"nn.Conv2d(8, 4, 3)(x[0])"}                                           | ${[4, 2, 2]}
  ${"nn.Conv2d(8, 4, 2, padding='same')(x[0])"}                           | ${[4, 4, 4]}
  ${"nn.Conv1d(6, 4, 3)(s[0])"}                                           | ${[4, 6]}
  ${"F.conv1d(s[0], torch.randn(4, 6, 3), padding=1)"}                    | ${[4, 8]}
  ${"F.conv2d(x[0], torch.randn(4, 2, 3, 3), None, 1, 1, 1, 4)"}          | ${[4, 4, 4]}
  ${"nn.Identity()(x)"}                                                   | ${[2, 8, 4, 4]}
  ${"(x if nn.Identity()(None) is None else s).relu()"}                   | ${[2, 8, 4, 4]}
  ${"nn.LSTM(8, 5, batch_first=True, bidirectional=True)(s)[0]"}          | ${[2, 6, 10]}
  ${"nn.GRU(8, 5, 2)(s)[1]"}                                              | ${[2, 6, 5]}
  ${"nn.LSTMCell(8, 5)(s[:, 0])[1]"}                                      | ${[2, 5]}
  ${"nn.MultiheadAttention(8, 2, batch_first=True)(s, s, s)[1]"}          | ${[2, 6, 6]}
  ${"nn.Transformer(8, 2, 1, 1, 16)(s, s[:1])"}                           | ${[1, 6, 8]}
  ${"nn.ConvTranspose2d(8, 4, 3, 2, 1, output_padding=1)(x)"}             | ${[2, 4, 8, 8]}
  ${"nn.AdaptiveAvgPool2d(1)(x)"}                                         | ${[2, 8, 1, 1]}
`("$expression has the shape $shape", ({ expression, shape }) => {
  expect(read(`y = ${expression}`).shape).toEqual(shape);
});

/** Counts that PyTorch 2.13 gives for the same modules. */
test.each`
  module                                                   | parameters
  ${"nn.MultiheadAttention(8, 2)"}                         | ${288}
  ${"nn.MultiheadAttention(8, 2, kdim=4, vdim=6)"}         | ${240}
  ${"nn.TransformerEncoderLayer(8, 2, 16)"}                | ${600}
  ${"nn.Transformer(8, 2, 2, 2, 16)"}                      | ${3040}
  ${"nn.LSTM(8, 5, 2, bidirectional=True)"}                | ${1280}
  ${"nn.GRU(8, 5)"}                                        | ${225}
  ${"nn.ConvTranspose2d(8, 4, 3, groups=2)"}               | ${148}
  ${"nn.BatchNorm2d(8, affine=False)"}                     | ${0}
  ${"nn.GroupNorm(num_groups=2, num_channels=8)"}          | ${16}
  ${"nn.PReLU()"}                                          | ${1}
  ${"nn.ModuleDict({'a': nn.Linear(2, 3)})"}               | ${9}
  ${"nn.ParameterList([nn.Parameter(torch.zeros(2, 3))])"} | ${6}
`("$module has $parameters parameters", ({ module, parameters }) => {
  expect(read(`net = ${module}`).modules.get("net")).toBe(parameters);
});

test("setting elements gives the tensor other values, and a parameter keeps what it is", () => {
  const text =
    "y = torch.zeros(4, 4)\ny[:, 0::2] = torch.sin(Tensor((4, 2)))\nz = y + 1\nw = nn.Parameter(torch.zeros(4))\nw[0] = 1";
  const { graph } = readDocument(`${head}${text}\n`);
  const added = graph.operators.find(({ op }) => op === "add");
  const made = graph.operators.find(({ op }) => op === "setitem");
  expect(added?.inputs[0]?.tensor).toBe(made?.outputs[0]?.tensor);
  expect(graph.operators.filter(({ op }) => op === "setitem")).toHaveLength(1);
});

test("a decorator that is not known leaves what it decorates", () => {
  const text =
    "from kernels import fused\n@fused('relu')\ndef act(t):\n    return torch.relu(t)\ny = act(s)";
  expect(read(text).shape).toEqual([2, 6, 8]);
});

test("a count that is not known is said where it is used", () => {
  const text = "import os\nfor _ in range(int(os.environ['N'])):\n    s = s + 1";
  const { diagnostics } = readDocument(`${head}${text}\n`);
  const said = diagnostics.filter(({ code }) => code === "document/unknown-value");
  expect(said).toHaveLength(1);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

/** Identifiers along which the operators of a program are cut. */
function cutIn(lines: string): readonly string[] {
  const { diagnostics, program } = compile(`mesh = Mesh(tp=2)\n${head}${lines}\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const local = flatSteps(program).flatMap((step) => (step.kind === "local" ? [step] : []));
  return local.flatMap(({ strategy }) => Object.keys(strategy.cuts));
}

// Megatron's layers bring their cuts along: columns, rows, a vocabulary; fairscale's cuts the width.
test.each`
  module                             | layer                              | read   | cut
  ${"megatron.core.tensor_parallel"} | ${"ColumnParallelLinear(8, 16)"}   | ${"s"} | ${"n"}
  ${"megatron.core.tensor_parallel"} | ${"RowParallelLinear(8, 16)"}      | ${"s"} | ${"k"}
  ${"megatron.core.tensor_parallel"} | ${"VocabParallelEmbedding(16, 8)"} | ${"i"} | ${"n"}
  ${"fairscale.nn.model_parallel"}   | ${"ParallelEmbedding(16, 8)"}      | ${"i"} | ${"k"}
  ${"fairscale.nn.model_parallel"}   | ${"ColumnParallelLinear(8, 16)"}   | ${"s"} | ${"n"}
  ${"fairscale.nn.model_parallel"}   | ${"RowParallelLinear(8, 16)"}      | ${"s"} | ${"k"}
  ${"fairscale.nn.model_parallel"}   | ${"VocabParallelEmbedding(16, 8)"} | ${"i"} | ${"n"}
`("$layer is cut along $cut", ({ module, layer, read, cut }) => {
  const [name = ""] = layer.split("(");
  expect(cutIn(`from ${module} import ${name}\nnet = ${layer}\ny = net(${read})`)).toContain(cut);
});

test("an optimizer of tensors is no tensor", () => {
  read(
    "w = nn.Parameter(torch.zeros(2))\nopt = torch.optim.SGD([w], lr=0.1)\nopt.step()\ny = s * 2",
  );
  const { graph } = readDocument(`${head}opt = torch.optim.SGD([s], lr=0.1)\nopt.step()\n`);
  expect(graph.operators).toEqual([]);
});
