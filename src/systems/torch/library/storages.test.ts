import { expect, test } from "vitest";
import { storagesOf } from "#core/ir/storages";
import { readDocument } from "#systems";

const head = `import torch
import torch.nn.functional as F
x = Tensor((2, 8, 4, 6))
s = Tensor((2, 6, 8))
w = Tensor((5, 8))
`;

/** Whether an expression shows memory that an input has, and the strides of dims longer than 1. */
function lies(expression: string) {
  const { diagnostics, graph } = readDocument(`${head}y = ${expression}\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { holder, strides } = storagesOf(graph);
  const y = graph.tensors.find(({ name }) => name === "y");
  if (y === undefined) throw new Error("a program without y");
  const inputs = new Set(graph.tensors.filter(({ role }) => role === "input").map(({ id }) => id));
  const isView = inputs.has(holder.get(y.id) ?? y.id);
  const steps = y.shape.map((size, dim) => (size === 1 ? "_" : strides.get(y.id)?.[dim]));
  return [isView ? "view" : "copy", steps.join()];
}

/** What PyTorch 2.13 says of the same expressions on the CPU. */
test.each`
  expression                                                     | memory    | strides
  ${"x.transpose(1, 2)"}                                         | ${"view"} | ${"192,6,24,1"}
  ${"x.transpose(1, 2).reshape(2, 4, 48)"}                       | ${"copy"} | ${"192,48,1"}
  ${"x.permute(0, 2, 3, 1).reshape(8, 6, 8)"}                    | ${"copy"} | ${"48,8,1"}
  ${"x.permute(0, 2, 3, 1).flatten(0, 1)"}                       | ${"copy"} | ${"48,8,1"}
  ${"x.transpose(1, 2).flatten(0, 1)"}                           | ${"copy"} | ${"48,6,1"}
  ${"x.flatten(2)"}                                              | ${"view"} | ${"192,24,1"}
  ${"x.flatten(2).transpose(1, 2)"}                              | ${"view"} | ${"192,1,24"}
  ${"x.view(2, 4, 2, 24)"}                                       | ${"view"} | ${"192,48,24,1"}
  ${"x[:, 2:6]"}                                                 | ${"view"} | ${"192,24,6,1"}
  ${"x[:, ::2]"}                                                 | ${"view"} | ${"192,48,6,1"}
  ${"x[:, 1]"}                                                   | ${"view"} | ${"192,6,1"}
  ${"x[:, 2:6].reshape(2, 96)"}                                  | ${"view"} | ${"192,1"}
  ${"x[:, 2:6].reshape(8, 24)"}                                  | ${"copy"} | ${"24,1"}
  ${"x[..., 1:3].reshape(2, 8, 8)"}                              | ${"copy"} | ${"64,8,1"}
  ${"x.unsqueeze(1).squeeze(1)"}                                 | ${"view"} | ${"192,24,6,1"}
  ${"x[:, None]"}                                                | ${"view"} | ${"192,_,24,6,1"}
  ${"x[:, :, None].expand(2, 8, 3, 4, 6)"}                       | ${"view"} | ${"192,24,0,6,1"}
  ${"x[:, :, None].expand(2, 8, 3, 4, 6).reshape(2, 24, 4, 6)"}  | ${"copy"} | ${"576,24,6,1"}
  ${"x.split(4, dim=1)[1]"}                                      | ${"view"} | ${"192,24,6,1"}
  ${"x.chunk(2, dim=-1)[0]"}                                     | ${"view"} | ${"192,24,6,1"}
  ${"x.unbind(1)[0]"}                                            | ${"view"} | ${"192,6,1"}
  ${"x.contiguous()"}                                            | ${"view"} | ${"192,24,6,1"}
  ${"x.transpose(1, 2).contiguous()"}                            | ${"copy"} | ${"192,48,6,1"}
  ${"x.clone()"}                                                 | ${"copy"} | ${"192,24,6,1"}
  ${"x.detach()"}                                                | ${"view"} | ${"192,24,6,1"}
  ${"x.to(torch.bfloat16)"}                                      | ${"copy"} | ${"192,24,6,1"}
  ${"x.transpose(1, 2).to(torch.bfloat16)"}                      | ${"copy"} | ${"192,6,24,1"}
  ${"F.relu(x.transpose(1, 2))"}                                 | ${"copy"} | ${"192,6,24,1"}
  ${"F.gelu(x.permute(0, 2, 3, 1))"}                             | ${"copy"} | ${"192,6,1,24"}
  ${"F.dropout(x, 0.0)"}                                         | ${"view"} | ${"192,24,6,1"}
  ${"F.dropout(x.transpose(1, 2), 0.5)"}                         | ${"copy"} | ${"192,6,24,1"}
  ${"x.transpose(1, 2) + 1"}                                     | ${"copy"} | ${"192,6,24,1"}
  ${"x.transpose(1, 2) * x.transpose(1, 2)"}                     | ${"copy"} | ${"192,6,24,1"}
  ${"s @ w.T"}                                                   | ${"copy"} | ${"30,5,1"}
  ${"s.transpose(1, 2)"}                                         | ${"view"} | ${"48,1,8"}
  ${"F.linear(s, w)"}                                            | ${"copy"} | ${"30,5,1"}
  ${"torch.einsum('bij,kj->bik', s, w)"}                         | ${"copy"} | ${"30,5,1"}
  ${"torch.einsum('bij,kj->bki', s, w)"}                         | ${"copy"} | ${"30,1,5"}
  ${"torch.einsum('bij->bji', s)"}                               | ${"view"} | ${"48,1,8"}
  ${"s.mT"}                                                      | ${"view"} | ${"48,1,8"}
  ${"w.T"}                                                       | ${"view"} | ${"1,8"}
  ${"w.t()"}                                                     | ${"view"} | ${"1,8"}
  ${"s.movedim(0, -1)"}                                          | ${"view"} | ${"8,1,48"}
  ${"s.unflatten(-1, (2, 4))"}                                   | ${"view"} | ${"48,8,4,1"}
  ${"torch.softmax(s.transpose(1, 2), -1)"}                      | ${"copy"} | ${"48,6,1"}
  ${"F.layer_norm(s.transpose(1, 2), (6,))"}                     | ${"copy"} | ${"48,6,1"}
  ${"torch.cat([s, s], 1)"}                                      | ${"copy"} | ${"96,8,1"}
  ${"torch.stack([s, s], 1)"}                                    | ${"copy"} | ${"96,48,8,1"}
  ${"s.sum(1, keepdim=True).expand(2, 6, 8)"}                    | ${"copy"} | ${"8,0,1"}
  ${"s.flip(1)"}                                                 | ${"copy"} | ${"48,8,1"}
  ${"s.repeat(1, 2, 1)"}                                         | ${"copy"} | ${"96,8,1"}
  ${"s.transpose(1, 2).sum(-1)"}                                 | ${"copy"} | ${"8,1"}
  ${"s.transpose(1, 2).mean(-1, keepdim=True)"}                  | ${"copy"} | ${"8,1,_"}
  ${"s[:, [0, 2]]"}                                              | ${"copy"} | ${"16,8,1"}
  ${"s.narrow(1, 2, 3)"}                                         | ${"view"} | ${"48,8,1"}
  ${"torch.narrow(s, 1, 2, 3)"}                                  | ${"view"} | ${"48,8,1"}
  ${"s.select(1, 2)"}                                            | ${"view"} | ${"48,1"}
  ${"s.T if s.dim() == 2 else s.permute(2, 1, 0)"}               | ${"view"} | ${"1,8,48"}
  ${"s.view_as(s)"}                                              | ${"view"} | ${"48,8,1"}
  ${"s.masked_fill(s > 0, 1.0)"}                                 | ${"copy"} | ${"48,8,1"}
  ${"s.transpose(1, 2).masked_fill(s.transpose(1, 2) > 0, 1.0)"} | ${"copy"} | ${"48,6,1"}
  ${"torch.where(s > 0, s, 0.0)"}                                | ${"copy"} | ${"48,8,1"}
  ${"x.flatten(1).unflatten(1, (8, 24))"}                        | ${"view"} | ${"192,24,1"}
  ${"x.swapaxes(1, 2)"}                                          | ${"view"} | ${"192,6,24,1"}
  ${"s.squeeze()"}                                               | ${"view"} | ${"48,8,1"}
  ${"s.tril()"}                                                  | ${"copy"} | ${"48,8,1"}
  ${"x.softmax(-1)"}                                             | ${"copy"} | ${"192,24,6,1"}
`("$expression is a $memory with strides $strides", ({ expression, memory, strides }) => {
  expect(lies(expression)).toEqual([memory, strides]);
});
