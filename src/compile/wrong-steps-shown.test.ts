import { expect, test } from "vitest";
import { compile, upstreamRun } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { targetNamed } from "../systems/code.testing.ts";
import { wrongCodes as dtensorCodes } from "../systems/dtensor/wrong-numbers.ts";
import { productNet } from "../systems/mindspore/product-net.testing.ts";
import { wrongCodes as mindsporeCodes } from "../systems/mindspore/wrong-numbers.ts";
import { wrongCodes as nnscalerCodes } from "../systems/nnscaler/wrong-numbers.ts";

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

/** The product's rows and columns are both cut by the last axis, and nothing reads it. */
const corners = productNet(
  'ops.MatMul().shard((layout("mp", "None"), layout("None", "mp")))',
  "x=(16, 32), w=(32, 8)",
)
  .replace("        self.read = ops.ReLU()\n", "")
  .replace("self.read(self.product(x, w))", "self.product(x, w)");

const convolution = `mesh = Mesh(d=2)
x = Tensor((2, 4, 8, 8))
w = Parameter((8, 4, 3, 3))
y = conv2d(x, w, padding=1)
z = relu(y)
strategy(y, o="d")
strategy(z, a=())
reshard(y, steps="dtensor")
`;

const uneven = (size: number) =>
  dtensor("[0, 1, 2, 3]").replace("Tensor((8, 4))", `Tensor((${size}, 4))`);

/** Handwritten DTensor code: no plan contains it, so only an export warns. */
const byHand = 'mesh = Mesh(d=4)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a="d")\n';

interface Row {
  readonly code: string;
  readonly program: string;
  /** Expected and actual values of the first device that differs; absent for handwritten code. */
  readonly shown?: string;
}

// The engines' replays run the same forms and their rewrites: engines/replay_nnscaler.py,
// engines/replay_mindspore.py, engines/replay_dtensor.py.
const rows: readonly Row[] = [
  {
    code: "nnscaler/partial-outside-cut",
    program: nnscaler(nested([1, 0], "range(4)")),
    shown: "0: 0:8, 0:32 <- 0:2 + 4:6 + 2:4 + 6:8, 0:32",
  },
  {
    code: "nnscaler/pieces-out-of-order",
    program: nnscaler(nested([0, 0], "[2, 0, 3, 1]")),
    shown: "0: 2:4, 0:16 <- 0:2, 0:16",
  },
  {
    code: "nnscaler/copied-weight",
    program: nnscaler(copied),
    shown: "0: the gradient <- 2 times the gradient",
  },
  {
    code: "mindspore/scatters-out-of-order",
    program: productNet(turned, "x=(64, 32), w=(32, 16)"),
    shown: "1: 16:24, 0:16 <- 8:16, 0:16",
  },
  {
    code: "mindspore/scatters-dim-0",
    program: productNet(batches, "x=(8, 16, 64), w=(8, 64, 64)"),
    shown: "0: 0:4, 0:4, 0:64 <- 0:1, 0:16, 0:64",
  },
  {
    code: "mindspore/shares-last-axis",
    program: corners,
    shown: "0: 0:8, 0:8 <- 0:8, 0:4",
  },
  {
    code: "dtensor/rows-not-ascending",
    program: dtensor("[2, 0, 3, 1]"),
    shown: "0: 0:8, 0:4 <- 2:4 + 0:2 + 6:8 + 4:6, 0:4",
  },
  {
    code: "dtensor/flattened-transpose",
    program: dtensor("[0, 2, 1, 3]"),
    shown: "0: 0:8, 0:4 <- 0:2 + 4:6 + 2:4 + 6:8, 0:4",
  },
  {
    code: "dtensor/flattened-uneven",
    program: uneven(5),
    shown: "0: 0:5, 0:4 <- 0:3 + 1 zero + 3:4, 0:4",
  },
  {
    code: "dtensor/cut-convolution",
    program: convolution,
    shown: "0: 0:2, 0:8, 0:8, 0:8 <- 0:2, 0:4, 0:8, 0:8",
  },
  { code: "dtensor/uneven-from-local", program: byHand },
];

test("every form that a system computes wrongly has its row", () => {
  const listed = [...nnscalerCodes, ...mindsporeCodes, ...dtensorCodes];
  expect(rows.map(({ code }) => code).sort()).toEqual([...listed].sort());
});

/** A device's values from their text: runs of the tensor's numbered elements, and zeros. */
function valuesOf(text: string): readonly (readonly number[])[] {
  const times = /^(?:(\d+) times )?the gradient$/.exec(text);
  if (times !== null) return [[Number(times[1] ?? 1)]];
  return text.split(", ").map((dim) =>
    dim.split(" + ").flatMap((run) => {
      const [, from, to, zeros] = /^(?:(\d+):(\d+)|(\d+) zeros?)$/.exec(run) ?? [];
      if (zeros !== undefined) return Array.from({ length: Number(zeros) }, () => 0);
      const start = Number(from);
      return Array.from({ length: Number(to) - start }, (_, at) => start + at + 1);
    }),
  );
}

