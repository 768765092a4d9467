import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

const model = `import torch
from nnscaler.ir.operator import IRFwOperation, IRDataOperation
from nnscaler.graph.segment import IRSegment
from nnscaler.graph.function.dimops import IRDimops
from nnscaler.parallel import ComputeConfig, parallelize
from nnscaler.policies import _tp, _replica

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(16, 32, bias=False)
        self.down = torch.nn.Linear(32, 16, bias=False)
    def forward(self, x):
        h = torch.nn.functional.gelu(self.up(x))
        return torch.sum(self.down(h))

`;

const call = (policy: string, config: string) =>
  `parallelize(Net(), {"x": torch.randn(8, 16)}, ${policy}, ${config})\n`;

const batch = (name: string, parameters = "graph, cfg") => `def ${name}(${parameters}):
    for node in graph.nodes():
        _tp(graph, node, [0, 1], 0, 0)
    return graph

`;

const allByBatch = ["linear_1 a=gpus", "h a=gpus", "linear_2 a=gpus", "sum_1 a=gpus"];

test.each`
  what                             | text                                                                                                                              | cuts
  ${"a name that a call gives"}    | ${`${batch("split")}${call("split", "ComputeConfig(2, 2)")}`}                                                                     | ${allByBatch}
  ${"a keyword of a call"}         | ${`${batch("split")}parallelize(Net(), {"x": torch.randn(8, 16)}, pas_policy=split, compute_config=ComputeConfig(2, 2))\n`}       | ${allByBatch}
  ${"the parameters' names"}       | ${`${batch("split", "graph, resource")}mesh = Mesh(gpus=2)\nNet()(Tensor((8, 16)))\n`}                                            | ${allByBatch}
  ${"the parameters' annotations"} | ${`${batch("split", "graph: IRGraph, c: ComputeConfig")}mesh = Mesh(gpus=2)\nNet()(Tensor((8, 16)))\n`}                           | ${allByBatch}
  ${"a variable called as usual"}  | ${`${batch("one")}${batch("two").replace("0, 0)", "1, 0)")}mesh = Mesh(gpus=2)\nNet()(Tensor((8, 16)))\npas_policy = one\n`}      | ${allByBatch}
  ${"a partial"}                   | ${`from functools import partial\n${batch("split", "graph, cfg, more")}${call("partial(split, more=1)", "ComputeConfig(2, 2)")}`} | ${allByBatch}
`("a policy is known by $what", ({ text, cuts }) => {
  expect(reading(model + text).cuts).toEqual(cuts);
});

// nnscaler/policies.py of release 0.8, run with PyTorch 2.13: slices of every operator
test.each`
  name        | config                                                                                                | cuts
  ${"data"}   | ${"ComputeConfig(2, 2)"}                                                                              | ${allByBatch}
  ${"tp"}     | ${"ComputeConfig(2, 2)"}                                                                              | ${["linear_1 k=gpus", "h b=gpus", "linear_2 a=gpus", "sum_1 b=gpus"]}
  ${"hybrid"} | ${'ComputeConfig(4, 4, use_end2end=True, pas_config={"pipeline_nmicros": 4, "pipeline_nstages": 2})'} | ${["linear_1 a=gpus:(2)2", "h a=gpus:(2)2", "linear_2 a=gpus:(2)2", "sum_1 a=gpus:(2)2"]}
`("nnScaler's own policy $name cuts $cuts", ({ name, config, cuts }) => {
  expect(reading(model + call(`"${name}"`, config)).cuts).toEqual(cuts);
});

