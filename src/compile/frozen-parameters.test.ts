import { expect, test } from "vitest";
import { flatSteps } from "#core/program";
import { compile } from "./compile.ts";

/** A step of two layers; `before` holds statements about their parameters. */
function step(before: string, optimizer = "torch.optim.AdamW(net.parameters())") {
  const { program, diagnostics } = compile(`import torch
from torch import nn
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
${before}
opt = ${optimizer}
x = torch.randn(16, 32)
t = torch.randn(16, 8)
loss = nn.functional.mse_loss(net(x), t)
loss.backward()
opt.step()
`);
  const names = new Map(program.values.map(({ id, tensor }) => [id, `${tensor}`]));
  const made = flatSteps(program).flatMap((each) =>
    each.kind === "local" ? each.outputs.map((id) => names.get(id) ?? "") : [],
  );
  const ending = (end: string) =>
    made.flatMap((name) => (name.endsWith(end) ? [name.slice(0, -end.length)] : [])).sort();
  return {
    updated: ending(".new").filter((name) => /\.(weight|bias)$/u.test(name)),
    derived: ending(".grad"),
    said: diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code),
  };
}

const inner = ["net[0].bias", "net[0].weight"];
const outer = ["net[2].bias", "net[2].weight"];

test.each`
  before                                                                 | updated
  ${""}                                                                  | ${[...inner, ...outer]}
  ${"net[0].requires_grad_(False)"}                                      | ${outer}
  ${"net[2].requires_grad_(False)"}                                      | ${inner}
  ${"net[0].weight.requires_grad = False"}                               | ${["net[0].bias", ...outer]}
  ${"for p in net.parameters():\n    p.requires_grad = p.shape == (8,)"} | ${["net[2].bias"]}
`("a step updates what has gradients: $before", ({ before, updated }) => {
  const found = step(before);
  expect(found).toMatchObject({ updated, said: [] });
  // Only updated parameters have gradients.
  expect(found.derived.filter((name) => /\.(weight|bias)$/u.test(name))).toEqual(updated);
});

test("nothing is derived in front of what rests: the backward pass ends there", () => {
  expect(step("net[0].requires_grad_(False)").derived).not.toContain("relu_1");
  expect(step("net[2].requires_grad_(False)").derived).toContain("relu_1");
});

test("an optimizer of some of what has gradients is said to be drawn with all of it", () => {
  expect(step("", "torch.optim.AdamW(net[2].parameters())").said).toEqual(["torch/not-modelled"]);
  const rest = "net[0].requires_grad_(False)";
  expect(step(rest, "torch.optim.AdamW(net[2].parameters())").said).toEqual([]);
});
