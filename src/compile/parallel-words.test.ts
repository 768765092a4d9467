import { describe, expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { flatSteps } from "#core/program";
import { compile } from "./compile.ts";

const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import CPUOffloadPolicy, MixedPrecisionPolicy, ShardingStrategy, fully_shard
from torch.distributed.tensor import *
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.parallel import *
from torch.nn.parallel import DistributedDataParallel as DDP

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(64)
        self.up = nn.Linear(64, 256, bias=False)
        self.down = nn.Linear(256, 64, bias=False)

    def forward(self, x):
        return self.down(F.relu(self.up(self.norm(x))))

`;
const tp = 'mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))\n';
const dp = 'mesh = init_device_mesh("cuda", (8,), mesh_dim_names=("dp",))\n';

function compiled(text: string) {
  return compile(`${head}${text}`);
}

/** Layouts by tensor name: at rest, or as results are made. */
function laid(text: string): Readonly<Record<string, string>> {
  const { graph, plan, tensors } = compiled(text);
  const names = graph.tensors.map(({ id, name }) => {
    const rest = plan.placements.get(id)?.layout;
    const layout = rest ?? tensors.find(({ tensor }) => tensor === id)?.layout;
    return [name, layout === undefined ? "" : printLayout(layout)];
  });
  return Object.fromEntries(names);
}

/** `all-gather k` for every communicating collective. */
function sent(text: string): readonly string[] {
  const { program } = compiled(text);
  const values = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  return flatSteps(program).flatMap((step) =>
    step.kind === "collective" && step.bytes > 8
      ? [`${step.collective} ${values.get(step.input)} over ${step.axes.join()}`]
      : [],
  );
}

/** Codes of the diagnostics, each with the name in its message. */
function said(text: string): readonly string[] {
  return compiled(text).diagnostics.flatMap(({ code, message }) =>
    code.startsWith("torch/") ? [`${code}: ${message}`] : [],
  );
}

describe("meshes", () => {
  test.each`
    text                                                                                | axes
    ${'init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))'}                  | ${["dp=2", "tp=4"]}
    ${'init_device_mesh("cuda", (8,))'}                                                 | ${["d0=8"]}
    ${'DeviceMesh("cuda", [[0, 1], [2, 3]], mesh_dim_names=("a", "b"))'}                | ${["a=2", "b=2"]}
    ${'DeviceMesh("cuda", torch.arange(8).reshape(2, 4), mesh_dim_names=("a", "b"))'}   | ${["a=2", "b=4"]}
    ${'init_device_mesh("cuda", (dist.get_world_size() // 2, 2), mesh_dim_names="ab")'} | ${["d0=4", "d1=2"]}
  `("$text", ({ text, axes }) => {
    const { mesh, graph } = compiled(`mesh = ${text}\nx = Tensor((8, 8))\ny = x + 1\n`);
    expect(mesh.mesh.axes.map(({ name, size }) => `${name}=${size}`)).toEqual(axes);
    expect(graph.tensors.map(({ name }) => name)).toEqual(["x", "y"]);
  });

  test("the ranks of a mesh are its devices, in their order", () => {
    const text = 'mesh = DeviceMesh("cuda", [[0, 2], [1, 3]])\nx = Tensor((8, 8))\ny = x + 1\n';
    expect(compiled(text).mesh.mesh.devices).toEqual([0, 2, 1, 3]);
  });

  test("a mesh answers what programs ask it", () => {
    const asked =
      "[mesh.size(), mesh.size(1), mesh['tp'].size(), mesh.ndim, mesh['dp'].get_local_rank()]";
    const text = `${tp}sizes = ${asked}\nx = Tensor((sum(sizes), mesh.shape[0]))\ny = x + 1\n`;
    const { graph } = compiled(text);
    expect(graph.tensors.map(({ shape }) => shape)).toEqual([
      [18, 2],
      [18, 2],
    ]);
    expect(said(text)).toEqual([expect.stringContaining("torch/rank-zero")]);
  });

  test("dims that are flattened cut by all of them", () => {
    const text = `${tp}both = mesh["dp", "tp"]._flatten("both")\nx = distribute_tensor(Tensor((16, 8)), mesh["both"], [Shard(0)])\ny = x + 1\n`;
    expect(laid(text)).toMatchObject({ x: "dp*tp,_", y: "dp*tp,_" });
  });

  test.each`
    own                                                              | layout
    ${'init_device_mesh("cuda", (2, 4), mesh_dim_names=("a", "b"))'} | ${"x,y"}
    ${'init_device_mesh("cuda", (4, 2), mesh_dim_names=("a", "b"))'} | ${"x*y:(1)2,y:(2)2"}
  `("beside a Mesh(…) the dims of $own are axes of it, or parts of axes", ({ own, layout }) => {
    const text = `grid = Mesh(x=2, y=4)\nmesh = ${own}\nx = distribute_tensor(Tensor((16, 8)), mesh, [Shard(0), Shard(1)])\ny = x + 1\n`;
    expect(laid(text)["x"]).toBe(layout);
  });

  test.each`
    code                     | text
    ${"torch/not-on-mesh"}   | ${'grid = Mesh(x=3)\nmesh = init_device_mesh("cuda", (8,))\nx = distribute_tensor(Tensor((24, 8)), mesh, [Shard(0)])\ny = x + 1\n'}
    ${"torch/assumed-ranks"} | ${'mesh = init_device_mesh("cuda", (world, 2))\nx = Tensor((8, 8))\ny = x + 1\n'}
    ${"torch/assumed-ranks"} | ${"model = DDP(MLP())\ny = model(Tensor((8, 64)))\n"}
  `("$code is said of $text", ({ code, text }) => {
    expect(said(text)).toEqual([expect.stringContaining(code)]);
  });

  test("without a number of ranks there are as many as share the batch", () => {
    const { mesh } = compiled("model = DDP(MLP())\ny = model(torch.randn(20, 64))\n");
    expect(mesh).toMatchObject({ mesh: { axes: [{ name: "dp", size: 4 }] }, status: "assumed" });
  });

  test("a dim that a mesh does not have is a fault", () => {
    const { diagnostics } = compiled(`${tp}x = mesh["pp"]\n`);
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "python/key-error" }));
  });
});

describe("styles", () => {
  const model = (plan: string, call = "model(Tensor((16, 64)))") =>
    `${tp}model = MLP()\nparallelize_module(model, mesh["tp"], ${plan})\ny = ${call}\n`;

  test.each`
    plan                                                                                           | layouts
    ${'{"up": ColwiseParallel(), "down": RowwiseParallel()}'}                                      | ${{ "up.weight": "tp,_", "down.weight": "_,tp", y: "_,_" }}
    ${'{"up": ColwiseParallel(), "down": RowwiseParallel(output_layouts=Shard(0))}'}               | ${{ y: "tp,_" }}
    ${'{"*p": ColwiseParallel()}'}                                                                 | ${{ "up.weight": "tp,_" }}
    ${'{"norm": SequenceParallel(sequence_dim=0)}'}                                                | ${{ "norm.weight": "_", layer_norm_1: "tp,_" }}
    ${'{"norm": SequenceParallel(sequence_dim=0), "up": ColwiseParallel(input_layouts=Shard(0))}'} | ${{ x: undefined, layer_norm_1: "tp,_", "up.weight": "tp,_" }}
  `("$plan", ({ plan, layouts }) => {
    const found = laid(model(plan));
    for (const [name, layout] of Object.entries(layouts)) expect(found[name], name).toBe(layout);
  });

  test("a plan of one style is for the module itself", () => {
    const text = `${tp}layer = nn.Linear(64, 32)\nparallelize_module(layer, mesh["tp"], ColwiseParallel())\ny = layer(Tensor((8, 64)))\n`;
    expect(laid(text)).toMatchObject({ weight: "tp,_", bias: "tp", y: "_,tp" });
  });

  test("arguments by name are prepared, and results leave as they are asked to", () => {
    const outer = `class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = MLP()

    def forward(self, x):
        return self.mlp(x=x) + x

model = Outer()
`;
    const plan =
      '{"mlp": PrepareModuleInputOutput(input_kwarg_layouts={"x": Shard(0)}, desired_input_kwarg_layouts={"x": Replicate()}, output_layouts=Shard(0), desired_output_layouts=Shard(1))}';
    const text = `${tp}${outer}parallelize_module(model, mesh["tp"], ${plan})\nx = Tensor((16, 64))\ny = model(x)\n`;
    expect(laid(text)).toMatchObject({ x: "tp,_", layer_norm_1: "_,_", y: "_,tp" });
  });

  test.each`
    code                      | plan                                              | about
    ${"torch/no-such-module"} | ${'{"gate": ColwiseParallel()}'}                  | ${'"gate"'}
    ${"torch/cannot-cut"}     | ${'{"norm": ColwiseParallel()}'}                  | ${'"norm" is neither'}
    ${"torch/not-read"}       | ${'{"up": type("Mine", (ParallelStyle,), {})()}'} | ${"the style Mine"}
  `("$code: $plan", ({ code, plan, about }) => {
    const found = said(model(plan)).filter((text) => text.startsWith(code));
    expect(found).toEqual([expect.stringContaining(about)]);
  });

  test.each`
    plan                                                                                            | about
    ${'{"up": ColwiseParallel(), "down": RowwiseParallel()}'}                                       | ${[]}
    ${'{"norm": SequenceParallel(sequence_dim=0), "up": ColwiseParallel()}'}                        | ${[]}
    ${'{"up": ColwiseParallel(output_layouts=Replicate()), "down": RowwiseParallel()}'}             | ${['"down" takes what it is given as Shard(-1), but "relu_1" is whole on every rank']}
    ${'{"norm": SequenceParallel(sequence_dim=0, use_local_output=True), "up": ColwiseParallel()}'} | ${['"up" takes what it is given as Replicate(), but "layer_norm_1" is cut on dim 0']}
  `("what a style takes for something else is said: $plan", ({ plan, about }) => {
    const found = said(model(plan)).filter((text) => text.startsWith("torch/other-layout"));
    expect(found).toEqual(about.map((each: string) => expect.stringContaining(each)));
  });

  test("heads that the text divides among ranks stay whole on the board", () => {
    const attention = `class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = 8
        self.wq = nn.Linear(64, 64, bias=False)

    def forward(self, x):
        return self.wq(x).view(4, 16, self.heads, 8)

model = Attention()
model.heads = model.heads // mesh["tp"].size()
parallelize_module(model, mesh["tp"], {"wq": ColwiseParallel()})
y = model(Tensor((4, 16, 64)))
`;
    expect(laid(`${tp}${attention}`)["y"]).toBe("_,_,tp,_");
    expect(said(`${tp}${attention}`)).toEqual([expect.stringContaining("torch/whole-tensors")]);
  });

  test("gradients that PyTorch reduces one by one are said to be added first", () => {
    const text = `${tp}class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(64, 64, bias=False), nn.Linear(64, 64, bias=False)

    def forward(self, x):
        return self.a(x) * self.b(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.two = nn.Linear(64, 64), Two()

    def forward(self, x):
        return self.two(self.first(x))

model = Net()
parallelize_module(model, mesh["tp"], {"two.a": ColwiseParallel(), "two.b": ColwiseParallel()})
loss = model(Tensor((8, 64))).sum()
`;
    expect(said(text)).toEqual([]);
    expect(said(`${text}train(loss)\n`)).toEqual([
      expect.stringContaining(
        'torch/summed-gradients: PyTorch reduces the gradient of "linear_1" once for each of "two.a", "two.b"',
      ),
    ]);
  });
});

describe("data parallelism", () => {
  test.each`
    wrap                                                                  | layouts
    ${"fully_shard(model, mesh=mesh)"}                                    | ${{ "up.weight": "dp,_", x: "dp,_", y: "dp,_" }}
    ${"model = FSDP(model, device_mesh=mesh)"}                            | ${{ "up.weight": "dp,_", x: "dp,_", y: "dp,_" }}
    ${"model = FSDP(model, sharding_strategy=ShardingStrategy.NO_SHARD)"} | ${{ "up.weight": "_,_", x: "dp,_", y: "dp,_" }}
    ${"model = DDP(model)"}                                               | ${{ "up.weight": "_,_", x: "dp,_", y: "dp,_" }}
  `("$wrap", ({ wrap, layouts }) => {
    const text = `${dp}model = MLP()\n${wrap}\nx = Tensor((16, 64))\ny = model(x)\n`;
    expect(laid(text)).toMatchObject(layouts);
    expect(said(text)).toEqual([]);
  });

  test.each`
    wrap                                                               | again
    ${"FSDP(model)"}                                                   | ${false}
    ${"FSDP(model, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP)"} | ${false}
    ${"fully_shard(model)"}                                            | ${false}
    ${"fully_shard(model, reshard_after_forward=True)"}                | ${true}
  `("$wrap gathers for the backward pass: $again", ({ wrap, again }) => {
    const text = `${dp}model = MLP()\nmodel = ${wrap}\nloss = model(Tensor((16, 64))).sum()\ntrain(loss)\n`;
    const gathers = sent(text).filter((each) => each === "all-gather down.weight over dp");
    expect(gathers.length).toBe(again ? 2 : 1);
  });

  test("a dim that a style and pieces cut is cut by the style first", () => {
    const text = `${tp}model = MLP()\nparallelize_module(model, mesh["tp"], {"up": ColwiseParallel()})\nfully_shard(model, mesh=mesh["dp"])\ny = model(Tensor((16, 64)))\n`;
    expect(laid(text)["up.weight"]).toBe("tp*dp,_");
  });

  test("of copies gradients alone are reduced", () => {
    const text = `${dp}model = DDP(MLP())\nloss = model(torch.randn(16, 64)).sum()\nloss.backward()\n`;
    expect(sent(text)).toEqual(
      ["down.weight", "up.weight", "norm.weight", "norm.bias"].map((name) =>
        expect.stringContaining(`all-reduce ${name}.grad`),
      ),
    );
  });

  test("a batch that a trainer of the text takes is shared out as any other", () => {
    const text = `${head}dist.init_process_group("nccl", world_size=8, rank=0)
class Trainer:
    def __init__(self, model):
        self.model = DDP(model)
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
    def run(self):
        x = torch.randn(16, 64)
        loss = self.model(x).sum()
        loss.backward()
        self.opt.step()
Trainer(MLP()).run()
`;
    const sent = flatSteps(compiled(text).program).filter(({ kind }) => kind === "collective");
    expect(sent.length).toBeGreaterThan(0);
    expect(said(text)).toContainEqual(expect.stringContaining("torch/whole-batch"));
  });

  test("a loop that trains is one step, of the optimizer that it makes", () => {
    const text = `${dp}model = MLP()\nfully_shard(model, mesh=mesh)\nopt = torch.optim.AdamW(model.parameters())\nfor _ in range(3):\n    x = torch.randn(16, 64)\n    loss = model(x).sum()\n    loss.backward()\n    opt.step()\n`;
    const { graph, program } = compiled(text);
    expect(graph.tensors.filter(({ role }) => role === "input")).toHaveLength(1);
    expect(program.graph.operators.filter(({ op }) => op === "adamw")).toHaveLength(4);
    expect(said(text)).toEqual([
      expect.stringContaining("torch/whole-batch"),
      expect.stringContaining("torch/one-step: the text trains in a loop"),
    ]);
  });

  test.each`
    layer                  | again
    ${"LlamaDecoderLayer"} | ${2}
    ${"LlamaOther"}        | ${1}
  `("a policy wraps layers of a published model by their name: $layer", ({ layer, again }) => {
    const text = `from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import ${layer}
import functools
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
${dp}sizes = dict(vocab_size=320, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4)
policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={${layer}})
model = FSDP(LlamaForCausalLM(LlamaConfig(**sizes)), auto_wrap_policy=policy, device_mesh=mesh)
ids = torch.randint(0, 320, (8, 32))
loss = model(ids, labels=ids).loss
loss.backward()
torch.optim.SGD(model.parameters(), lr=0.1).step()
`;
    const weight = "all-gather model.layers[1].mlp.up_proj.weight over d0";
    expect(sent(text).filter((each) => each.replace("dp", "d0") === weight)).toHaveLength(again);
  });

  test("parameters are gathered, and computed with, in the type of a policy", () => {
    const text = `${dp}model = MLP()\nfully_shard(model, mesh=mesh, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32))\ny = model(Tensor((16, 64)))\n`;
    const { graph } = compiled(text);
    const types = graph.tensors.map(({ name, dtype }) => [name, dtype]);
    expect(Object.fromEntries(types)).toMatchObject({
      "up.weight": "bf16",
      y: "bf16",
      input_1: "f32",
    });
    expect(said(text)).toEqual([]);
  });

  test.each`
    policy                                                      | weights  | gradient
    ${"param_dtype=torch.bfloat16, reduce_dtype=torch.float32"} | ${"f32"} | ${"reduce-scatter f32"}
    ${"param_dtype=torch.bfloat16"}                             | ${"f32"} | ${"reduce-scatter bf16"}
    ${"param_dtype=torch.float16"}                              | ${"f32"} | ${"reduce-scatter f16"}
    ${""}                                                       | ${"f32"} | ${"reduce-scatter f32"}
  `(
    "trained under a policy of ($policy) gradients travel by $gradient",
    ({ policy, weights, gradient }) => {
      const text = `${dp}model = MLP()\nfully_shard(model, mesh=mesh, mp_policy=MixedPrecisionPolicy(${policy}))\nmodel(Tensor((16, 64))).sum().backward()\n`;
      const { program } = compiled(text);
      const types = new Map(program.graph.tensors.map(({ id, dtype }) => [id, dtype]));
      const tensors = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
      const sent = program.stages
        .flatMap(({ steps }) => steps)
        .flatMap((step) => {
          const tensor = step.kind === "collective" ? tensors.get(step.output) : undefined;
          if (step.kind !== "collective" || step.collective !== "reduce-scatter") return [];
          return tensor === undefined ? [] : [`${step.collective} ${types.get(tensor)}`];
        });
      expect(new Set(sent)).toEqual(new Set([gradient]));
      expect(program.graph.tensors.find(({ name }) => name === "up.weight")?.dtype).toBe(weights);
    },
  );

  test.each`
    text                                                                  | about
    ${"fully_shard(model, mesh=mesh, reshard_after_forward=4)"}           | ${"reshard_after_forward=4"}
    ${"fully_shard(model, mesh=mesh, offload_policy=CPUOffloadPolicy())"} | ${'"offload_policy" of fully_shard'}
    ${"fully_shard(model, mesh=mesh, shard_placement_fn=lambda p: None)"} | ${'"shard_placement_fn" of fully_shard'}
    ${"dist.all_reduce(torch.ones(3))"}                                   | ${"torch.distributed.all_reduce"}
  `("of $text it is said once what is not read", ({ text, about }) => {
    const found = said(`${dp}model = MLP()\n${text}\n${text}\ny = model(Tensor((16, 64)))\n`);
    expect(found).toEqual([expect.stringContaining(`torch/not-read: ${about}`)]);
  });

  test.each`
    text                                                                              | message
    ${"fully_shard(model, mesh=mesh, colour=3)"}                                      | ${"fully_shard() got an unexpected keyword argument 'colour'"}
    ${"fully_shard(model, mesh)"}                                                     | ${"fully_shard() takes 1 positional argument but 2 were given"}
    ${"parallelize_module(model, mesh, {'up': ColwiseParallel(pieces=3)})"}           | ${"ColwiseParallel.__init__() got an unexpected keyword argument 'pieces'"}
    ${"dist.all_reduce(torch.ones(3), groups=None)"}                                  | ${"all_reduce() got an unexpected keyword argument 'groups'"}
    ${"distribute_tensor(torch.ones(8, 8), mesh, [Shard(0), Replicate()])"}           | ${"`placements` must have the same length as `device_mesh.ndim`! Found placements length: 2, and device_mesh.ndim: 1."}
    ${"distribute_tensor(torch.ones(8, 8), mesh, [Shard(2)])"}                        | ${"Dimension out of range of a tensor with 2 dims: 2"}
    ${"distribute_tensor(torch.ones(8, 8), mesh, Shard(0))"}                          | ${"object of type 'Shard' has no len()"}
    ${"distribute_tensor(torch.ones(8, 8), mesh, [Shard(0)]).redistribute(mesh, [])"} | ${"list index out of range"}
  `("$text is refused", ({ text, message }) => {
    const { diagnostics } = compiled(`${dp}model = MLP()\n${text}\ny = model(Tensor((16, 64)))\n`);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map((each) => each.message)).toEqual([message]);
  });

  test("a batch that ranks do not share evenly stays whole, which is said", () => {
    const text = `${dp}model = DDP(MLP())\nx = Tensor((20, 64))\ny = model(x)\n`;
    expect(laid(text)["x"]).toBe("_,_");
    expect(said(text)).toEqual([expect.stringContaining("torch/uneven-batch")]);
  });
});

describe("distributed tensors", () => {
  test.each`
    text                                                                                                                                 | layouts
    ${"x = distribute_tensor(Tensor((16, 64)), mesh, [Shard(0), Shard(1)])\ny = x + 1"}                                                  | ${{ x: "dp,tp", y: "dp,tp" }}
    ${"x = DTensor.from_local(torch.randn(8, 64), mesh, [Shard(0), Replicate()])\ny = x + 1"}                                            | ${{ x: "dp,_" }}
    ${"x = randn(16, 64, device_mesh=mesh, placements=[Shard(1), Replicate()])\ny = x.redistribute(placements=[Shard(0), Replicate()])"} | ${{ x: "_,dp", y: "dp,_" }}
    ${"x = ones(16, 64, device_mesh=mesh, placements=[Shard(0), Replicate()])\ny = x.full_tensor()"}                                     | ${{ x: "dp,_", y: "_,_" }}
    ${"w = nn.Parameter(distribute_tensor(torch.empty(64, 64), mesh, [Replicate(), Shard(1)]))\ny = Tensor((8, 64)) @ w"}                | ${{ w: "_,tp", y: "_,tp" }}
  `("$text", ({ text, layouts }) => {
    expect(laid(`${tp}${text}\n`)).toMatchObject(layouts);
  });

  test("one rank's part is a part of the whole", () => {
    const text = `${tp}x = DTensor.from_local(torch.randn(8, 64), mesh, [Shard(0), Shard(1)])\ny = x + 1\n`;
    expect(compiled(text).graph.tensors[0]?.shape).toEqual([16, 256]);
  });

  test("a partition function cuts every module", () => {
    const text = `${tp}def cut(name, module, mesh):
    if isinstance(module, nn.Linear):
        module.weight = nn.Parameter(distribute_tensor(module.weight, mesh, [Shard(0)]))

