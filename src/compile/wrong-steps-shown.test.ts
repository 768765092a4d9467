import { expect, test } from "vitest";
import { asSystem, compile } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { productNet } from "../systems/mindspore/product-net.testing.ts";

const nnscaler = (cuts: string) => `import nnscaler
import torch

@nnscaler.register_op("m k+, k+ n -> m n")
def mm(x, w):
    return torch.matmul(x, w)

def policy(graph, cfg):
    for node in graph.select(name="mm"):
${cuts}
    return graph

mesh = Mesh(g=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = mm(x, w)
`;

const nested = (dims: readonly [number, number], devices: string) => `        pieces = []
        for half in graph.partition(node, node.algorithm("dim"), idx=0, dim=${dims[0]}, num=2):
            pieces += graph.partition(half, half.algorithm("dim"), idx=0, dim=${dims[1]}, num=2)
        for device, piece in zip(${devices}, pieces):
            graph.assign(piece, device)`;

const copied = `        pieces = []
        for half in graph.replicate(node, times=2):
            pieces += graph.partition(half, half.algorithm("dim"), idx=0, dim=0, num=2)
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)`;

const turned = `ops.MatMul().shard((layout("dp", ("mp", "sp")), layout(("mp", "sp"), "None")), (layout(("dp", "mp", "sp"), "None"),))`;
const batches = `ops.BatchMatMul().shard(((2, 1, 4), (2, 4, 1)), ((2, 4, 1),))`;

const dtensor = (
  devices: string,
  [h, y] = ['("x", "y")', "()"],
) => `mesh = Mesh(x=2, y=2, devices=${devices})
x = Tensor((8, 4))
h = relu(x)
y = neg(h)
strategy(h, a=${h})
strategy(y, a=${y})
reshard(h, steps="dtensor")
`;

interface Device {
  readonly device: number;
  readonly wanted: string;
  readonly held: string;
}

const halves = (devices: readonly Device[]) =>
  devices.map(({ device, wanted, held }) => `${device}: ${wanted} <- ${held}`);

// The engines' replays run the same forms: engines/replay_nnscaler.py, engines/replay_mindspore.py,
// engines/replay_dtensor.py.
test.each`
  code                                 | program                                                | devices
  ${"nnscaler/partial-outside-cut"}    | ${nnscaler(nested([1, 0], "range(4)"))}                | ${["0: 0:8, 0:32 <- 0:2 + 4:6 + 2:4 + 6:8, 0:32"]}
  ${"nnscaler/pieces-out-of-order"}    | ${nnscaler(nested([0, 0], "[2, 0, 3, 1]"))}            | ${["0: 2:4, 0:16 <- 0:2, 0:16"]}
  ${"nnscaler/copied-weight"}          | ${nnscaler(copied)}                                    | ${["0: the gradient <- 2 times the gradient"]}
  ${"mindspore/scatters-out-of-order"} | ${productNet(turned, "x=(64, 32), w=(32, 16)")}        | ${["1: 16:24, 0:16 <- 8:16, 0:16"]}
  ${"mindspore/scatters-dim-0"}        | ${productNet(batches, "x=(8, 16, 64), w=(8, 64, 64)")} | ${["0: 0:4, 0:4, 0:64 <- 0:1, 0:16, 0:64"]}
  ${"dtensor/rows-not-ascending"}      | ${dtensor("[2, 0, 3, 1]")}                             | ${["0: 0:8, 0:4 <- 2:4 + 0:2 + 6:8 + 4:6, 0:4"]}
  ${"dtensor/flattened-transpose"}     | ${dtensor("[0, 2, 1, 3]")}                             | ${["0: 0:8, 0:4 <- 0:2 + 4:6 + 2:4 + 6:8, 0:4"]}
`("$code is shown with what devices have, and gone with its rewriting", (each) => {
  const { code, program, devices } = each;
  const compiled = compile(program);
  const [step] = asSystem(compiled)?.wrong.filter((wrong) => wrong.code === code) ?? [];
  expect(halves(step?.devices.slice(0, devices.length) ?? [])).toEqual(devices);
  expect(step?.cause).toMatch(/(nnScaler 0\.8|MindSpore 2\.10|DTensor 2\.13)/);
  const warning = compiled.diagnostics.find((diagnostic) => diagnostic.code === code);
  const [fix] = warning?.fixes ?? [];
  expect(fix).toBeDefined();
  const mended = compile(applyEdits(program, fix?.edits ?? []));
  expect(asSystem(mended)?.wrong.filter((wrong) => wrong.code === code)).toEqual([]);
});

test("a policy that is run rightly has no wrong steps", () => {
  const right = nnscaler(nested([0, 1], "range(4)"));
  expect(asSystem(compile(right))?.wrong).toEqual([]);
});

test.each`
  what                           | devices           | text
  ${"devices count up"}          | ${"[0, 1, 2, 3]"} | ${dtensor("[0, 1, 2, 3]")}
  ${"nothing is gathered"}       | ${"[2, 0, 3, 1]"} | ${dtensor("[2, 0, 3, 1]", ["()", '("x", "y")'])}
  ${"gathers are of one axis"}   | ${"[0, 2, 1, 3]"} | ${dtensor("[0, 2, 1, 3]", ['"x"', "()"])}
  ${"DTensor has no such steps"} | ${"[2, 0, 3, 1]"} | ${dtensor("[2, 0, 3, 1]", ['("y", "x")', "()"])}
`("DTensor's steps have no wrong ones on $devices where $what", ({ text }) => {
  const run = asSystem(compile(text));
  expect(run?.title).toBe("DTensor");
  expect(run?.wrong).toEqual([]);
});

test("only a program that takes DTensor's steps is shown as DTensor's", () => {
  const text = dtensor("[2, 0, 3, 1]").replace('"dtensor"', "2");
  expect(asSystem(compile(text))).toBeUndefined();
});
