import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { emittedBy, readDocument } from "#systems";
import { asked } from "../../../cli/asked.testing.ts";

interface Written {
  readonly ok: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly claims: {
    readonly devices: number;
    readonly operators: readonly {
      readonly op: string;
      readonly name: string;
      readonly in_strategy: readonly (readonly number[])[];
    }[];
    readonly slices: Readonly<Record<string, readonly (readonly (readonly number[])[])[]>>;
    readonly collectives: readonly {
      readonly op: string;
      readonly at: string;
      readonly groups: readonly (readonly number[])[];
      readonly bytes: number;
      readonly why: string;
    }[];
  };
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

function written(program: string): Written {
  return asked<Written>("export", { program, to: "mindspore" });
}

/** The message that says why a program is not written. */
function refusal(program: string): string {
  const { ok, diagnostics } = written(program);
  expect(ok).toBe(false);
  return diagnostics.find(({ code }) => code === "export/not-written")?.message ?? "";
}

/** The trimmed lines of a file between two given lines. */
function linesOf(program: string, from: string, to: string): readonly string[] {
  const text = written(program).files[0]?.text ?? "";
  const start = text.indexOf(from) + from.length;
  const lines = text.slice(start, text.indexOf(to, start)).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** The primitives of a cell, each on one line. */

const primitivesOf = (program: string) =>
  linesOf(program, "super().__init__()\n", "def construct")
    .join("\n")
    .replaceAll("(\n", "(")
    .replaceAll("\n)", ")")
    .split("\n")
    .filter((line) => line.includes(".shard("));
const constructOf = (program: string) => linesOf(program, "def construct", "INPUTS").slice(1);

const product = (more: string, mesh = "dp=2, tp=2") => `mesh = Mesh(${mesh})
x = Tensor((16, 64), "f32")
w = Parameter((64, 32), "f32")
y = matmul(x, w)
${more}
`;

test("a product and what follows it: Layouts by the names of the mesh, and a comment per collective", () => {
  const program = product('z = relu(y)\nstrategy(y, m="dp", k="tp")\nstrategy(z, b="dp")');
  expect(primitivesOf(program)).toEqual([
    'self.y = ops.MatMul().shard((layout("dp", "tp"), layout("tp", "None")))',
    'self.z = ops.ReLU().shard((layout("None", "dp"),))',
  ]);
  expect(constructOf(program)).toEqual([
    "# AllReduce of y, 1.02 kB among 0 1, 2 3: adds up its partial sums",
    "y = self.y(x, self.w)",
    "# AllGather of y, 1.02 kB among 0 2, 1 3: z reads it so",
    "z = self.z(y)",
    "return z",
  ]);
  const { claims } = written(program);
  expect(claims.slices.w?.[1]).toEqual([
    [32, 64],
    [0, 32],
  ]);
});

// MindSpore 2.10 scatters wrong blocks if the axes of the contraction are out of mesh order, and
// for tensors with batch dims (mindspore.md §5.1); in these cases the sums are all-reduced.
test.each`
  cut                 | follows           | op                 | differs
  ${'m="dp", k="tp"'} | ${'("dp", "tp")'} | ${"ReduceScatter"} | ${false}
  ${'k=("dp", "tp")'} | ${'("dp", "tp")'} | ${"ReduceScatter"} | ${false}
  ${'k=("tp", "dp")'} | ${'("tp", "dp")'} | ${"AllReduce"}     | ${true}
`("a plan that scatters with $cut is written with $op", ({ cut, follows, op, differs }) => {
  const program = product(`z = relu(y)\nstrategy(y, ${cut})\nstrategy(z, a=${follows})`);
  expect(written(program).claims.collectives.map((each) => each.op)).toEqual([op]);
  const text = written(program).files[0]?.text ?? "";
  expect(text.includes("Not as the plan has it: y is added up whole")).toBe(differs);
});

test("a product with batch dims is added up whole where the plan scatters it", () => {
  const program = `mesh = Mesh(tp=4)
x = Tensor((8, 16, 64), "f32")
w = Parameter((64, 32), "f32")
y = einsum("b s k, k n -> b s n", x, w)
z = relu(y)
strategy(y, k="tp")
strategy(z, a="tp")
`;
  expect(primitivesOf(program)[0]).toMatch(/^self\.y = MatMulExt\(\)\.shard\(/);
  expect(written(program).claims.collectives.map(({ op }) => op)).toEqual(["AllReduce"]);
  expect(written(program).files[0]?.text).toContain("scatters wrong blocks of tensors");
});

test("what takes tuples only has them where they say the same, else Layouts that it does not check", () => {
  const program = (axis: string) =>
    `mesh = Mesh(a=2, b=4)\nx = Tensor((16, 16))\ny = neg(x)\nstrategy(y, a="${axis}")\n`;
  expect(primitivesOf(program("a"))).toEqual(["self.y = ops.Neg().shard(((2, 1),))"]);
  expect(primitivesOf(program("b"))).toEqual([
    'self.y = ops.Neg().add_prim_attr("self_define_shard", True).shard((layout("b", "None"),), (layout("b", "None"),))',
  ]);
});

test.each`
  why                                         | program
  ${/y sums or joins several dims/}           | ${'mesh = Mesh(d=2)\nx = Tensor((2, 4, 8))\nw = Parameter((8, 2, 4))\ny = einsum("b s d, d h e -> b h s e", x, w)\nstrategy(y, h="d")\n'}
  ${"comes from no primitive"}                | ${product('z = cumsum(y, dim=0)\nstrategy(y, m="dp")')}
  ${/takes numbers of pieces only.*how s is/} | ${product('s = mean(y, dim=0)\nstrategy(y, n="tp")')}
  ${/x is cut unevenly/}                      | ${product("strategy(y, m='dp')", "dp=3")}
`("a plan that MindSpore has no form for is refused: $why", ({ why, program }) => {
  const pattern = typeof why === "string" ? /no primitive of MindSpore is known/ : why;
  expect(refusal(program)).toMatch(pattern);
});

test.each`
  what                        | plan                                                                                              | sent
  ${"is gathered to be read"} | ${'place(w, layout("tp", "None"))\nstrategy(y, m="dp")'}                                          | ${["AllGather"]}
  ${"is read in two layouts"} | ${'v = matmul(x, w)\nplace(w, layout("None", "None"))\nstrategy(y, n="tp")\nstrategy(v, m="dp")'} | ${[]}
`("a parameter that $what is kept by an identity of its own", ({ plan, sent }) => {
  const program = product(plan);
  const keeps = primitivesOf(program).filter((line) =>
    line.startsWith("self.w_kept = ops.Identity()"),
  );
  expect(keeps).toHaveLength(1);
  expect(constructOf(program)[0]).toBe("w_kept = self.w_kept(self.w)");
  expect(written(program).claims.collectives.map(({ op }) => op)).toEqual(sent);
});

test("partial sums that the plan carries on are added up where they are made, and the file says so", () => {
  const program = product('z = neg(y)\nstrategy(y, k="tp")\nstrategy(z, carry="tp")');
  expect(written(program).claims.collectives).toMatchObject([{ op: "AllReduce", at: "y" }]);
  const text = written(program).files[0]?.text;
  expect(text).toContain("Not as the plan has it: y is added up where it is made");
});

test("a program that computes nothing lays out what it is given", () => {
  const program = 'mesh = Mesh(d=2)\nx = Tensor((4, 4))\nplace(x, layout("None", "d"))\n';
  expect(primitivesOf(program)).toEqual([
    'self.x_kept = ops.Identity().shard((layout("None", "d"),))',
  ]);
});

/**
 * An exported file, changed so that our own reader calls the cell on tensors of its input shapes.
 */
function called(text: string, devices: number): string {
  const fed = [...text.matchAll(/^ {4}"(\w+)": \(([^\n]*), (ms\.\w+)\),$/gm)];
  const tensors = fed.map(([, , shape, dtype]) => `ms.Tensor(np.ones(${shape}), ${dtype})`);
  const context = `ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=${devices}, full_batch=True)`;
  return `${text.slice(0, text.indexOf("if __name__"))}${context}\nnet = Plan()\nnet(${tensors.join(", ")})\n`;
}

const cards = examples.flatMap(({ name, program }) =>
  program !== undefined && written(program).ok ? [{ name, program }] : [],
);

test("cells are written of most examples that are programs of tensors", () => {
  expect(cards.length).toBeGreaterThan(15);
});

test.each(cards)(
  "$name is read back with the operators and collectives that it claims",
  ({ program }) => {
    const { files, claims } = written(program);
    const document = readDocument(called(files[0]?.text ?? "", claims.devices));
    expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const rank of [0, claims.devices - 1]) {
      const emitted = emittedBy("mindspore", document, rank);
      expect(emitted.ok).toBe(true);
      if (!emitted.ok) continue;
      const { operators = [], collectives = [] } = emitted.value ?? {};
      expect(operators.map(({ op, in_strategy }) => ({ op, in_strategy }))).toEqual(
        claims.operators.map(({ op, in_strategy }) => ({ op, in_strategy })),
      );
      expect(collectives.map(({ op, ranks, why }) => ({ op, ranks, why }))).toEqual(
        claims.collectives.map(({ op, groups, why }) => ({
          op,
          ranks: groups.find((group) => group.includes(rank)),
          why,
        })),
      );
    }
  },
);

test("a linear layer of stacks is a product with its weight turned, a stack of matrices by one", () => {
  const block = `mesh = Mesh(dp=2, tp=4)
x = Tensor((8, 16, 32))
w = Parameter((64, 32))
v = Parameter((32, 64))
h = linear(x, w)
y = linear(h, v)
strategy(h, a="dp", n="tp")
strategy(y, a="dp", k="tp")
`;
  expect(primitivesOf(block)).toEqual([
    'self.h = ops.BatchMatMul(transpose_b=True).shard((layout("dp", "None", "None"), layout("tp", "None")))',
    'self.y = ops.BatchMatMul(transpose_b=True).shard((layout("dp", "None", "tp"), layout("None", "tp")))',
  ]);
  expect(written(block).claims.collectives).toMatchObject([{ op: "AllReduce", at: "y" }]);
});

test("a linear layer of rows is a product with its weight turned", () => {
  const layer = `mesh = Mesh(dp=2, tp=4)
x = Tensor((16, 32))
w = Parameter((64, 32))
h = linear(x, w)
strategy(h, a="dp", n="tp")
`;
  expect(primitivesOf(layer)).toEqual([
    'self.h = ops.MatMul(transpose_b=True).shard((layout("dp", "None"), layout("tp", "None")))',
  ]);
  expect(written(layer).claims.operators).toMatchObject([
    {
      op: "MatMul",
      in_strategy: [
        [2, 1],
        [4, 1],
      ],
    },
  ]);
});

test("the file holds what the compiler must make of it for rank 0, with which --verify compares", () => {
  const program = product('z = relu(y)\nstrategy(y, m="dp", k="tp")\nstrategy(z, b="dp")');
  expect(linesOf(program, "and shapes of parameters.\n", "def run")).toEqual([
    "OPERATORS = [",
    '("MatMul", [[2, 2], [2, 1]]),  # y',
    '("ReLU", [[1, 2]]),  # z',
    "]",
    "COLLECTIVES = [",
    '("AllReduce", [0, 1]),  # of y',
    '("AllGather", [0, 2]),  # of y',
    "]",
    'PARAMETERS = {"w": (32, 32)}',
  ]);
});
