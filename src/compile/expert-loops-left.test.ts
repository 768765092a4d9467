import { expect, test } from "vitest";
import { compile } from "./compile.ts";

/** 16 tokens of 8 features, 2 of 4 experts each. */
const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
E, K = 4, 2
mesh = Mesh(dp=2, ep=2)
x = Tensor((16, 8), "f32")
gate = nn.Parameter(torch.empty(E, 8))
w, choice = torch.topk(F.softmax(F.linear(x, gate), dim=-1), K, dim=-1)
`;

test("a loop in a method that is read as a whole is left out alone", () => {
  const text = `class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 8), nn.Identity(), nn.Identity()])

    def run(self, x):
        y = torch.zeros_like(x)
        for e in range(E):
            token, slot = torch.where(choice == e)
            y.index_add_(0, token, self.experts[e](x[token]) * w[token, slot, None])
        return y

    def forward(self, x):
        return self.run(x) + 1

out = Block()(x)`;
  const { graph, diagnostics } = compile(`${head}${text}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["python/not-implemented-error"]);
  expect(diagnostics[0]?.message).toContain("the loop around it is left out");
  expect(graph.tensors.find(({ name }) => name === "out")?.shape).toEqual([16, 8]);
});

const block = `class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Parameter(torch.empty(E, 8, 8))

    def forward(self, x):
        w, choice = torch.topk(F.linear(x, gate), K, dim=-1)
        y = torch.zeros_like(x)
        for e in range(E):
            token, slot = torch.where(choice == e)
            BODY
        return y + 1

out = Block()(x)`;

test.each`
  form                                       | body                                                                                    | said
  ${"a condition on which expert"}           | ${["if e > 1:", "    continue", "y.index_add_(0, token, x[token] @ self.up[e])"]}       | ${["warning python/not-implemented-error"]}
  ${"a fault behind what is written"}        | ${["y.index_add_(0, token, x[token] @ self.up[e])", "h = x[token] if e < 2 else None"]} | ${["warning python/not-implemented-error"]}
  ${"places that are set one after another"} | ${["y[token] = x[token] @ self.up[e]"]}                                                 | ${["warning python/not-implemented-error"]}
  ${"a tensor that has fewer places"}        | ${["y[token] = x[token] * gate[:2][e, 0]"]}                                             | ${["warning python/not-implemented-error"]}
`("what is not read of a loop over experts is said once: $form", ({ body, said }) => {
  const text = block.replace("BODY", body.join(`\n${" ".repeat(12)}`));
  const { graph, diagnostics } = compile(`${head}${text}`);
  const warned = diagnostics.filter(({ severity }) => severity !== "info");
  expect(warned.map(({ severity, code }) => `${severity} ${code}`)).toEqual(said);
  const out = graph.tensors.find(({ name }) => name === "out");
  expect(out?.shape).toEqual([16, 8]);
  // A loop that was not read must not leave its initial zeros as the result.
  expect(graph.operators.map(({ op }) => op)).toContain("changed");
});
