import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { asked } from "../../cli/asked.testing.ts";

interface Written {
  readonly ok: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly claims: {
    readonly devices: number;
    readonly slices: Readonly<Record<string, readonly (readonly (readonly unknown[])[])[]>>;
    readonly collectives: readonly {
      readonly step: string;
      readonly kind: string;
      readonly groups: readonly (readonly number[])[];
      readonly bytes: number;
      readonly dtype: string;
    }[];
  };
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

function written(program: string): Written {
  return asked<Written>("export", { program, to: "jax" });
}

/** Text of an example, with its plan. */
function textOf(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

/** The lines of the per-device program, without their indent. */
function deviceLines(program: string): readonly string[] {
  const { files } = written(program);
  const text = files[0]?.text ?? "";
  const body = text.slice(
    text.indexOf("    def device("),
    text.indexOf("    return jax.shard_map("),
  );
  return body.split("\n").map((line) => line.trim());
}

const matmuls = `mesh = Mesh(d=4)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 12))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, n="d")
strategy(y, n="d")
`;

test("a training step is told its number and rate, neither of which is compiled into it", () => {
  const { program = "" } = examples.find(({ name }) => name === "zero") ?? {};
  const text = written(program).files[0]?.text ?? "";
  expect(text).toContain("def planned(*given, step=1, lr=0.001):");
  expect(text).toContain("in_specs=whole");
  expect(text).toContain("-jnp.expm1(step * -0.105360515657");
  expect(text).toMatch(/w2_master_new = w2_master - lr \* \(w2_m_new \/ correction1/);
  expect(text).toContain("def advanced(given, results):");
});

test("two products with a gather between them are three lines, and the claims are the plan's", () => {
  expect(deviceLines(matmuls).slice(1, 6)).toEqual([
    "h = x @ w1",
    "# all-gather, 768 B: y reads it so",
    'with jax.named_scope("s1"):',
    'h_2 = lax.all_gather(h, "d", axis=1, tiled=True)',
    "y = h_2 @ w2",
  ]);
  const { claims } = written(matmuls);
  expect(claims.collectives).toEqual([
    { step: "s1", kind: "all-gather", groups: [[0, 1, 2, 3]], bytes: 768, dtype: "float32" },
  ]);
  expect(claims.slices.w1?.[1]).toEqual([
    [0, 16],
    [8, 16],
  ]);
});

test("an all-to-all between several dims goes on pieces that are put in place on the device", () => {
  const { program = "" } = examples.find(({ name }) => name === "jax-reshard") ?? {};
  expect(deviceLines(program).join("\n")).toMatch(
    /\.reshape\([^\n]*\n[^\n]*\n\S+ = lax\.all_to_all\([^\n]*split_axis=0, concat_axis=0, tiled=True\)\n\S+ = [^\n]*\.transpose\(/,
  );
});

test("what is gathered a second time stays apart from the first", () => {
  const { program = "" } = examples.find(({ name }) => name === "fsdp") ?? {};
  const gathers = deviceLines(program).filter((line) => line.includes("lax.all_gather("));
  const isAgain = gathers.map((line) => line.includes("lax.optimization_barrier("));
  const sources = gathers.map(
    (line) => /all_gather\((?:lax\.optimization_barrier\()?(\w+)/.exec(line)?.[1],
  );
  expect(isAgain).toEqual(sources.map((source, at) => sources.indexOf(source) < at));
  expect(isAgain).toContain(true);
});

test("a mesh whose devices stand in another order says so", () => {
  const order = "mesh = Mesh(x=2, y=2, devices=[0, 2, 1, 3])\na = Tensor((4, 4))\nb = relu(a)\n";
  expect(written(order).files[0]?.text).toContain("DEVICE_ORDER = [0, 2, 1, 3]");
});

test.each([
  [
    "a part of the batch after the other",
    "mesh = Mesh(d=2)\nx = Tensor((8, 4))\nw = Parameter((4, 4))\ny = matmul(x, w)\nloss = y.sum()\ntrain(loss, microbatches=2)\n",
    "micro-batches run one after the other: the file is one step",
  ],
  [
    "numbers that are drawn",
    "mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = dropout(x, 0.5)\n",
    "draws its own",
  ],
])("%s is refused with its cause", (_, program, cause) => {
  const answer = written(program);
  expect(answer.ok).toBe(false);
  const refusal = answer.diagnostics.find(({ code }) => code === "export/not-written");
  expect(refusal?.message).toContain(cause);
});

const all = examples.flatMap((example) => {
  const program = exampleText(example);
  const answer = written(program);
  return answer.ok ? [{ name: example.name, answer, program }] : [];
});

test("every example is written that has no fault", () => {
  const missing = examples.filter(({ name }) => all.every((each) => each.name !== name));
  expect(missing.map(({ name }) => name)).toEqual(
    examples.filter(({ fault }) => fault !== undefined).map(({ name }) => name),
  );
});

test("rows that four devices share unevenly are padded to the longest block, in the claims as in the plan", () => {
  const program = textOf("uneven-dim");
  expect(deviceLines(program)).toContain('h_2 = all_to_all(h, "h", "h_2", "dp")');
  const { files, claims } = written(program);
  expect(files[0]?.text).toContain(
    '"x": [(("dp",), [range(0, 3), range(3, 6), range(6, 9), range(9, 10)]), ((), [range(0, 16)])],',
  );
  expect(claims.collectives).toEqual([
    { step: "s1", kind: "all-to-all", groups: [[0, 1, 2, 3]], bytes: 108, dtype: "float32" },
  ]);
  expect(claims.slices.x?.[3]?.[0]).toEqual([9, 10]);
});

test("a contraction along an uneven dim leaves out what pads a shorter block", () => {
  const sums = `mesh = Mesh(d=4)
x = Tensor((8, 6))
w = Parameter((6, 12))
y = matmul(x, w)
strategy(y, k="d")
`;
  const own = 'jnp.arange(2) < jnp.array([2, 2, 2, 0])[lax.axis_index("d")]';
  expect(deviceLines(sums)).toContain(
    `y = jnp.where(${own}, x, 0) @ jnp.where((${own})[:, None], w, 0)`,
  );
});

test("the halo of a convolution comes in rounds of permutes, each of boxes of one size", () => {
  const { claims } = written(textOf("loom-convolution"));
  expect(claims.collectives.map(({ kind, groups, bytes }) => [kind, groups, bytes])).toEqual([
    ["collective-permute", [[0, 1]], 68],
    ["collective-permute", [[0, 2]], 68],
    ["collective-permute", [[1, 3]], 64],
    ["collective-permute", [[2, 3]], 64],
    ["collective-permute", [[0, 3]], 4],
  ]);
});

test("several pieces of a dim lie one behind the other, and are claimed so", () => {
  const apart = textOf("mindspore-interleaved").replace(
    'layout(("dp", "interleaved_parallel"), "mp")',
    'layout(("interleaved_parallel", "dp"), "mp")',
  );
  const { files, claims } = written(apart);
  expect(files[0]?.text).toContain(
    '"x": [(("dp",), [[*range(0, 4), *range(8, 12)], [*range(4, 8), *range(12, 16)]]), ',
  );
  expect(claims.slices.x?.[0]).toEqual([
    [
      [0, 4],
      [8, 12],
    ],
    [0, 4],
  ]);
});

test("what is written is Python, and every claimed collective is one call in its scope", () => {
  for (const { name, answer } of all) {
    const text = answer.files[0]?.text ?? "";
    const scopes = [...text.matchAll(/named_scope\("(s\d+)"\):\n\s+\S+ = (?:lax\.)?(\w+)\(/g)];
    expect([name, scopes.map(([, step]) => step)]).toEqual([
      name,
      // The permutes of an exchange share one scope.
      [...new Set(answer.claims.collectives.map(({ step }) => step))],
    ]);
  }
  const texts = JSON.stringify(all.map(({ answer }) => answer.files[0]?.text));
  const check = "import ast, json, sys\nfor t in json.load(sys.stdin): ast.parse(t)";
  const run = spawnSync("python3", ["-c", check], { input: texts, encoding: "utf8" });
  expect(run.error ?? run.stderr).toBe("");
});

/** Bytes that the busiest device receives in a step, summed over the rounds of an exchange. */
function mostReceived(claims: Written["claims"]["collectives"]): number {
  const received = new Map<number, number>();
  for (const { groups, bytes, kind } of claims)
    for (const group of groups)
      for (const device of kind === "collective-permute" ? group.slice(1) : group)
        received.set(device, (received.get(device) ?? 0) + bytes);
  return Math.max(...received.values());
}

test("the claims of a plan are the collectives and bytes of its steps", () => {
  for (const { name, answer, program } of all) {
    const plan = asked<{
      readonly steps: readonly { readonly collective: string; readonly bytes?: number }[];
    }>("plan", { program });
    const gaps = deviceLines(program).filter((line) => line.includes("left out")).length;
    const moved = plan.steps.filter(
      ({ collective }) => !["operator", "slice"].includes(collective),
    );
    const { collectives } = answer.claims;
    const steps = [...new Set(collectives.map(({ step }) => step))];
    const said = steps.map((step) => {
      const claims = collectives.filter((each) => each.step === step);
      return [claims[0]?.kind, mostReceived(claims)];
    });
    expect([name, said.length]).toEqual([name, moved.length - gaps]);
    if (gaps > 0) continue;
    const asJax = (collective: string) =>
      collective === "exchange" ? "collective-permute" : collective;
    const planned = moved.map(({ collective, bytes }) => [asJax(collective), bytes]);
    expect([name, said]).toEqual([name, planned]);
  }
});

test("a gather whose result nothing uses is left out as XLA would, and says so", () => {
  const { program = "" } = examples.find(({ name }) => name === "fsdp") ?? {};
  const lines = deviceLines(program);
  const gaps = lines.filter((line) => line.endsWith("left out, for nothing uses it"));
  expect(gaps).toEqual([expect.stringMatching(/^# all-gather, .* g\.grad reads it so/)]);
});
