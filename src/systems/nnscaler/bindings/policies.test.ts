import { expect, test } from "vitest";
import { reading } from "../../../language/document/reading.testing.ts";

const program = (mesh: string) => `import nnscaler
@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x, w): ...
${mesh}
x = Tensor((8, 16))
w = Parameter((16, 32))
y = mm(x, w)
`;

const policy = (body: string) => `def policy(graph, cfg):
    for node in graph.nodes():
        algo = node.algorithm('dim')
${body
  .split("\n")
  .map((line) => `        ${line}`)
  .join("\n")}
    return graph
`;

const inOrder = "for d, p in enumerate(parts):\n    graph.assign(p, d)";

// dimops.md §3 and §8
test.each`
  mesh                       | body                                                                                                                                                                                                   | cuts                   | said
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=1, num=4)\n${inOrder}`}                                                                                                                              | ${["y k=g"]}           | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, **dict(idx=2, dim=1, num=cfg.plan_ngpus))\n${inOrder}`}                                                                                                         | ${["y n=g"]}           | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${"graph.partition(node, algo, idx=0, dim=0, num=4)"}                                                                                                                                                  | ${["y m=g"]}           | ${["warning nnscaler/unassigned-piece RuntimeError"]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.replicate(node, times=4)\n${inOrder}`}                                                                                                                                                | ${[]}                  | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${"pass"}                                                                                                                                                                                              | ${[]}                  | ${["warning nnscaler/unassigned-node RuntimeError"]}
  ${"mesh = Mesh(a=2, b=2)"} | ${`parts = [q for p in graph.partition(node, algo, idx=0, dim=0, num=2) for q in graph.partition(p, p.algorithm('dim'), idx=1, dim=1, num=2)]\n${inOrder}`}                                            | ${["y m=a n=b"]}       | ${[]}
  ${"mesh = Mesh(a=2, b=2)"} | ${`parts = [q for p in graph.partition(node, algo, idx=0, dim=0, num=2) for q in graph.replicate(p, 2)]\n${inOrder}`}                                                                                  | ${["y m=a"]}           | ${[]}
  ${"mesh = Mesh(a=2, b=2)"} | ${"for i, p in enumerate(graph.partition(node, algo, idx=0, dim=0, num=2)):\n    for j, q in enumerate(graph.partition(p, algo, idx=1, dim=1, num=2)):\n        graph.assign(q, 2 * j + i)"}           | ${["y m=b n=a"]}       | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=4)\nfor d, p in enumerate(parts):\n    graph.assign(p, [0, 2, 1, 3][d])`}                                                                     | ${["y m=own0"]}        | ${["warning nnscaler/pieces-out-of-order"]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=8)\nfor i, p in enumerate(parts):\n    graph.assign(p, i // 2)`}                                                                              | ${["y m=g*~2"]}        | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=1, num=8)\nfor i, p in enumerate(parts):\n    graph.assign(p, i % 4)`}                                                                               | ${["y k=~2*g"]}        | ${[]}
  ${"mesh = Mesh(a=2, b=2)"} | ${"for i, p in enumerate(graph.partition(node, algo, idx=0, dim=0, num=4)):\n    for j, q in enumerate(graph.partition(p, algo, idx=1, dim=1, num=4)):\n        graph.assign(q, i // 2 * 2 + j // 2)"} | ${["y m=a*~2 n=b*~2"]} | ${[]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=8)\nfor i, p in enumerate(parts):\n    graph.assign(p, min(i, 3))`}                                                                           | ${[]}                  | ${["warning nnscaler/assignment"]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=4)\nfor p in parts:\n    graph.assign(p, 0)`}                                                                                                 | ${[]}                  | ${["warning nnscaler/assignment"]}
  ${"mesh = Mesh(g=4)"}      | ${"a, b = graph.partition(node, algo, idx=0, dim=0, num=2)\ngraph.partition(a, algo, idx=0, dim=1, num=2)\ngraph.partition(b, algo, idx=1, dim=1, num=2)"}                                             | ${[]}                  | ${["warning nnscaler/uneven-partition"]}
  ${"mesh = Mesh(g=4)"}      | ${"graph.partition(node, node.algorithm('dims'), idx=0, dim=0, num=4)"}                                                                                                                                | ${[]}                  | ${["error nnscaler/unknown-algorithm ValueError"]}
  ${"mesh = Mesh(g=3)"}      | ${"graph.partition(node, algo, idx=0, dim=0, num=3)"}                                                                                                                                                  | ${[]}                  | ${["error nnscaler/partition-refused ValueError"]}
  ${"mesh = Mesh(g=4)"}      | ${"graph.partition(node, algo, idx=7, dim=0, num=4)"}                                                                                                                                                  | ${[]}                  | ${["error nnscaler/partition-refused IndexError"]}
  ${"mesh = Mesh(g=4)"}      | ${"graph.partition(node, algo, idx=0, dim=0)"}                                                                                                                                                         | ${[]}                  | ${["error nnscaler/partition-refused AssertionError"]}
  ${"mesh = Mesh(g=4)"}      | ${"graph.assign(node, 9)"}                                                                                                                                                                             | ${[]}                  | ${["error nnscaler/no-such-device ValueError"]}
  ${"mesh = Mesh(g=4)"}      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=cfg.ngpus)\n${inOrder}`}                                                                                                                      | ${["y m=g"]}           | ${["warning nnscaler/old-name AttributeError"]}
  ${""}                      | ${`parts = graph.partition(node, algo, idx=0, dim=0, num=4)\n${inOrder}`}                                                                                                                              | ${["y m=gpus"]}        | ${["info document/assumed-devices"]}
