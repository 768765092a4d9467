import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { printLayout } from "#core/mesh";
import { flatSteps } from "#core/program";
import { memoized } from "#core/records";
import { writeCode } from "../../code.testing.ts";
import type { ModuleClaims } from "./write-parallelize.ts";

interface Case {
  readonly name: string;
  readonly model: string;
  readonly plan: string;
  readonly train?: string;
  readonly refused?: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync("engines/models/plans.json", "utf8"));

function textOf(model: string): string {
  return readFileSync(`engines/models/${model}.py`, "utf8");
}

function caseNamed(name: string): Case {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}

/** A case under its plan, compiled once for all that is asked of it. */
const planned = memoized(({ model, plan, train }: Case): Compiled => {
  const text = textOf(model);
  return compile((train === undefined ? text : text.replace("train(loss)\n", train)) + plan);
});

interface Written {
  readonly text: string;
  readonly claims: ModuleClaims;
  readonly note: string;
}

function written(compiled: Compiled): Written {
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const code = writeCode(compiled, "parallelize");
  if (!code.ok) throw new Error(code.reason);
  const claims = code.claims as ModuleClaims;
  return { text: code.files[0].text, claims, note: code.note ?? "" };
}

/** Why nothing is written. */
function refusal(compiled: Compiled): string {
  const code = writeCode(compiled, "parallelize");
  return code.ok ? `written:\n${code.files[0].text}` : code.reason;
}

test("a model that is cut along heads and sequences has a style for each module, and its blocks are sharded", () => {
  const { text } = written(planned(caseNamed("gpt-sequence-zero3")));
  expect(text.slice(text.indexOf("def parallelize"))).toBe(`def parallelize(model, mesh):
    parallelize_module(model, mesh["tp"], {
        "blocks.0": PrepareModuleInput(input_layouts=Replicate(), desired_input_layouts=Shard(1), use_local_output=True),
        "blocks.*.norm1": SequenceParallel(use_local_output=True),
        "blocks.*.attn": PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate()),
        "blocks.*.attn.q": ColwiseParallel(),
        "blocks.*.attn.k": ColwiseParallel(),
        "blocks.*.attn.v": ColwiseParallel(),
        "blocks.*.attn.o": RowwiseParallel(output_layouts=Shard(1)),
        "blocks.*.norm2": SequenceParallel(use_local_output=True),
        "blocks.*.mlp.up": ColwiseParallel(input_layouts=Shard(1)),
        "blocks.*.mlp.down": RowwiseParallel(output_layouts=Shard(1)),
        "norm": SequenceParallel(use_local_output=True),
        "head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    })
    data = dict(mesh=mesh["dp"])
    for layer in model.blocks:
        fully_shard(layer, **data)
    fully_shard(model, **data)
    return model


def parallelize_fn(model, parallel_dims, *_, **__):  # as torchtitan calls it: tensor_parallel_degree 4, data_parallel_shard_degree 2
    get = parallel_dims.get_mesh
    shard = "dp_shard" if getattr(parallel_dims, "spmd_backend", "") in ("spmd_types", "full_dtensor") else "fsdp"
    return parallelize(model, {"tp": get("tp"), "dp": get(shard)})


def train(model, batches, loss_of, lr=0.001):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.999), eps=1e-8)
    for batch in batches:  # the rows of this rank
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.detach()
`);
});

test("a weight that two layers share is shared again where both have a style", () => {
  const { text, claims } = written(planned(caseNamed("gpt-tied")));
  expect(text).toContain('    "head": ColwiseParallel(output_layouts=Replicate()),\n');
  expect(text).toContain("    })\n    model.head.weight = model.tok.weight\n    data = ");
  expect(claims.cut["tok.weight"]).toBe(0);
  const { text: alone } = written(planned(caseNamed("gpt-tensor-zero3")));
  expect(alone).not.toContain(".weight = model.");
});