model = distribute_module(MLP(), mesh["tp"], cut)
y = model(Tensor((8, 64)))
`;
    expect(laid(text)).toMatchObject({
      "up.weight": "tp,_",
      "down.weight": "tp,_",
      "norm.weight": "_",
    });
  });

  test("buffers of context parallelism are cut along the sequence, keys and values gathered", () => {
    const text = `${tp}q, k, v = (Tensor((2, 8, 128, 16)) for _ in range(3))
with context_parallel(mesh["tp"], buffers=[q, k, v], buffer_seq_dims=[2, 2, 2]):
    y = F.scaled_dot_product_attention(q, k, v)
`;
    expect(sent(text).map((each) => each.split(" ")[0])).toEqual(["all-gather", "all-gather"]);
    expect(laid(text)["y"]).toBe("_,_,tp,_");
  });

  test("a loss over cut classes sends numbers of rows alone", () => {
    const text = `${tp}layer = nn.Linear(64, 4096, bias=False)
parallelize_module(layer, mesh["tp"], ColwiseParallel(use_local_output=False))
with loss_parallel():
    loss = F.cross_entropy(layer(Tensor((8, 64))), Tensor((8,), "int64"))
`;
    expect(sent(text).every((each) => each.startsWith("all-reduce loss"))).toBe(true);
  });
});

describe("torchtitan", () => {
  const text = `from torchtitan.config import JobConfig