const shownOf = (program: string, code: string) =>
  upstreamRun(compile(program))?.wrong.filter((wrong) => wrong.code === code) ?? [];

test.each(rows.filter(({ shown }) => shown !== undefined))(
  "$code is warned of, shown with values that differ, and gone with its rewriting",
  ({ code, program, shown }) => {
    const [step, ...more] = shownOf(program, code);
    expect(more).toEqual([]);
    const { cause, devices = [] } = step ?? {};
    expect(cause).toMatch(/(nnScaler 0\.8|MindSpore 2\.10|DTensor 2\.13)/);
    expect(devices.map(({ device, wanted, held }) => `${device}: ${wanted} <- ${held}`)[0]).toBe(
      shown,
    );
    for (const { wanted, held } of devices) expect(valuesOf(held)).not.toEqual(valuesOf(wanted));
    const found = compile(program).diagnostics.filter((diagnostic) => diagnostic.code === code);
    expect(found).toMatchObject([{ severity: "warning" }]);
    const [fix] = found[0]?.fixes ?? [];
    expect(fix).toBeDefined();
    const mended = applyEdits(program, fix?.edits ?? []);
    expect(shownOf(mended, code)).toEqual([]);
    const { diagnostics } = compile(mended);
    const left = diagnostics.filter((each) => each.code === code || each.severity === "error");
    expect(left).toEqual([]);
  },
);

test.each(rows.filter(({ shown }) => shown === undefined))(
  "an export warns of $code, and no more with its rewriting",
  ({ code, program }) => {
    const warned = (text: string) =>
      targetNamed("dtensor")
        .warnings(compile(text))
        .filter((each) => each.code === code);
    const [warning] = warned(program);
    expect(warning).toMatchObject({ severity: "warning" });
    const [fix] = warning?.fixes ?? [];
    expect(fix).toBeDefined();
    expect(warned(applyEdits(program, fix?.edits ?? []))).toEqual([]);
  },
);

test.each([5, 6, 9, 10, 13])(
  "%i rows on 2×2 are gathered wrongly over a flattened mesh, as PyTorch 2.13 does",
  (size) => {
    const [step] = shownOf(uneven(size), "dtensor/flattened-uneven");
    const rowsHeld = valuesOf(step?.devices[0]?.held ?? "")[0];
    expect(rowsHeld).toEqual(asRecorded[size]);
  },
);

/** Recorded values of every rank, run on gloo: row numbers from 1, and zeros as padding. */
const asRecorded: Readonly<Record<number, readonly number[]>> = {
  5: [1, 2, 3, 0, 4],
  6: [1, 2, 3, 0, 4, 5],
  9: [1, 2, 3, 4, 5, 0, 6, 7, 0],
  10: [1, 2, 3, 4, 5, 0, 6, 7, 8, 9],
  13: [1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 0, 11],
};

test.each([7, 11])("%i rows on 2×2 are the same blocks flattened, and nothing is said", (size) => {
  const { diagnostics } = compile(uneven(size));
  expect(diagnostics.map(({ code }) => code)).not.toContain("dtensor/flattened-uneven");
  expect(shownOf(uneven(size), "dtensor/flattened-uneven")).toEqual([]);
});

test("a product that shares its last axis and is read is refused by MindSpore, not computed wrongly", () => {
  const read = productNet(
    'ops.MatMul().shard((layout("mp", "None"), layout("None", "mp")))',
    "x=(16, 32), w=(32, 8)",
  );
  const [warning] = compile(read).diagnostics.filter(
    ({ code }) => code === "mindspore/shares-last-axis",
  );
  expect(warning).toMatchObject({ upstream: "RuntimeError" });
  expect(warning?.message).toContain("refuses the operator that reads the result");
  expect(shownOf(read, "mindspore/shares-last-axis")).toEqual([]);
});

test("a policy that is run rightly has no wrong steps", () => {
  const right = nnscaler(nested([0, 1], "range(4)"));
  expect(upstreamRun(compile(right))?.wrong).toEqual([]);
});

test.each`
  what                           | devices           | text
  ${"devices count up"}          | ${"[0, 1, 2, 3]"} | ${dtensor("[0, 1, 2, 3]")}
  ${"nothing is gathered"}       | ${"[2, 0, 3, 1]"} | ${dtensor("[2, 0, 3, 1]", ["()", '("x", "y")'])}
  ${"gathers are of one axis"}   | ${"[0, 2, 1, 3]"} | ${dtensor("[0, 2, 1, 3]", ['"x"', "()"])}
  ${"DTensor has no such steps"} | ${"[2, 0, 3, 1]"} | ${dtensor("[2, 0, 3, 1]", ['("y", "x")', "()"])}
`("DTensor's steps have no wrong ones on $devices where $what", ({ text }) => {
  const run = upstreamRun(compile(text));
  expect(run?.title).toBe("DTensor");
  expect(run?.wrong).toEqual([]);
});

test("only a program that takes DTensor's steps is shown as DTensor's", () => {
  const text = dtensor("[2, 0, 3, 1]").replace('"dtensor"', "2");
  expect(upstreamRun(compile(text))).toBeUndefined();
});
