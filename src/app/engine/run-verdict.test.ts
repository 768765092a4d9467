import { expect, test, vi } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileText } from "#app/language-service";
import { compile } from "#compile";
import { flatSteps } from "#core/program";
import type { Engine } from "#execute/engine";
import { GpuBudgetError, GpuLostError } from "#execute/webgpu";
import type {
  InspectRequest,
  InspectResult,
  RunFault,
  RunReport,
  RunRequest,
  RunVerdict,
} from "./index.ts";
import { createAnswerer, type Message, type Question } from "./question.ts";
import { createRunEngines } from "./run-engines.ts";
import { createRunHost } from "./run-host.ts";
import type { RunQuestions } from "./run-protocol.ts";
import { onIntegers } from "./run-report.testing.ts";
import { verdictOf } from "./run-verdict.ts";

/** Engines of a browser without WebGPU, whose clock advances one millisecond per reading. */
function enginesHere() {
  let now = 0;
  const clock = () => {
    now += 1;
    return now;
  };
  return createRunEngines({ gpu: undefined, isSecure: true, clock });
}

async function ran(task: Partial<RunRequest> & { source: string }): Promise<RunVerdict> {
  const whole = { settings: onIntegers, ...task };
  const { verdict } = await verdictOf(whole, enginesHere(), () => {});
  return verdict;
}

async function reported(task: Parameters<typeof ran>[0]): Promise<RunReport> {
  const verdict = await ran(task);
  if (verdict.kind === "refused") throw new Error(verdict.sentence);
  return verdict;
}

const program = examples[0]?.program ?? "";

/** LoomGraphs whose kernels list the elements they access, but have no body to compute. */
const withoutBodies = new Set(["loom-expression"]);

test.each(examples)("$name equals its unsharded program, or has its error", async (example) => {
  const { name, fault } = example;
  const source = exampleText(example);
  const { program: lowered } = compileText(source);
  if (fault !== undefined || withoutBodies.has(name)) {
    expect(await ran({ source })).toMatchObject({ kind: "refused" });
    return;
  }
  const report = await reported({ source });
  expect(report.kind, report.sentence).toBe("equal");
  const isRounded = report.notes.some(({ code }) => code === "execute/not-exact");
  if (!isRounded) expect(report.maxAbsDiff).toBe(0);
  expect(report.deviceCount).toBe(lowered.devices.length);
  expect(report.tensors.map(({ tensor }) => tensor).sort()).toEqual(
    lowered.graph.tensors.map(({ id }) => id).sort(),
  );
});

test("a program too large to run whole says that its sizes were reduced", async () => {
  const { notes, isSameSteps } = await reported({ source: program });
  expect(notes.map(({ code }) => code)).toContain("execute/reduced-sizes");
  expect(isSameSteps).toBe(true);
});

test("as it is written it is refused with its numbers, and with sizes that would fit", async () => {
  const settings = { ...onIntegers, sizes: "own" } as const;
  const source = `mesh = Mesh(dp=2)
x = Tensor((131072, 131072))
y = matmul(x, Parameter((131072, 131072)))
strategy(y, m="dp")
`;
  const verdict = await ran({ source, settings });
  expect(verdict).toEqual({
    kind: "refused",
    sentence: expect.stringMatching(/at the pace .* about \d+ s, and it is given 3600 s/),
    fit: expect.stringMatching(/x as \d+×\d+/),
  });
});