from torchtitan.distributed import ParallelDims

def parallelize_net(model, parallel_dims, job_config):
    if parallel_dims.tp_enabled:
        plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
        parallelize_module(model, parallel_dims.get_mesh("tp"), plan)
    if parallel_dims.fsdp_enabled:
        names = ["dp_replicate", "fsdp"] if parallel_dims.dp_replicate_enabled else ["fsdp"]
        reshard = job_config.parallelism.fsdp_reshard_after_forward == "always"
        fully_shard(model, mesh=parallel_dims.get_mesh(names), reshard_after_forward=reshard)
    return model

model = MLP()
`;

  test("degrees make a mesh, and functions of the text apply them", () => {
    const call = `dims = ParallelDims(dp_replicate=2, dp_shard=-1, cp=1, tp=2, pp=1, world_size=8)
parallelize_net(model, dims, JobConfig())
x = Tensor((16, 64))
y = model(x)
`;
    expect(laid(`${text}${call}`)).toMatchObject({
      ...{ "up.weight": "tp*dp_shard,_", "down.weight": "dp_shard,tp" },
      x: "dp_replicate*dp_shard,_",
    });
  });

  test("a function that nothing calls is called for the model, which is said", () => {
    expect(laid(text)).toMatchObject({ "up.weight": "tp*dp_shard,_" });
    expect(said(text)).toContainEqual(expect.stringContaining("torch/assumed-call"));
  });
});