test.each`
  told                                                       | line
  ${'"sgd"'}                                                 | ${"SGD(model.parameters(), lr=lr)"}
  ${'"sgd", momentum=0.8, weight_decay=0.1'}                 | ${"SGD(model.parameters(), lr=lr, momentum=0.8, weight_decay=0.1)"}
  ${'"adam", eps=1e-6'}                                      | ${"Adam(model.parameters(), lr=lr, betas=(0.9, 0.999), eps=0.000001)"}
  ${'"adamw", lr=0.01, betas=(0.8, 0.95), weight_decay=0.3'} | ${"AdamW(model.parameters(), lr=lr, betas=(0.8, 0.95), eps=1e-8, weight_decay=0.3)"}
`("a loop of steps has the optimizer of the text: $told", ({ told, line }) => {
  const { text } = written(planned({ ...caseNamed("gpt-zero3"), train: `train(loss, ${told})\n` }));
  expect(text).toContain(`    optimizer = torch.optim.${line}\n`);
  const [, rate] = /lr=([\d.]+)\):/u.exec(text) ?? [];
  expect(rate).toBe(told.includes("lr=") ? "0.01" : "0.001");
});

test("torchtitan's meshes are asked for by its own names", () => {
  const called = (name: string) =>
    /parallelize\(model, (\{.*\})\)\n/u.exec(written(planned(caseNamed(name))).text)?.[1];
  expect(called("gpt-tensor-hybrid")).toContain('get(["dp_replicate", shard])');
  expect(called("gpt-copies")).toMatch(/^\{"\w+": get\("dp_replicate"\)\}$/u);
});

/** What PyTorch's own debug mode counts in a forward pass, by case (`npm run engines parallelize`). */
const counted: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "gpt-tensor-zero3": { "all-reduce": 5, "all-gather": 1 },
  "gpt-loss-parallel": { "all-reduce": 5 },
  "gpt-sequence-zero3": { "all-gather": 6, "reduce-scatter": 4 },
  "gpt-fused-gathered": { "all-gather": 2, "all-reduce": 2 },
  "gpt-copies": {},
  "llama-tensor-zero3": { "all-reduce": 5, "all-gather": 1 },
  "llama-sequence-zero3": { "all-gather": 6, "reduce-scatter": 5 },
  "bert-tensor-zero3": { "all-reduce": 5 },
  "vit-tensor-zero3": { "all-reduce": 4 },
  "mlp-columns-rows": { "all-reduce": 1 },
};

test.each(Object.entries(counted))(
  "of %s as many collectives are claimed as PyTorch runs",
  (name, forward) => {
    const { claims } = written(planned(caseNamed(name)));
    expect(claims.forward).toEqual(forward);
    expect(claims.planned).toEqual(forward);
  },
);

/** The same of a backward pass. */
const countedBackward: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "gpt-tensor-zero3": { "all-reduce": 5 },
  "gpt-fused-heads": { "all-gather": 2, "all-reduce": 2 },
  "gpt-copies": {},
  "llama-sequence-zero3": { "all-gather": 5, "all-reduce": 5, "reduce-scatter": 5 },
  "bert-tensor-zero3": { "all-reduce": 4 },
};

test.each(Object.entries(countedBackward))(
  "of %s as many collectives of a backward pass are claimed as PyTorch runs",
  (name, backward) => {
    expect(written(planned(caseNamed(name))).claims.backward).toEqual(backward);
  },
);

const possible = cases.filter(({ refused }) => refused === undefined);

