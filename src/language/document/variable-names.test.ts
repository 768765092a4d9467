import { expect, test } from "vitest";
import { readDocument } from "#systems";

function namesIn(program: string): readonly string[] {
  const { graph } = readDocument(program);
  return graph.tensors
    .filter(({ role }) => role !== "input" && role !== "parameter")
    .map(({ name }) => name);
}

const cell = (body: string, call: string) => `
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8, bias=False)
    def forward(self, q):
${body
  .split("; ")
  .map((line) => `        ${line}`)
  .join("\n")}
net = Net()
q = Tensor((4, 8))
${call}
`;

test.each`
  body                                       | call                        | names
  ${"z = self.l(q); return z"}               | ${"out = net(q)"}           | ${["z"]}
  ${"y = self.l(q); z = y.relu(); return z"} | ${"out = net(q)"}           | ${["y", "z"]}
  ${"return self.l(q)"}                      | ${"out = net(q)"}           | ${["out"]}
  ${"q = self.l(q); return q"}               | ${"out = net(q)"}           | ${["out"]}
  ${"z = self.l(q); z = z.relu(); return z"} | ${"out = net(q)"}           | ${["z", "out"]}
  ${"z = self.l(q); t = z.t(); return z, t"} | ${"a, b = net(q)"}          | ${["a", "b"]}
  ${"z = self.l(q); return z"}               | ${"u = net(q); v = net(q)"} | ${["u", "v"]}
`("[$body] called by [$call] has the names $names", ({ body, call, names }) => {
  expect(namesIn(cell(body, call))).toEqual(names);
});
