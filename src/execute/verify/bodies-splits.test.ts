import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";
import { runPlan } from "./run-plan.ts";

const runs = (count: number) => ({ seed: 1, numRuns: process.env.SOAK ? 20 * count : count });

function runOf(text: string) {
  const { plan, program } = compile(text);
  const { traceBody } = readDocument(text);
  return runPlan(plan, program, { seed: 3, values: "integers", traceBody });
}

interface Sample {
  readonly name: string;
  readonly annotation: string;
  readonly body: string;
  /** Shapes of the operands by identifier, then the other arguments. */
  readonly operands: readonly string[];
  readonly more?: string;
  readonly cuts: readonly string[];
}

/** Functions with right annotations. */
const samples: readonly Sample[] = [
  {
    name: "matmul",
    annotation: "m k+, k+ n -> m n",
    body: "return p @ q",
    operands: ["m k", "k n"],
    cuts: ["m", "k", "n"],
  },
  {
    name: "einsum",
    annotation: "a k+ n, k+ c -> a n c",
    body: "return torch.einsum('akn,kc->anc', p, q)",
    operands: ["a k n", "k c"],
    cuts: ["a", "k", "n", "c"],
  },
  {
    name: "gated",
    annotation: "a b, a b -> a b",
    body: "return F.silu(p) * q",
    operands: ["a b", "a b"],
    cuts: ["a", "b"],
  },
  {
    name: "softmax",
    annotation: "a b^ -> a b^",
    body: "e = (p - p.amax(-1, keepdim=True)).exp()\n    return e / e.sum(-1, keepdim=True)",
    operands: ["a b"],
    cuts: ["a"],
  },
  {
    name: "norm",
    annotation: "a b^, b^ -> a b^",
    body: "return p * torch.rsqrt((p * p).mean(-1, keepdim=True) + 1e-6) * q",
    operands: ["a b", "b"],
    cuts: ["a"],
  },
  {
    name: "heads",
    annotation: "a (h d^) -> h a d^",
    body: "return p.view(p.size(0), h, p.size(1) // h).transpose(0, 1)",
    operands: ["a h*3"],
    more: "h=H",
    cuts: ["a", "h"],
  },
  {
    name: "attention",
    annotation: "b l e^, b s^ e^, b s^ d -> b l d",
    body: "return torch.softmax(p @ q.transpose(1, 2) / 2, dim=-1) @ r",
    operands: ["b l e", "b s e", "b s d"],
    cuts: ["b", "l", "d"],
  },
  {
    name: "chunked",
    annotation: "a b^ -> a b^",
    body: "u, v = p.chunk(2, dim=-1)\n    return torch.cat([v, -u], dim=-1)",
    operands: ["a b"],
    cuts: ["a"],
  },
  {
    name: "two results",
    annotation: "a k+, k+ c -> a c, a k+",
    body: "return p @ q, p * 2",
    operands: ["a k", "k c"],
    cuts: ["a", "c"],
  },
  {
    name: "loop",
    annotation: "a b -> a b",
    body: "for i in range(3):\n        p = torch.tanh(p) + i\n    return p",
    operands: ["a b"],
    cuts: ["a", "b"],
  },
];

/** All assignments of the mesh axes `x` and `y` to identifiers. */
function strategiesOf(cuts: readonly string[]): readonly string[] {
  const choices = [undefined, ...cuts];
  return choices.flatMap((first) =>
    choices.map((second) => {
      const axes = new Map<string, string[]>();
      if (first !== undefined) axes.set(first, ["x"]);
      if (second !== undefined) axes.set(second, [...(axes.get(second) ?? []), "y"]);
      return [...axes]
        .map(([name, list]) => `, ${name}=(${list.map((axis) => `"${axis}", `).join("")})`)
        .join("");
    }),
  );
}

test("a right annotation runs equal under every split of every function", () => {
  const size = fc.constantFrom(4, 8);
  fc.assert(
    fc.property(fc.constantFrom(...samples), size, size, fc.nat(), (sample, one, other, pick) => {
      const strategies = strategiesOf(sample.cuts);
      const strategy = strategies[pick % strategies.length] ?? "";
      const identifiers = [...new Set(sample.operands.join(" ").replace(/\*3/g, "").split(" "))];
      const sizes = new Map(identifiers.map((name, at) => [name, at % 2 === 0 ? one : other]));
      const shapes = sample.operands.map((operand) => {
        const dims = operand
          .split(" ")
          .map((dim) => (sizes.get(dim.replace("*3", "")) ?? 4) * (dim.endsWith("*3") ? 3 : 1));
        return `Tensor((${dims.join(", ")},))`;
      });
      const parameters = ["p", "q", "r"].slice(0, shapes.length);
      const more =
        sample.more === undefined ? [] : [sample.more.replace("H", String(sizes.get("h")))];
      const own = sample.more === undefined ? [] : ["h"];
      const text = `import torch, nnscaler
import torch.nn.functional as F
mesh = Mesh(x=2, y=2)
@nnscaler.register_op("${sample.annotation}")
def f(${[...parameters, ...own].join(", ")}):
    ${sample.body}
out = f(${[...shapes, ...more].join(", ")})
strategy("out"${strategy})
`;
      const named =
        sample.name === "two results"
          ? text.replace(/\bout\b/g, "out, _").replace('"out, _"', '"out"')
          : text;
      const run = runOf(named);
      expect(run.diagnostics, named).toEqual([]);
      expect(run.ok && run.value.equal, named).toBe(true);
    }),
    runs(40),
  );
});