test.each(possible)("$name is a function of at most 30 lines", (each) => {
  const { text } = written(planned(each));
  const [, own = ""] = /^def parallelize\(.*\n((?: {4}.*\n)*)/mu.exec(text) ?? [];
  expect(own.trim().split("\n").length).toBeLessThan(30);
});

/** How parameters lie, and what is sent inside the model along the axis of the styles. */
function shownOf({ program }: Compiled, axis: string) {
  const values = new Map(program.values.map((value) => [value.id, value]));
  const parameters = program.graph.tensors.flatMap(({ id, name, role }) => {
    const made = program.made.get(id);
    const value = made === undefined ? undefined : values.get(made);
    return role === "parameter" && value ? [`${name}: ${printLayout(value.layout)}`] : [];
  });
  const sent = flatSteps(program).flatMap((step) =>
    step.kind === "collective" && step.phase === "forward" && step.axes.includes(axis)
      ? [step.collective]
      : [],
  );
  return { parameters, sent };
}

const styled = possible.filter(({ plan }) => /parallelize_module\(/u.test(plan));

test.each(styled)(
  "$name, read back from what is written, is the plan that it was written for",
  (each) => {
    const before = planned(each);
    const { text, claims } = written(before);
    const made = /mesh = init_device_mesh.*$/mu.exec(each.plan)?.[0] ?? "";
    const called = `${text}\nfrom torch.distributed.device_mesh import init_device_mesh\n${made.includes("(4,)") ? made.replace("mesh = init", "mesh = init") : made}\n`;
    const after = compile(`${textOf(each.model)}${called}parallelize(model, mesh)\n`);
    expect(hasErrors(after.diagnostics)).toBe(false);
    const axis = claims.tensorAxis ?? "";
    expect(shownOf(after, axis)).toEqual(shownOf(before, axis));
  },
);

test.each(cases.filter(({ refused }) => refused !== undefined))(
  "$name is refused with its cause",
  (each) => {
    expect(refusal(planned(each))).toContain(each.refused);
  },
);

test("heads that a class holds as a number are refused by the name of its attribute", () => {
  expect(refusal(planned(caseNamed("gpt-heads-as-numbers")))).toContain(
    "makes dim 2 4 where a rank has 1: write -1 for it (Attention has 4 as self.heads, on each rank the whole)",
  );
});

/** The case of a GPT that is cut by heads, with something in its class written otherwise. */
function otherwise(from: string, to: string, name = "gpt-tensor-zero3"): Compiled {
  const { model, plan } = caseNamed(name);
  const text = textOf(model);
  expect(text).toContain(from);
  return compile(text.replace(from, to) + plan);
}

const view = ".view(b, s, -1, self.head_dim)";

test.each([
  [
    "a batch that is written as a number",
    view,
    ".view(8, s, -1, self.head_dim)",
    "makes dim 0 8 where a rank has 4",
  ],
  [
    "heads as a number",
    view,
    ".view(b, s, 4, self.head_dim)",
    "makes dim 2 4 where a rank has 1: write -1 for it",
  ],
  [
    "a size that is worked out of one that is cut",
    "y.transpose(1, 2).reshape(b, s, -1)",
    "y.transpose(1, 2).reshape(b, s, self.head_dim * 4)",
    "makes dim 2 32 where a rank has 8: write -1 for it",
  ],
  [
    "a factor that follows from heads, of which a rank has some",
    "self.o(y.transpose(1, 2).reshape(b, s, -1))",
    "self.o(y.transpose(1, 2).reshape(b, s, -1) / y.shape[1])",
    "which follows from a size of which a rank has a part",
  ],
  [
    "a parameter of a module that holds others, read where it is cut",
    "return self.down(F.gelu(self.up(x)))",
    "return self.down(F.gelu(self.up(x) * self.scale))",
    "is a parameter of blocks.*.mlp itself, which holds other modules",
  ],
])("%s is refused", (_, from, to, why) => {
  const scale = "        self.down = nn.Linear(4 * dim, dim)\n";
  const { model, plan } = caseNamed("gpt-tensor-zero3");
  const text = textOf(model).replace(
    scale,
    `${scale}${to.includes("self.scale") ? "        self.scale = nn.Parameter(torch.ones(4 * dim))\n" : ""}`,
  );
  expect(text).toContain(from);
  expect(refusal(compile(text.replace(from, to) + plan))).toContain(why);
});

test.each([
  [
    "heads that are worked out of what a rank has",
    view,
    ".view(b, s, self.q.weight.shape[0] // self.head_dim, -1)",
  ],
  ["sizes that are asked one by one", view, ".view(x.size(0), x.size(1), -1, self.head_dim)"],
  [
    "a whole that is worked out of parts",
    "y.transpose(1, 2).reshape(b, s, -1)",
    "y.transpose(1, 2).reshape(b, s, y.shape[1] * y.shape[-1])",
  ],
])("%s are followed or refused, never taken for those of the whole", (_, from, to) => {
  const why = refusal(otherwise(from, to));
  if (to.includes("weight.shape")) expect(why).toContain("where a rank has");
  else expect(why).toMatch(/^written/);
});

test("what a rank has of a sequence is no size for a module that is given the whole", () => {
  // Sizes are asked of the part, before a style gathers it.
  const { model, plan } = caseNamed("gpt-sequence-zero3");
  const text = textOf(model)
    .replace(
      "def forward(self, x):\n        b, s, _ = x.shape\n",
      "def forward(self, x, s):\n        b = x.shape[0]\n",
    )
    .replace("self.attn(self.norm1(x))", "self.attn(self.norm1(x), x.shape[1])");
  const other = plan.replace(
    "PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate())",
    "PrepareModuleInput(input_layouts=(Shard(1), None), desired_input_layouts=(Replicate(), None))",
  );
  expect(refusal(compile(text + other))).toContain("makes dim 1 4 where a rank has 16");
});

test("a result of which ranks have parts is a DTensor, never taken for the whole", () => {
  const { plan } = caseNamed("gpt-sequence-zero3");
  const ended = textOf("gpt").replace("return self.head(self.norm(x))", "return self.norm(x)");
  const without = plan.replace(/^ {4}"head".*\n/mu, "");
  const { text, note } = written(compile(ended.replace(", bias=False", "") + without));
  expect(text).toContain('"norm": SequenceParallel(),');
  expect(note).toContain("What the model gives back is a DTensor, cut over tp.");
  const bare = ended.replace("return self.norm(x)", "return x");
  expect(refusal(compile(bare + without.replace(/^ {4}"norm".*\n/mu, "")))).toContain(
    "is cut along dim 1 over tp, and no style makes it a DTensor",
  );
});

test("a linear layer on a part of a sequence has no style that sends nothing", () => {
  const { model, plan } = caseNamed("gpt-sequence-zero3");
  const part = plan.replace(/"head": .*/u, '"head": SequenceParallel(use_local_output=True),');
  expect(refusal(compile(textOf(model) + part))).toContain(
    "head is cut along its rows over tp, and linear in it is none of what SequenceParallel is for",
  );
});

test("a loss that is a sum is said to be averaged", () => {
  const { text } = written(
    otherwise(
      "F.cross_entropy(logits.flatten(0, 1), labels.flatten())",
      'F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")',
    ),
  );
  expect(text).toContain(
    "gradients are averaged, so a loss that is their sum is multiplied by 2 before backward()",
  );
});

test("what the plan computes again is said to be kept", () => {
  const again = "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)";
  const { note } = written(otherwise("x = block(x)", `x = ${again}`));
  expect(note).toContain("checkpoint_wrapper is for that");
});

test("dropout is said to draw on each rank for itself", () => {
  const code = written(otherwise("F.gelu(self.up(x))", "F.dropout(F.gelu(self.up(x)), 0.1)"));
  expect(code.note).toContain("Dropout draws on each rank for itself");
  const none = written(otherwise("F.gelu(self.up(x))", "F.dropout(F.gelu(self.up(x)), 0.0)"));
  expect(none.note).not.toContain("Dropout");
});

test("a program without modules has nothing to write them for", () => {
  const program =
    'mesh = Mesh(tp=2)\nx = Tensor((4, 4))\nw = Parameter((4, 4))\ny = x @ w\nstrategy(y, n="tp")\n';
  expect(refusal(compile(program))).toBe("the text has no modules");
});

test("what follows from a text with modules can be sent to a page, which is sent no functions", () => {
  const compiled = planned(caseNamed("mlp-columns-rows"));
  expect(compiled.textModules).toBeTypeOf("function");
  expect(Object.keys(structuredClone(compiled))).toEqual(Object.keys(compiled));
});

test("rows of other ranks have no part in what a rank computes of its own", () => {
  const text = `import torch.nn as nn
mesh = Mesh(dp=2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.norm = nn.BatchNorm2d(8)
    def forward(self, x):
        return self.norm(self.conv(x)).sum((1, 2, 3))
x = Tensor((8, 3, 8, 8))
y = Net()(x)
place(x, layout("dp", None, None, None))
strategy("norm", a="dp")
`;
  expect(refusal(compile(text))).toContain("takes something of the rows of other ranks");
});

test("a cell of MindSpore is no module of PyTorch", () => {
  const text = `from mindspore import nn, ops
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(16, 16)
    def construct(self, x):
        return self.dense(x)
mesh = Mesh(dp=2)
x = Tensor((8, 16))
y = Net()(x)
place(x, layout("dp", None))
`;
  expect(refusal(compile(text))).toBe("Net is no nn.Module of PyTorch");
});

test("two models of a text are refused by their names", () => {
  const text = `import torch.nn as nn
mesh = Mesh(dp=2)
a = nn.Linear(4, 4)
b = nn.Linear(4, 4)
x = Tensor((8, 4))
y = b(a(x))
place(x, layout("dp", None))
`;
  expect(refusal(compile(text))).toContain("several modules of the text");
});

test("ranks along an axis inside of that of the styles are counted with it last", () => {
  const { model, plan } = caseNamed("gpt-tensor-zero3");
  const turned = plan.replace(
    '(2, 4), mesh_dim_names=("dp", "tp")',
    '(4, 2), mesh_dim_names=("tp", "dp")',
  );
  const { text } = written(compile(textOf(model) + turned));
  expect(text).toContain('init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))');
  expect(text).toContain("Rank by rank the devices of the plan are 0, 2, 4, 6, 1, 3, 5, 7.");
});

test("axes over which parameters are cut alike are one axis of the mesh", () => {
  const { text, claims } = written(planned(caseNamed("gpt-loss-two-axes")));
  expect(text).toContain('init_device_mesh("cuda", (8,), mesh_dim_names=("dp_tp",))');
  expect(text).toContain("data_parallel_shard_degree 8\n");
  expect(claims.dataAxes).toEqual(["dp_tp"]);
});

test("a loss that divides by the targets that count is said to be that of each rank", () => {
  const { note } = written(planned(caseNamed("gpt-loss-two-axes")));
  expect(note).toContain("each rank divides by the number of its own");
  expect(written(planned(caseNamed("gpt-zero3"))).note).not.toContain("the number of its own");
});

test("parameters in pieces over an axis that shares no rows are said to be copied", () => {
  const plan = `mesh = Mesh(dp=2, tp=4)
place(x, layout("tp", None))
place("out.weight", layout("dp", None))
strategy("net[*]", a="tp")
strategy("out", a="tp")
`;
  const { note } = written(compile(textOf("mlp") + plan));
  expect(note).toContain("All ranks along dp are given the same rows");
});

test("weights of experts, which no layer multiplies by, have no style: they are never left out", () => {
  const text = `import torch
from transformers import MixtralConfig, MixtralForCausalLM
mesh = Mesh(ep=4)
model = MixtralForCausalLM(MixtralConfig(vocab_size=320, hidden_size=64, intermediate_size=128,
    num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2, num_local_experts=4))
y = model(torch.randint(0, 320, (8, 32))).logits
for name in ("moe_dispatch_1", "einsum_1", "einsum_2", "moe_combine_1"):
    strategy(name, e="ep")
`;
  expect(refusal(compile(text))).toContain(
    "model.layers.*.mlp.experts.gate_up_proj is cut over ep, and no style of PyTorch is for it",
  );
});
