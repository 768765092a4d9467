import { expect, test } from "vitest";
import { compile } from "#compile";
import type { Fix } from "#core/diagnostics";

/** A product on four devices under a policy whose body is given. */
function product(body: string): string {
  return `import nnscaler
import torch


@nnscaler.register_op("m k+, k+ n -> m n")
def mm(x, w):
    return torch.matmul(x, w)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(16, 32))

    def forward(self, x):
        return mm(x, self.w)


def policy(graph, cfg):
    for node in graph.select(name="mm"):
${body}
    return graph


x = torch.randn(8, 16)
nnscaler.parallelize(Model(), {"x": x}, policy, nnscaler.ComputeConfig(4, 4))
`;
}

/** Nested cuts (operand, dim), each into two, assigned to devices in the given order. */
const cuts = (outer: string, inner: string, devices = "range(4)") =>
  product(`        outer = graph.partition(node, node.algorithm("dim"), ${outer}, num=2)
        pieces = [q for p in outer for q in graph.partition(p, p.algorithm("dim"), ${inner}, num=2)]
        for device, piece in zip(${devices}, pieces):
            graph.assign(piece, device)`);
const copied = product(`        copies = graph.replicate(node, times=2)
        pieces = [q for p in copies for q in graph.partition(p, p.algorithm("dim"), idx=0, dim=0, num=2)]
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)`);

const [m, k, n] = ["idx=0, dim=0", "idx=0, dim=1", "idx=1, dim=1"];

function warned(text: string) {
  return compile(text).diagnostics.filter(({ severity }) => severity !== "info");
}

function applied(text: string, { edits }: Fix): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text);
}

// engines/replay_nnscaler.py runs these and their rewritings.
test.each`
  code                              | at                   | text
  ${"nnscaler/partial-outside-cut"} | ${"graph.partition"} | ${cuts(k, m)}
  ${"nnscaler/partial-outside-cut"} | ${"graph.partition"} | ${cuts(k, n)}
  ${"nnscaler/pieces-out-of-order"} | ${"graph.partition"} | ${cuts(m, n, "[2, 0, 3, 1]")}
  ${"nnscaler/copied-weight"}       | ${"graph.replicate"} | ${copied}
`("$code is said at the call of $at, and its rewriting takes it away", ({ code, at, text }) => {
  const [warning, ...others] = warned(text);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code, severity: "warning" });
  expect(text.slice(warning?.span?.from)).toMatch(new RegExp(`^${at}`));
  const [fix] = warning?.fixes ?? [];
  expect(fix).toBeDefined();
  expect(fix && warned(applied(text, fix))).toEqual([]);
});

test.each`
  what                              | text
  ${"a partial value inside a cut"} | ${cuts(m, k)}
  ${"cuts without a sum"}           | ${cuts(m, n)}
  ${"devices that swap nothing"}    | ${cuts(m, k, "[0, 1, 2, 3]")}
`("$what is computed rightly, and nothing is said", ({ text }) => {
  expect(warned(text)).toEqual([]);
});

/**
 * A cut into two, planned for two devices and run on four: the plan is repeated on the other two.
 */
const repeated =
  product(`        pieces = graph.partition(node, node.algorithm("dim"), idx=0, dim=0, num=2)
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)`)
    .replace("import torch\n", "import torch\n\nmesh = Mesh(d=4)\n")
    .replace("ComputeConfig(4, 4)", "ComputeConfig(2, 4)");

test("a plan that is repeated on further devices, for data of their own, is computed rightly", () => {
  expect(compile(repeated).graph.operators).toHaveLength(1);
  expect(warned(repeated)).toEqual([]);
});