`("on $mesh the policy [$body] cuts $cuts", ({ mesh, body, cuts, said }) => {
  const found = reading(program(mesh) + policy(body));
  expect(found.cuts).toEqual(cuts);
  expect(found.said).toEqual(said);
});

test("what a policy computes itself is none of the program", () => {
  const found = reading(
    program("mesh = Mesh(g=4)") + policy("kept = x @ w\nother = Tensor((8, 3))"),
  );
  expect(found.tensors).toBe("x[8,16] w[16,32]! y[8,32]");
});

test("sizes that nobody gave divide by what a policy cuts", () => {
  const text = `@nnscaler.register_op('m k+, k+ n -> m n')
def mm(x, w): ...
mesh = Mesh(g=3)
${policy(`parts = graph.partition(node, algo, idx=0, dim=0, num=3)\n${inOrder}`)}`;
  expect(reading(text)).toMatchObject({
    tensors: "x[9,8] w[8,8] mm_1[9,8]",
    cuts: ["mm_1 m=g"],
    said: [],
  });
});

test("what the text itself splits goes before a policy", () => {
  const text = `${program("mesh = Mesh(g=4)")}strategy(y, n="g")\n${policy("pass")}`;
  expect(reading(text)).toMatchObject({ cuts: ["y n=g"], said: [] });
});

test.each`
  ending            | said
  ${""}             | ${["warning nnscaler/policy-return RuntimeError"]}
  ${"    return 3"} | ${["error nnscaler/policy-return RuntimeError"]}
`("a policy that ends in [$ending] does not return the graph", ({ ending, said }) => {
  const body =
    "def PAS(graph, resource):\n    for node in graph.nodes():\n        graph.replicate(node, times=4)\n";
  const found = reading(`${program("mesh = Mesh(g=4)")}${body}${ending}\n`);
  expect(found.said.filter((line) => line.includes("policy-return"))).toEqual(said);
});

test("a policy asks nodes for their class, name and splittable dims", () => {
  const text = `from nnscaler.ir.operator import IRFwOperation
${program("mesh = Mesh(g=2)")}
def policy(graph, cfg):
    for node in graph.select(name='mm'):
        if isinstance(node, IRFwOperation):
            idx, dim = node.transform_space()[2]
            for d, p in enumerate(graph.partition(node, node.algorithm('dim'), idx=idx, dim=dim, num=2)):
                graph.assign(p, d)
    return graph
`;
  expect(reading(text)).toMatchObject({ cuts: ["y n=g"], said: [] });
});