test("every step of a training step is timed, and its tensors are told by their parts", async () => {
  const source = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp", k="mp")
train(y)
`;
  const { seconds, tensors, engine } = await reported({ source });
  const steps = flatSteps(compile(source).program);
  expect(seconds).toHaveLength(steps.length);
  expect(seconds?.every((each) => each > 0)).toBe(true);
  expect(new Set(tensors.map(({ part }) => part))).toEqual(
    new Set(["given", "forward", "backward", "update"]),
  );
  expect(engine).toEqual({ name: "cpu" });
});

test("its parts are named as they begin", async () => {
  const stages: string[] = [];
  const task = { source: program, settings: onIntegers };
  await verdictOf(task, enginesHere(), ({ stage }) => stages.push(stage));
  expect(stages).toEqual(["reading", "reference", "devices", "comparison"]);
});

test("without a GPU the CPU runs it, and it is said why", async () => {
  const settings = { ...onIntegers, engine: "webgpu" } as const;
  const report = await reported({ source: program, settings });
  expect(report.engine).toEqual({ name: "cpu", why: "this browser has no WebGPU" });
  const insecure = createRunEngines({ gpu: undefined, isSecure: false, clock: () => 0 });
  const { label } = await insecure.choose("webgpu", () => {});
  expect(label).toMatchObject({ name: "cpu", why: expect.stringContaining("https") });
});

test("it is said what the CPU computes with: vectors in Wasm where a contraction is large", async () => {
  const product = (size: number) => `mesh = Mesh(dp=2)
x = Tensor((${size}, 64))
y = matmul(x, Parameter((64, ${size})))
strategy(y, m="dp")
`;
  const of = async (size: number) => (await reported({ source: product(size) })).computedIn;
  expect(await of(64)).toBe("1 step with vectors in Wasm (SIMD), all else in JavaScript.");
  expect(await of(4)).toBe(
    "All in JavaScript: no contraction is large enough for vectors in Wasm (SIMD).",
  );
});

test("a function that makes inputs for measuring is not called, and that is said once", async () => {
  const registered = (more: string) => `import nnscaler
def gen(node): return [torch.zeros((8, 4))]
@nnscaler.register_op("a b -> a b"${more})
def f(x): return x + x
mesh = Mesh(dp=2)
x = Tensor((8, 4))
y = f(f(x))
strategy("y", a="dp")
`;
  const notesOf = async (more: string) =>
    (await reported({ source: registered(more) })).notes.filter(
      ({ code }) => code === "document/inputs-drawn",
    );
  expect(await notesOf("")).toEqual([]);
  const [note, ...others] = await notesOf(", input_gen_fn=gen");
  expect(note?.message).toContain('the input_gen_fn of "f" is not called');
  expect(others).toEqual([]);
});

test("every collective of the first example is needed: the step it is in makes what is wrong", async () => {
  const { program: lowered } = compile(program);
  const steps = flatSteps(lowered);
  const collectives = steps.flatMap((step, at) =>
    step.kind === "collective" ? [{ step, at }] : [],
  );
  expect(collectives).toHaveLength(1);
  for (const { step, at } of collectives) {
    const made = lowered.values.find(({ id }) => id === step.output)?.tensor;
    const fault: RunFault = { step: at, how: "drop" };
    const report = await reported({ source: program, fault });
    expect(report).toMatchObject({
      kind: "different",
      cell: { tensor: made, device: expect.any(Number), want: expect.any(Number), step: at },
    });
    expect(report.tensors.find(({ tensor }) => tensor === made)?.wrongCount).toBeGreaterThan(0);
  }
});

test.each`
  request                                                                               | sentence
  ${{ source: "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = (" }}                         | ${/^The text has an error: /}
  ${{ source: "mesh = Mesh(dp=2)\nx = Tensor((8,))", fault: { step: 3, how: "drop" } }} | ${/no longer in the program/}
`("what cannot be run is refused: $sentence", async ({ request, sentence }) => {
  expect(await ran(request)).toEqual({
    kind: "refused",
    sentence: expect.stringMatching(sentence),
  });
});

const small = `mesh = Mesh(dp=2, mp=2)
x = Tensor((4, 6))
w = Parameter((6, 4))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
z = relu(y)
`;

test("a parameter that is cut along the wrong dim is found in itself, on every device that has it wrong", async () => {
  const w = compile(small).program.graph.tensors.find(({ name }) => name === "w");
  if (w === undefined) throw new Error("no w");
  const report = await reported({ source: small, fault: { tensor: w.id, how: "cut" } });
  expect(report.kind).toBe("different");
  expect(report.sentence).toMatch(/^With w cut along the wrong dim, device \d has /);
  expect(report.cell).toMatchObject({ name: "w" });
  expect(report.cell?.step).toBeUndefined();
});

test.each([
  new Error("the map was rejected"),
  new GpuBudgetError("it takes 4 GB"),
  new GpuLostError("the GPU was lost twice"),
])("what a GPU cannot do goes on on the CPU, which says why: $message", async (fault) => {
  const here = enginesHere();
  const gpu = { ...here.cpu().engine, name: "webgpu" as const, run: () => Promise.reject(fault) };
  const label = { name: "webgpu" as const, adapter: "a GPU" };
  const engines = { ...here, choose: async () => ({ engine: gpu, label }) };
  const request = { source: small, settings: { ...onIntegers, engine: "webgpu" as const } };
  const { verdict } = await verdictOf(request, engines, () => {});
  expect(verdict).toMatchObject({
    kind: "equal",
    engine: { name: "cpu", why: expect.stringContaining(fault.message) },
  });
});

test("a run on floats says how its results are held", async () => {
  const { notes } = await reported({
    source: small,
    settings: { ...onIntegers, values: "floats" },
  });
  expect(notes.map(({ code }) => code)).toEqual(["execute/floats"]);
});

test.each([
  ["own", "each result rounded to bf16, as f64 computes it"],
  ["full", undefined],
] as const)(
  "a run on floats with %s precision says what it rounds",
  async (precision, rounding) => {
    const source = small.replace(/(\d\))\)/g, '$1, "bf16")');
    const settings = { ...onIntegers, values: "floats", precision } as const;
    expect((await reported({ source, settings })).rounding).toBe(rounding);
  },
);

test("the gallery's plans in bf16 are within their bounds, each result rounded", async () => {
  const settings = { ...onIntegers, values: "floats" } as const;
  const texts = examples.filter(({ fault }) => fault === undefined).map(exampleText);
  const narrow = texts.filter((text) => text.includes('"bf16"'));
  for (const source of narrow) {
    const report = await reported({ source, settings });
    expect(report.kind, report.sentence).toBe("equal");
    expect(report.rounding).toMatch(
      /^each result (rounded to bf16|of bf16 rounded), as f64 computes it$/,
    );
    const codes = report.notes.map(({ code }) => code);
    expect(codes.filter((code) => /no-bound|overflow/.test(code))).toEqual([]);
  }
  expect(narrow.length).toBeGreaterThan(8);
});

test("so many micro-batches that a few stand for them are said to", async () => {
  const source = `mesh = Mesh(dp=2)
x = Tensor((32, 4))
w = Parameter((4, 4))
y = matmul(x, w)
loss = y.sum()
train(loss, microbatches=16)
`;
  const { notes } = await reported({ source });
  expect(notes.map(({ code }) => code)).toContain("execute/fewer-microbatches");
});

test("one that can be cut along no other dim says so", async () => {
  const source = 'mesh = Mesh(dp=2)\nx = Tensor((8, 3))\ny = relu(x)\nstrategy(y, a="dp")\n';
  const x = compile(source).program.graph.tensors[0];
  if (x === undefined) throw new Error("no x");
  const verdict = await ran({ source, fault: { tensor: x.id, how: "cut" } });
  expect(verdict).toMatchObject({
    kind: "refused",
    sentence: expect.stringContaining("no other dim"),
  });
});

/** Run worker that records all its messages. */
function host(engines = enginesHere()) {
  const said: Message<RunQuestions>[] = [];
  const answer = createAnswerer<RunQuestions>(createRunHost(engines), (each) => said.push(each));
  return { said, answer };
}

const runOf = (id: number, asked: Partial<RunRequest> = {}): Question<RunQuestions> => ({
  kind: "run",
  id,
  asked: { source: program, settings: onIntegers, ...asked },
});

const lookOf = (id: number, asked: InspectRequest): Question<RunQuestions> => ({
  kind: "look",
  id,
  asked,
});

/** Run worker that has finished one run. */
async function hostAfter(source: string, fault?: RunFault) {
  const ready = host();
  await ready.answer(runOf(1, { source, ...(fault !== undefined && { fault }) }));
  return ready;
}

function lastSeen<Kind extends InspectResult["kind"]>(
  said: readonly Message<RunQuestions>[],
  kind: Kind,
): Extract<InspectResult, { kind: Kind }> {
  const last = said.at(-1);
  const seen = last !== undefined && "answer" in last && last.kind === "look" && last.answer;
  if (!seen || !isOf(seen, kind)) throw new Error(`expected a ${kind}`);
  return seen;
}

function isOf<Kind extends InspectResult["kind"]>(
  seen: InspectResult,
  kind: Kind,
): seen is Extract<InspectResult, { kind: Kind }> {
  return seen.kind === kind;
}

test("what devices hold before and after a step is looked at device by device", async () => {
  const steps = flatSteps(compile(small).program);
  const at = steps.findIndex(({ kind }) => kind === "collective");
  const { said, answer } = await hostAfter(small);
  await answer(lookOf(2, { kind: "step", step: at, devices: [0, 3] }));
  const { before, after } = lastSeen(said, "step");
  expect([before.length, after.length]).toEqual([1, 1]);
  expect(after[0]?.blocks.map(({ device }) => device)).toEqual([0, 3]);
  for (const block of after[0]?.blocks ?? []) {
    expect(block.values).toHaveLength(block.rows * block.columns);
    expect(block.wrong).toEqual([]);
    expect(block.values.every(Number.isInteger)).toBe(true);
  }
});

test("cells that a missing collective leaves wrong are marked, and counted device by device", async () => {
  const steps = flatSteps(compile(small).program);
  const at = steps.findIndex(({ kind }) => kind === "collective");
  const { said, answer } = await hostAfter(small, { step: at, how: "drop" });
  await answer(lookOf(2, { kind: "step", step: at, devices: [0, 1, 2, 3] }));
  const [value] = lastSeen(said, "step").after;
  const wrong = value?.blocks.map((block) => block.wrong.length) ?? [];
  expect(Math.max(...wrong)).toBeGreaterThan(0);
  if (value === undefined) throw new Error("expected a value");
  await answer(lookOf(3, { kind: "tensor", tensor: value.tensor }));
  const { devices } = lastSeen(said, "tensor");
  expect(devices.map(({ wrongCount }) => wrongCount)).toEqual(wrong);
});

test("before a run there is nothing to look at; a fault while running is an answer", async () => {
  const broken = { ...enginesHere(), choose: () => Promise.reject(new Error("a bug")) };
  const { said, answer } = host(broken);
  await answer(lookOf(1, { kind: "step", step: 0, devices: [0] }));
  await answer(runOf(7));
  expect(said.filter((each) => !("news" in each))).toEqual([
    { kind: "look", id: 1, answer: { kind: "nothing", why: expect.any(String) } },
    { id: 7, failure: "a bug" },
  ]);
});

test("a run that is cancelled ends without a verdict, and the next one begins after it", async () => {
  const here = enginesHere();
  const { engine, label } = here.cpu();
  const runs: string[] = [];
  const patient: Engine = {
    ...engine,
    run: async (task, signal) => {
      runs.push("begun");
      for (let turn = 0; runs.length === 1; turn += 1) {
        if (turn > 1000) throw new Error("nobody cancels it");
        await new Promise((next) => setTimeout(next, 1));
        signal?.throwIfAborted();
      }
      return engine.run(task);
    },
  };
  const { said, answer } = host({
    ...here,
    cpu: () => ({ engine: patient, label }),
    choose: async () => ({ engine: patient, label }),
  });
  const first = answer(runOf(1));
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  const cancelled = answer({ kind: "cancel", id: 2, asked: {} });
  const second = answer(runOf(3));
  await Promise.all([first, cancelled, second]);
  const heard = said.map((each) => {
    const what = "failure" in each ? "failure" : "news" in each ? "news" : "answer";
    return `${what} ${each.id}`;
  });
  const ends = heard.filter((each) => !each.startsWith("news"));
  expect(ends).toEqual(["failure 1", "answer 2", "answer 3"]);
  expect(heard.lastIndexOf("news 1")).toBeLessThan(heard.indexOf("failure 1"));
});
