import { expect, test } from "vitest";
import { applyEdits, type Diagnostic } from "#core/diagnostics";
import { readDocument } from "#systems";

const registered = "@nnscaler.register_op('a b -> a b')\ndef f(x): ...\n";
const net = `import mindspore.nn as nn
from mindspore import ops
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = ops.ReLU().shard(((4, 1),))
    def construct(self, x):
        return self.relu(x)
`;

/** Texts that together trigger every fix of the reading, by diagnostic code. */
const faulty: Readonly<Record<string, string>> = {
  "document/missing-import": "y = torch.neg(Tensor((4, 6)))",
  "document/misspelt-name": "y = troch.neg(Tensor((4, 6)))",
  "document/undefined-name": "y = mystery(x) @ w\nz = Tensor((B, 4))\nu = annotation",
  "document/assumed-shape": `${registered}y = f(Tensor())`,
  "document/assumed-size": "@nnscaler.register_op('(h t) k -> h t k')\ndef f(x, h: int): ...",
  "document/assumed-devices": `${registered}y = f(Tensor((4, 6)))\ndef PAS(graph, cfg):\n    return graph`,
  "document/missing-self":
    "import torch\nclass M(torch.nn.Module):\n    def forward(x):\n        return x + x",
  "cost/unknown-hardware": 'mesh = Mesh(dp=8, hardware="8xH1000")\nx = Tensor((8, 4))',
  "nnscaler/impl-pattern":
    "@nnscaler.register_op('a -> a', code_impl_pattern='copy')\ndef f(x): ...",
  "nnscaler/axis-lost": "@nnscaler.register_op('a b -> a')\ndef f(x): ...",
  "nnscaler/size-not-passed":
    "@nnscaler.register_op('(h t) k -> h t k')\ndef f(x, h=2): ...\ny = f(Tensor((8, 4)))",
  "nnscaler/old-name": `${registered}mesh = Mesh(g=2)\ny = f(Tensor((4, 6)))\ndef PAS(graph, resource):\n    for node in graph.nodes():\n        for d, p in enumerate(graph.replicate(node, resource.ngpus)):\n            graph.assign(p, d)\n    return graph`,
  "nnscaler/unknown-algorithm": `${registered}mesh = Mesh(g=2)\ny = f(Tensor((4, 6)))\ndef PAS(graph, cfg):\n    for node in graph.nodes():\n        node.algorithm('dims')\n    return graph`,
  "nnscaler/compiled-not-registered":
    "import torch, nnscaler\n@torch.compile\ndef f(x):\n    return x * 2\ny = f(Tensor((4, 6)))",
  "mindspore/no-auto-parallel": `${net}net = Net()\n`,
  "mindspore/parallel-mode": `from mindspore.parallel.auto_parallel import AutoParallel\n${net}net = AutoParallel(Net(), parallel_mode='semi')\n`,
  "mindspore/attribute-without-value":
    "from mindspore import ops\ny = ops.ReduceSum().add_prim_attr('cross_batch')(Tensor((4, 6)), 0)",
};

test.each(Object.entries(faulty))(
  "a fix of %s leaves none of it, and no new error",
  (code, text) => {
    const before = readDocument(text).diagnostics;
    const found = before.filter((each) => each.code === code && each.fixes !== undefined);
    expect(found.length).toBeGreaterThan(0);
    for (const diagnostic of found) {
      for (const fix of diagnostic.fixes ?? []) {
        const after = readDocument(applyEdits(text, fix.edits)).diagnostics;
        expect(after.map(nameOf), fix.title).not.toContain(nameOf(diagnostic));
        expect(errorsOf(after), fix.title).toEqual(
          errorsOf(before).filter((error) => error !== nameOf(diagnostic)),
        );
      }
    }
  },
);

function nameOf({ code, message }: Diagnostic): string {
  return `${code}: ${message}`;
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(nameOf);
}