const answers = `def policy(graph, cfg):
    up, gelu, down, total = graph.select(ntype=IRFwOperation)
    assert [node.name for node in graph.nodes()][:4] == ["linear", "gelu", "linear", "sum"]
    assert down.signature == "torch.nn.functional.linear" and total.signature == "torch.sum"
    assert isinstance(up, IRDimops) and not isinstance(up, IRDataOperation)
    assert up.input(1).shape == (32, 16) and up.inputs()[1].parent.is_param()
    assert up.inputs()[0].requires_grad and up.outputs()[0].grad
    assert down.transform_space() == [(0, 0), (0, 1), (1, 0)]
    assert down.algorithm("dim").satisfy(idx=0, dim=1, num=4)
    assert not down.algorithm("dim").satisfy(0, 1, 3)
    assert list(up.module_stack)[-1] == "up"
    assert graph.consumers(up.output(0).parent) == (gelu,)
    assert len(up.device) == 0
    for node in graph.select(ntype=IRFwOperation):
        _replica(graph, node, [0, 1])
    assert [node.device for node in graph.select(name="sum")] == [(0,), (1,)]
    return graph

`;

// The same queries, with the answers of nnScaler 0.8's own graph.
test("nnScaler's flags have the values that they have where the environment sets none", () => {
  const text = `from nnscaler.flags import CompileFlag
if CompileFlag.disable_intra_rvd or CompileFlag.use_zero or CompileFlag.zero_ngroups != 1:
    raise ValueError(CompileFlag.reducer_op)
`;
  expect(readDocument(text).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("nodes and tensors answer as nnScaler's do", () => {
  expect(reading(model + answers + call("policy", "ComputeConfig(2, 2)")).said).toEqual([
    "info document/assumed-devices",
  ]);
});

const stages = `def policy(graph, cfg):
    data, up, gelu, down, total = graph.nodes()[:5]
    graph.staging([up, down])
    first, second = [s for s in graph.select(ntype=IRSegment, flatten=False) if s.isfw()]
    _replica(graph, data, range(4))
    for node in first.nodes():
        _tp(graph, node, [0, 1], 0, 0)
    assert [node.name for node in second.nodes()] == ["identity", "linear", "sum"]
    for node in second.nodes():
        _tp(graph, node, [2, 3], 0, 1)
    return graph

`;

test.each`
  mode                    | said
  ${", use_end2end=True"} | ${["info document/assumed-devices", "warning nnscaler/pipeline"]}
  ${""}                   | ${["info document/assumed-devices", "error python/value-error ValueError"]}
`("a pipeline shows what each stage splits [$mode]", ({ mode, said }) => {
  const found = reading(model + stages + call("policy", `ComputeConfig(4, 4${mode})`));
  expect(found.said).toEqual(said);
  if (mode !== "") {
    const halves = ["linear_1 a=gpus:(2)2", "h a=gpus:(2)2"];
    expect(found.cuts).toEqual([...halves, "linear_2 k=gpus:(2)2", "sum_1 b=gpus:(2)2"]);
  }
});

const shared = `class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.zeros(16, 16))
    def forward(self, x):
        return torch.sum(torch.matmul(torch.matmul(x, self.w), self.w))

def policy(graph, cfg):
    data, one, two, total = graph.nodes()
    graph.staging([one, two])
    first, second = graph.select(ntype=IRSegment, flatten=False)
    _replica(graph, data, range(4))
    _tp(graph, one, [0, 1], 0, 0)
    CUT(graph, two, [2, 3])
    for node in second.nodes():
        if not node.device:
            _replica(graph, node, [2, 3])
    return graph

parallelize(Tied(), {"x": torch.randn(8, 16)}, policy, ComputeConfig(4, 4, use_end2end=True))
`;

// IRAdapterGener.gen_weight: tests/parallel_module/test_shared_param_pipeline.py has both
test.each`
  cut                                       | faults
  ${"_replica"}                             | ${["warning nnscaler/needs-multiref RuntimeError"]}
  ${"(lambda g, n, d: _tp(g, n, d, 0, 0))"} | ${[]}
`("a weight of two stages is read by pieces or by copies: $cut", ({ cut, faults }) => {
  const { said } = reading(model + shared.replace("CUT", cut));
  expect(said.filter((line) => line.includes("needs-multiref"))).toEqual(faults);
});

test.each`
  text                                                                           | said
  ${`${batch("one")}${batch("two")}Net()(Tensor((8, 16)))\n`}                    | ${"info nnscaler/policy-not-run"}
  ${`${batch("one", "graph, cfg, more")}Net()(Tensor((8, 16)))\n`}               | ${"info nnscaler/policy-not-run"}
  ${`${batch("split")}mesh = Mesh(gpus=2)\ny = torch.relu(Tensor((8, 16)))\n`}   | ${"error nnscaler/unknown-algorithm ValueError"}
  ${call('"autodist"', "ComputeConfig(2, 2)")}                                   | ${"warning nnscaler/policy-not-run"}
  ${call('"mine"', "ComputeConfig(2, 2)")}                                       | ${"error nnscaler/policy-not-run ValueError"}
  ${call('"data"', "ComputeConfig(4, 6)")}                                       | ${"error python/value-error ValueError"}
  ${`mesh = Mesh(g=6)\n${call('"data"', "ComputeConfig(4, 4)")}`}                | ${"warning nnscaler/devices"}
  ${`${batch("policy").replace("_tp(", "graph.fuse(")}Net()(Tensor((8, 16)))\n`} | ${"warning nnscaler/not-run-here"}
`("what is not run is said: $said", ({ text, said }) => {
  expect(reading(model + text).said).toContain(said);
});

// nnscaler/graph/function/anchor.py: an IRFwOperation with its own name, from which no piece is
// made
test("a policy finds the anchors of a model between its operators, and stages by them", () => {
  const text = `${model}import nnscaler
from nnscaler.graph.function.anchor import IRGraphAnchor

class Marked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(16, 32, bias=False)
        self.down = torch.nn.Linear(32, 16, bias=False)
    def forward(self, x):
        nnscaler.runtime.function.anchor("first")
        x = self.up(x)
        nnscaler.runtime.function.anchor("second")
        return self.down(x).sum()

def policy(graph, cfg):
    nodes = graph.select(ntype=IRFwOperation)
    anchors = [node for node in nodes if isinstance(node, IRGraphAnchor)]
    assert [node.name for node in nodes] == ["first", "linear", "second", "linear", "sum"]
    assert anchors[0].signature == "nnscaler.runtime.function.anchor"
    graph.staging(anchors)
    for at, stage in enumerate(s for s in graph.select(ntype=IRSegment, flatten=False) if s.isfw()):
        for node in stage.nodes():
            graph.assign(node, at)
    _replica(graph, graph.select(ntype=IRDataOperation)[0], [0, 1])
    return graph

parallelize(Marked(), {"x": torch.randn(8, 16)}, policy, ComputeConfig(2, 2, use_end2end=True))
`;
  const { diagnostics } = readDocument(text);
  const found = diagnostics.filter(({ severity }) => severity !== "info");
  expect(found.map(({ code }) => code)).toEqual(["nnscaler/pipeline"]);
  expect(found[0]?.message).toContain("linear on device 0; linear, sum on device 1");
});

test("all policies that are not run are said in one line, each with the line that runs it", () => {
  const text = `${model}${batch("one")}${batch("two")}${batch("three")}${call("two", "ComputeConfig(2, 2)")}`;
  const { diagnostics } = readDocument(text);
  const [found, ...others] = diagnostics.filter(({ code }) => code === "nnscaler/policy-not-run");
  expect(others).toEqual([]);
  expect(found?.message).toBe('the policies "one", "three" are not run: "two" is');
  expect(found?.fixes?.map(({ title }) => title)).toEqual(["Run one", "Run three"]);
});

// nnscaler/graph/function/wrapnn.py: "n c^ h^ w^, … -> n c^ h^ w^" stands for nn.InstanceNorm2d
test.each`
  dim  | cuts                          | faults
  ${0} | ${["instance_norm_1 a=gpus"]} | ${[]}
  ${1} | ${[]}                         | ${["error nnscaler/partition-refused ValueError"]}
  ${2} | ${[]}                         | ${["error nnscaler/partition-refused ValueError"]}
`(
  "nnScaler cuts the layer InstanceNorm2d along its images alone: dim $dim",
  ({ dim, cuts, faults }) => {
    const text = `${model}class Norm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.InstanceNorm2d(8)
    def forward(self, x):
        return self.norm(x)

${batch("split").replace("0, 0)", `0, ${dim})`)}parallelize(Norm(), {"x": torch.randn(8, 8, 4, 4)}, split, ComputeConfig(2, 2))
`;
    const found = reading(text);
    expect(found.said.filter((line) => !line.startsWith("info"))).toEqual(faults);
    expect(found.cuts).toEqual(cuts);
  },
);

// Results of numpy 2, for a policy that computes its device layout with arrays.
test("a policy counts with arrays of numpy: how it lays out its devices", () => {
  const layout = `import numpy as np

def policy(graph, cfg):
    sizes = np.array((2, 2))
    count = np.prod(sizes)
    assert count == cfg.plan_ngpus
    grid = np.arange(count).reshape(tuple(sizes))
    assert grid.shape == (2, 2) and grid.size == 4 and grid.ndim == 2 and len(grid) == 2
    assert np.arange(6).reshape(2, -1).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.transpose(np.arange(6).reshape((1, 2, 3)), (2, 0, 1)).tolist() == [[[0, 3]], [[1, 4]], [[2, 5]]]
    columns = np.transpose(grid, (1, 0)).reshape((2, 2)).tolist()
    assert columns == [[0, 2], [1, 3]] and grid.T.tolist() == columns
    for node in graph.select(ntype=IRFwOperation):
        _tp(graph, node, tuple(columns[0]) + tuple(columns[1]), 0, 0)
    return graph

`;
  const { said, cuts } = reading(model + layout + call("policy", "ComputeConfig(4, 4)"));
  expect(said.filter((line) => line.startsWith("error") || line.includes("unknown"))).toEqual([]);
  expect(cuts).toHaveLength(4);
});

test("a policy alone offers a small model, and then runs", () => {
  const alone = `from nnscaler.policies import _tp\n${batch("split")}`;
  const found = reading(alone);
  expect(found.said).toEqual(["info nnscaler/policy-waits"]);
});

// nnScaler traces no operator whose result is not returned: graph.nodes() lacks it.
test("an operator that the model does not return is no node of the graph", () => {
  const text = `class Spare(torch.nn.Module):
    def forward(self, x):
        spare = torch.sigmoid(x)
        return torch.tanh(x)

def policy(graph, cfg):
    assert [node.name for node in graph.select(ntype=IRFwOperation)] == ["tanh"]
    for node in graph.select(ntype=IRFwOperation):
        _tp(graph, node, [0, 1], 0, 0)
    return graph

parallelize(Spare(), {"x": torch.randn(8, 16)}, policy, ComputeConfig(2, 2))
`;
  expect(reading(model + text).said).toEqual(["info document/assumed-devices"]);
});

// examples/vision/swin/policy/gallery.py: pieces that share a device
test("several pieces of a device are drawn on it, and a replica of the unit adds no device", () => {
  const policy = `def policy(graph, cfg):
    assert (cfg.plan_ngpus, cfg.runtime_ngpus, cfg.use_zero) == (2, 4, True)
    for node in graph.select(ntype=IRFwOperation):
        pieces = graph.partition(node, node.algorithm("dim"), idx=0, dim=0, num=4)
        for at, piece in enumerate(pieces):
            graph.assign(piece, at // 2)
    return graph

`;
  const config = "ComputeConfig(2, 4, use_zero=True, constant_folding=True)";
  const { cuts, said } = reading(model + policy + call("policy", config));
  const pieces = ["linear_1", "h", "linear_2", "sum_1"].map((name) => `${name} a=gpus*~2`);
  expect({ cuts, said }).toEqual({ cuts: pieces, said: ["info document/assumed-devices"] });
});
