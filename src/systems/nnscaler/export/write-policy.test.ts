import { expect, test } from "vitest";
import { answerTo } from "#cli";
import { textModels } from "./text-models.testing.ts";

/** The policy for a text's own module, or the reason why there is none. */
function written(program: string) {
  const answer = answerTo("export", { program, to: "nnscaler-policy" });
  const { files, claims } = JSON.parse(JSON.stringify(answer));
  const refusal = answer.diagnostics.find(({ code }) => code === "export/not-written")?.message;
  return { text: files?.[0]?.text as string | undefined, claims, refusal };
}

/** The rows of a plan: keys with their cuts. */
function keysOf(text = ""): readonly string[] {
  return [...text.matchAll(/^ {4}(\("[^)]*\): \[.*\]),/gm)].map(([, row]) => row ?? "");
}

// `npm run engines nnscaler` lets nnScaler trace these texts' classes under the policies.
test.each`
  name            | keys
  ${"perceptron"} | ${['("up", "linear", 0): [(1, 0, 4)]', '("act", "gelu", 0): [(0, 1, 4)]', '("down", "linear", 0): [(0, 1, 4)]']}
  ${"attention"}  | ${['("blocks.0.attn.q", "linear", 0): [(1, 0, 4)]', '("blocks.0.attn", "view", 1): [(0, 2, 4)]', '("blocks.1.attn", "matmul", 1): [(0, 1, 4)]', '("blocks.1.attn.o", "linear", 0): [(0, 2, 4)]']}
  ${"functional"} | ${['("", "linear", 0): [(0, 0, 2), (1, 0, 2)]', '("", "relu", 1): [(0, 0, 2), (None, None, 2)]', '("", "linear", 2): [(0, 0, 2), (1, 0, 2)]']}
  ${"gpt"}        | ${['("wte", "embedding", 0): [(0, 0, 2), (None, None, 2)]', '("h.1.attn", "scaled_dot_product_attention", 0): [(0, 0, 2), (None, None, 2)]', '("h.0.mlp.c_fc", "linear", 0): [(0, 0, 2), (1, 0, 2)]', '("lm_head", "linear", 0): [(0, 0, 2), (1, 0, 2)]']}
`("nodes of $name are found by module, function and occurrence", ({ name, keys }) => {
  const { text, claims } = written(textModels.find((each) => each.name === name)?.program ?? "");
  expect(keysOf(text)).toEqual(expect.arrayContaining(keys));
  expect(text).toContain("from model import Net  # adapt");
  expect(text).toContain("constant_folding=True");
  const made = text?.match(/return (Net\(.*\)) {2}# adapt/)?.[1];
  const call = { perceptron: "Net(64)", gpt: "Net(64, 32, 4, 2)" }[name as "gpt"] ?? "Net()";
  expect(made).toBe(call);
  expect(Object.keys(claims.slices).every((weight) => /^[\w.]+$/.test(weight))).toBe(true);
});

const net = (forward: string, after: string) => `import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 16)
    def forward(self, x):
        return ${forward}
net = Net()
x = torch.randn(8, 16)
y = net(x)
mesh = Mesh(tp=2)
${after}
`;

test("weights of a layer that a function reads are cut where the function is called", () => {
  const text = net("F.linear(x, self.up.weight)", 'place(net.up.weight, layout("tp", "None"))');
  expect(keysOf(written(text).text)).toEqual(['("", "linear", 0): [(1, 0, 2)]']);
});

test.each`
  why                             | program
  ${/one module of the text/}     | ${net("self.up(x)", "z = torch.relu(y)")}
  ${/one module of the text/}     | ${"mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = relu(x)\n"}
  ${/is gathered before y/}       | ${net("F.linear(x, self.up.weight)", 'place(net.up.weight, layout("None", "tp"))\nstrategy(y, a="tp")')}
  ${/y adds its bias to the sum/} | ${net("self.up(x)", 'place(net.up.weight, layout("None", "tp"))')}
`("there is no policy: $why", ({ why, program }) => {
  expect(written(program).refusal).toMatch(why);
});

test("many weights that are both cut and replicated stand one on a line", () => {
  const { text = "" } = written(textModels.find(({ name }) => name === "gpt")?.program ?? "");
  expect(text).toMatch(
    /^SHARED = \{ {2}# weights .*\n {4}"wte\.weight",\n {4}"h\.0\.ln_1\.weight",\n/m,
  );
});
