import { expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";

const head =
  "import numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nx = torch.randn(2, 3, 4)\nn = torch.zeros(2, dtype=torch.long)\nclass Scaled(torch.autograd.Function):\n  @staticmethod\n  def forward(x, by): return x * by\n  @staticmethod\n  def setup_context(ctx, inputs, output): ctx.by = inputs[1]\n  @staticmethod\n  def backward(ctx, g): return g * ctx.by, None\n";

function errorsOf(lines: string): readonly string[] {
  const { diagnostics } = readDocument(`${head}${lines}\n`);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

/** What PyTorch 2.13 raises, in its words. */
test.each`
  lines                                                                                       | message
  ${"x.t()"}                                                                                  | ${"t() expects a tensor with <= 2 dimensions, but self is 3D"}
  ${"torch.mm(x, x[0].t())"}                                                                  | ${"self must be a matrix"}
  ${"torch.bmm(x[0], x)"}                                                                     | ${"batch1 must be a 3D tensor"}
  ${"nn.Conv2d(3, 4, 3, groups=2)"}                                                           | ${"in_channels must be divisible by groups"}
  ${"nn.GroupNorm(3, 8)"}                                                                     | ${"num_channels (8) must be divisible by num_groups (3)"}
  ${"nn.Dropout(2.0)"}                                                                        | ${"dropout probability has to be between 0 and 1, but got 2"}
  ${"nn.Embedding(10, 4, padding_idx=10)"}                                                    | ${"Padding_idx must be within num_embeddings"}
  ${"nn.MultiheadAttention(10, 3)"}                                                           | ${"embed_dim must be divisible by num_heads"}
  ${"nn.TransformerEncoderLayer(10, 3)"}                                                      | ${"embed_dim must be divisible by num_heads"}
  ${"nn.ModuleDict({'a.b': nn.Linear(2, 2)})"}                                                | ${"'module name can\\'t contain \".\", got: a.b'"}
  ${"nn.BatchNorm2d(3)(x)"}                                                                   | ${"expected 4D input (got 3D input)"}
  ${"nn.BatchNorm1d(3)(x[:1, :, 0])"}                                                         | ${"Expected more than 1 value per channel when training, got input size torch.Size([1, 3])"}
  ${"F.binary_cross_entropy_with_logits(torch.randn(4), torch.ones(4, 1))"}                   | ${"Target size (torch.Size([4, 1])) must be the same as input size (torch.Size([4]))"}
  ${"F.scaled_dot_product_attention(x[None], x[None, :1].expand(1, 3, 3, 4), x[None])"}       | ${"The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"}
  ${"F.interpolate(x, scale_factor=2, mode='bilinear')"}                                      | ${"Got 3D input, but bilinear mode needs 4D input"}
  ${"F.pad(x, (5, 5), mode='reflect')"}                                                       | ${"Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (5, 5) at dimension 2 of input [2, 3, 4]"}
  ${"x[0].scatter(1, torch.zeros(3, 1, dtype=torch.long), torch.ones(1, 1))"}                 | ${"Expected index [3, 1] to be no larger than self [3, 4] apart from dimension 1 and to be no larger size than src [1, 1]"}
  ${"x[[True, False, True]]"}                                                                 | ${"The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [2, 3, 4] at index 0"}
  ${"torch.linalg.inv(x)"}                                                                    | ${"linalg.inv: A must be batches of square matrices, but they are 3 by 4 matrices"}
  ${"torch.det(x)"}                                                                           | ${"linalg.det: A must be batches of square matrices, but they are 3 by 4 matrices"}
  ${"torch.from_numpy([1, 2])"}                                                               | ${"expected np.ndarray (got list)"}
  ${"torch.tensor([1, 2], requires_grad=True)"}                                               | ${"Only Tensors of floating point and complex dtype can require gradients"}
  ${"n += 1.5"}                                                                               | ${"result type Float can't be cast to the desired output type Long"}
  ${"n /= 2"}                                                                                 | ${"result type Float can't be cast to the desired output type Long"}
  ${"n.add_(torch.zeros(3, 2, dtype=torch.long))"}                                            | ${"output with shape [2] doesn't match the broadcast shape [3, 2]"}
  ${"x[:, :2].copy_(torch.randn(3, 4))"}                                                      | ${"The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"}
  ${"x[0] = torch.ones(5)"}                                                                   | ${"The expanded size of the tensor (4) must match the existing size (5) at non-singleton dimension 1.  Target sizes: [3, 4].  Tensor sizes: [5]"}
  ${"x[:, 5] = 1"}                                                                            | ${"index 5 is out of bounds for dimension 1 with size 3"}
  ${"nn.Conv2d(3, 6, 3, padding='foo')"}                                                      | ${"Invalid padding string 'foo', should be one of {'valid', 'same'}"}
  ${"nn.Linear(2, 3).load_state_dict({'weight': torch.zeros(3, 3), 'bias': torch.zeros(3)})"} | ${"Error(s) in loading state_dict for Linear:\n\tsize mismatch for weight: copying a param with shape [3, 3] from checkpoint, the shape in current model is [3, 2]."}
  ${"nn.Linear(2, 3).load_state_dict({'weight': torch.zeros(3, 2)})"}                         | ${'Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "bias". '}
  ${"nn.Linear(2, 3, bias=False).load_state_dict(nn.Linear(2, 3).state_dict())"}              | ${'Error(s) in loading state_dict for Linear:\n\tUnexpected key(s) in state_dict: "bias". '}
  ${"x.kthvalue(9)"}                                                                          | ${"kthvalue(): selected number k out of range for dimension 2"}
  ${"torch.cross(x, x, dim=0)"}                                                               | ${"linalg.cross: inputs dimension 0 must have length 3. Got 2 and 2"}
  ${"bool(x)"}                                                                                | ${"Boolean value of Tensor with more than one value is ambiguous"}
  ${"nn.Linear(4, 2)(x).backward()"}                                                          | ${"grad can be implicitly created only for scalar outputs"}
  ${"torch.repeat_interleave(x, torch.tensor([1, 2, 3]), dim=0)"}                             | ${"repeats must have the same size as input along dim, but got repeats.size(0) = 3 and input.size(0) = 2"}
`("$lines is refused", ({ lines, message }) => {
  expect(errorsOf(lines)).toEqual([message]);
});

test.each`
  lines
  ${"nn.Conv2d(4, 8, 3, groups=4)\nnn.GroupNorm(1, 7)\nnn.Dropout(p=1.0)\nnn.Embedding(10, 3, padding_idx=-1)"}
  ${"nn.BatchNorm1d(3).eval()(x[:1, :, 0])\nnn.BatchNorm1d(3)(x[:1])\nnn.BatchNorm2d(2)(torch.randn(1, 2, 1, 2))"}
  ${"F.scaled_dot_product_attention(x[None], x[None, :1], x[None, :1])"}
  ${"F.scaled_dot_product_attention(x.repeat(1, 2, 1)[None], x[None, :1], x[None, :1], enable_gqa=True)"}
  ${"n += 1\nn *= 2\nn //= 2\nn.div_(2, rounding_mode='floor')\nx /= 2\nx += n[0]\nx.add_(torch.ones(3, 1))"}
  ${"w = torch.rand(2, 3, 4, requires_grad=True)\n(w * 2).sum(0, keepdim=True).sum().backward()\n(w * 2).backward(torch.ones(2, 3, 4))"}
  ${"torch.randn(3).t()\nx[0].t()\ntorch.zeros(2, 3).scatter_(0, torch.tensor([[0, 1, 1]]), torch.rand(2, 3))"}
  ${"assert torch.ones(1)\nt = torch.randn(3)\nt.tolist()\nt.tolist()"}
  ${"torch.zeros(2, requires_grad=True)\ntorch.tensor([1, 2], dtype=torch.float, requires_grad=True)"}
  ${"missing, unexpected = nn.Linear(4, 2).load_state_dict(torch.load('a.pt'), strict=False)\nprint(missing)"}
  ${"x[:, 1:] = torch.ones(2, 4)\nx[0, ..., 1] = torch.ones(1, 3)\nx[None, 1:, ::2] = 0\nx[:, -1] = torch.arange(4.)"}
  ${"out = torch.zeros(0)\nout = torch.cat([out, x[0]])"}
  ${"x.kthvalue(4)\nx.kthvalue(2, 0)\ntorch.cross(x, x, dim=1)"}
  ${"torch.linalg.qr(x)\ntorch.linalg.pinv(x)\ntorch.linalg.svdvals(x)"}
`("$lines is taken", ({ lines }) => {
  expect(errorsOf(lines)).toEqual([]);
});

/** Shapes as PyTorch 2.13 and NumPy have them. */
test.each`
  value                                                                         | shape
  ${"F.pad(torch.randn(4, 4), (-1, -1, 2, 2))"}                                 | ${[8, 2]}
  ${"x[[True, False]]"}                                                         | ${[1, 3, 4]}
  ${"x[:, torch.tensor([True, False, True])]"}                                  | ${[2, 2, 4]}
  ${"torch.nonzero(torch.tensor([[1, 0], [2, 3]]))"}                            | ${[3, 2]}
  ${"torch.where(torch.tensor([True, False, True]))[0]"}                        | ${[2]}
  ${"torch.masked_select(torch.ones(3), torch.tensor([True, False, True]))"}    | ${[2]}
  ${"torch.unique(torch.tensor([3, 1, 1, 2]))"}                                 | ${[3]}
  ${"torch.bincount(torch.tensor([0, 3]))"}                                     | ${[4]}
  ${"torch.repeat_interleave(torch.tensor([2, 3]))"}                            | ${[5]}
  ${"x.repeat_interleave(torch.tensor([1, 3]), dim=0)"}                         | ${[4, 3, 4]}
  ${"torch.zeros(len(np.where(np.array([0, 1, 2]) > 0)[0]))"}                   | ${[2]}
  ${"torch.zeros(int(np.cumsum([1, 2, 3])[-1]))"}                               | ${[6]}
  ${"torch.zeros(int(np.sum([1, 2])), int(np.max((3, 5))), np.argmax([1, 4]))"} | ${[3, 5, 1]}
  ${"torch.zeros(9, 2)[: torch.tensor([3, 5])[1]]"}                             | ${[5, 2]}
`("$value has a known shape", ({ value, shape }) => {
  const { graph, diagnostics } = readDocument(`${head}y = ${value}\n`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual(shape);
});

test.each`
  lines                                                             | says
  ${"x[x > 0] *= 2\ny = x + 1"}                                     | ${["where"]}
  ${"m = torch.rand(2) > 0.5\nx[m] -= 1\ny = x + 1"}                | ${["where"]}
  ${"m = torch.rand(2) > 0.5\nx[m] += torch.ones(3, 4)\ny = x + 1"} | ${["where"]}
`("$lines changes elements where the mask holds", ({ lines, says }) => {
  const { graph, diagnostics } = readDocument(`${head}${lines}\n`);
  expect(diagnostics).toEqual([]);
  expect(graph.operators.map(({ entry }) => entry)).toEqual(expect.arrayContaining(says));
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual([2, 3, 4]);
});

test("what an autograd.Function with setup_context makes has a known shape", () => {
  const { graph } = readDocument(`${head}y = Scaled.apply(x, 2.0)\n`);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual([2, 3, 4]);
});

const noView = "torch/no-view";

/** Whether PyTorch 2.13 shows the elements in the shape that is asked for. */
test.each`
  value                                                                   | codes
  ${"x.transpose(1, 2).view(2, 12)"}                                      | ${[noView]}
  ${"x.transpose(0, 1).view(3, 2, 2, 2)"}                                 | ${[]}
  ${"x.transpose(1, 2).view(5, 5)"}                                       | ${["document/reshape-size"]}
  ${"x.permute(1, 0, 2).view(6, 4)"}                                      | ${[noView]}
  ${"x[:, :2].view(2, 8)"}                                                | ${[]}
  ${"x[:, :, :2].view(2, 6)"}                                             | ${[noView]}
  ${"x.chunk(2, -1)[0].view(2, 6)"}                                       | ${[noView]}
  ${"x[:, :1].expand(2, 3, 4).view(2, 12)"}                               | ${[noView]}
  ${"x.mT.contiguous().view(24)"}                                         | ${[]}
  ${"(x.mT * 2).view(24)"}                                                | ${[noView]}
  ${"nn.Linear(4, 12)(x).view(2, 3, 3, 4).unbind(2)[0].view(2, 12)"}      | ${[noView]}
  ${"nn.Linear(4, 12)(x).split(4, -1)[1].view(2, 3, 2, 2)"}               | ${[]}
  ${"x.transpose(1, 2).reshape(2, 12)"}                                   | ${[]}
  ${"F.scaled_dot_product_attention(x, x, x).transpose(0, 1).view(3, 8)"} | ${[]}
  ${"nn.Conv1d(3, 5, 3)(x).transpose(1, 2).view(2, 10)"}                  | ${[noView]}
  ${"nn.Conv1d(4, 5, 3)(x.mT).transpose(1, 2).view(2, 5)"}                | ${[]}
  ${"F.relu(nn.Conv2d(2, 5, 2)(x[None])).permute(0, 2, 3, 1).view(-1)"}   | ${[noView]}
  ${"nn.Conv2d(2, 1, 2)(x[None]).permute(0, 2, 3, 1).view(-1)"}           | ${[]}
  ${"nn.Conv2d(3, 5, 2)(x.mT[None].mT.permute(0, 2, 3, 1)).view(-1)"}     | ${[]}
  ${"(nn.Conv1d(3, 5, 3)(x) + 1).mT.view(2, 10)"}                         | ${[noView]}
`("$value: $codes", ({ value, codes }) => {
  const { diagnostics } = compile(`${head}y = ${value}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(codes);
});

test("of sizes that nobody gave no view is refused", () => {
  const text =
    "import torch.nn as nn\nclass M(nn.Module):\n    def forward(self, x):\n        b, c, h = x.shape\n        return x.transpose(1, 2).view(b, c * h)\ny = M()(x)\n";
  const { diagnostics } = compile(text);
  expect(diagnostics.map(({ code }) => code)).not.toContain(noView);
});

test("a list of elements that nobody knows is true, and raises nothing", () => {
  const text = `${head}rows = [r.tolist() for r in x[0, 0].split([2, 2])]\ny = torch.ones(2) if rows[0] or [0.0] else torch.ones(3)\n`;
  expect(compile(text).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("what follows from sizes that nobody gave is written nowhere in vain", () => {
  const text = `${head}class M(nn.Module):\n  def forward(self, n):\n    table = torch.zeros(6, 4)\n    table[:, 0::2] = torch.sin(torch.arange(n)) * torch.ones(6, 1)\n    return table\ny = M()(Tensor())\n`;
  expect(compile(text).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
