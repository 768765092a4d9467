import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CompileOptions, comparePolicies, compile } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { bindAnnotation, parseAnnotation } from "#core/dimops";
import { tensorId } from "#core/ir";
import { printLayout } from "#core/mesh";
import { flatSteps } from "#core/program";
import { alternativeTexts, applyGesture } from "#edit";
import { loomOfAnnotation } from "./from-dimops.ts";
import { writeLoom } from "./write-loom.ts";

const { cases } = JSON.parse(readFileSync("conformance/loom.json", "utf8"));
const seeds = JSON.parse(readFileSync("conformance/seeds.json", "utf8"));

function textOf(id: string, list: typeof cases = cases): string {
  const found = list.find((each: { readonly id: string }) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found.request.args.program;
}

const example = textOf("004-L75-example-json/0", seeds.cases);
const mesh = "mesh = Mesh(dp=2, mp=2)\n";

/** A case's text with labels added: `op` for its operations; `a`, `b`, … for its tensors by id. */
function labelled(id: string): string {
  const graph = JSON.parse(textOf(id));
  const isTensor = ({ type }: { readonly type: string }) => type.endsWith("Tensor");
  const tensors = graph.nodes.filter(isTensor).sort(byId);
  for (const [at, node] of tensors.entries()) node.label = "abcdef"[at];
  for (const node of graph.nodes) if (!isTensor(node)) node.label = "op";
  return JSON.stringify(graph);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function layoutsOf(source: string, options: CompileOptions): Readonly<Record<string, string>> {
  const { tensors } = compile(source, options);
  return Object.fromEntries(tensors.map(({ tensor, layout }) => [tensor, printLayout(layout)]));
}

function faultsOf(source: string, planText: string): readonly string[] {
  const { diagnostics } = compile(source, { planText });
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

test("a LoomGraph is a program whose names are the labels of its nodes", () => {
  const { graph, imported, diagnostics, planText } = compile(example);
  expect(diagnostics).toEqual([]);
  expect(planText).toBe("");
  expect(graph.operators.map(({ name, op, call }) => [name, op, call])).toEqual([
    ["op0", "builtins:add", "builtins:add(mask=mask, tensors=[t0, t1])"],
  ]);
  const start = (name: string) => graph.tensors.find((tensor) => tensor.name === name)?.start;
  expect([start("t0"), start("t1")]).toEqual([undefined, [200, 50]]);
  expect(graph.tensors.map(({ name, shape }) => `${name} ${shape.join()}`)).toEqual([
    ...["mask 10,5", "t0 10,5", "t1 10,5", "z0 10,5"],
  ]);
  const [operation] = imported?.operations ?? [];
  expect(operation?.operands.map(({ name, position, tensor }) => [name, position, tensor])).toEqual(
    [
      ...[
        ["mask", 0, "mask"],
        ["tensors", 0, "t0"],
        ["tensors", 1, "t1"],
        ["result", 0, "z0"],
      ],
    ],
  );
  const node = imported?.nodes.find(({ tensor }) => tensor === "t1");
  expect(example.slice(node?.span.from, node?.span.to)).toBe('"t1"');
});

test("an operation without an index is one box that every device computes", () => {
  const planText = `${mesh}place("t0", layout("dp", "None"))\n`;
  const { program, graph, imported } = compile(example, { planText });
  expect(graph.operators[0]?.axes).toEqual([]);
  const steps = flatSteps(program);
  expect(steps.map((step) => (step.kind === "collective" ? step.collective : "run"))).toEqual([
    ...["all-gather", "run"],
  ]);
  expect(imported?.operations[0]).toMatchObject({
    axes: [],
    annotation: "10^ 5^, 10^ 5^, 10^ 5^ -> 10^ 5^",
  });
});

test("an issue has its place, and says what a set of data types lacks", () => {
  const { imported, diagnostics } = compile(example, { dtypes: ["int32", "float32"] });
  const [issue] = imported?.issues ?? [];
  expect(issue).toMatchObject({ constraint: "TensorDTypesAreValidConstraint" });
  expect(example.slice(issue?.span?.from, issue?.span?.to)).toBe('"boolean"');
  expect(diagnostics.map(({ text }) => text)).toEqual([undefined]);
});

test.each`
  plan                                  | layouts
  ${'strategy("op", i0="dp")'}          | ${{ a: "dp,_", b: "_,_", c: "dp,_" }}
  ${'strategy("op", i1="mp")'}          | ${{ a: "_,_", b: "_,mp", c: "_,mp" }}
  ${'place("a", layout("dp", "None"))'} | ${{ a: "dp,_", b: "_,_", c: "dp,_" }}
`("[2.4] the matmul under $plan lies as $layouts", ({ plan, layouts }) => {
  const source = labelled("doc-matmul-corrected");
  const names = Object.keys(layoutsOf(source, {}));
  const planned = layoutsOf(source, { planText: `${mesh}${plan}\n` });
  expect(names.map((name) => planned[name])).toEqual(Object.values(layouts));
});

test("the faults of a plan are places of the plan", () => {
  const planText = `${mesh}strategy("op", q="dp")\nplace("nothing", layout("dp"))\n`;
  const { diagnostics } = compile(labelled("doc-matmul-corrected"), { planText });
  const found = diagnostics.map(({ text, span }) => [text, planText.slice(span?.from, span?.to)]);
  expect(found).toEqual([
    ["plan", "q"],
    ["plan", 'place("nothing", layout("dp"))'],
  ]);
});

test.each`
  case                       | plan                                 | says
  ${"merge-dim-split-h"}     | ${'strategy("op", i1="mp")'}         | ${"neighbouring pieces would both make"}
  ${"diagonal-output-split"} | ${'strategy("*", i0="mp")'}          | ${"off the diagonal"}
  ${"conv1d-stride-2"}       | ${'strategy("op", i0=("dp", "mp"))'} | ${undefined}
  ${"conv1d-stride-2"}       | ${'strategy("op", i0="q")'}          | ${'the mesh has no axis "q"'}
  ${"conv1d-stride-2"}       | ${"x = Tensor((2, 2))"}              | ${"makes no tensors"}
`("[2.2] $plan beside $case says $says", ({ case: id, plan, says }) => {
  const faults = faultsOf(labelled(id), `${mesh}${plan}\n`);
  if (says === undefined) expect(faults).toEqual([]);
  else expect(faults.join()).toContain(says);
});

test("[5] a summed axis that stays in the index makes sums where the annotation says so, else a fault", () => {
  const anno = parseAnnotation("m k+, k+ n -> m n");
  const shapes = [
    [4, 6],
    [6, 8],
  ];
  const bound = anno.ok
    ? bindAnnotation(
        anno.value,
        shapes.map((shape) => ({ kind: "tensor", shape })),
      )
    : anno;
  if (!bound.ok) throw new Error("not bound");
  const graph = loomOfAnnotation(bound.value, { form: "open" });
  const planText = 'mesh = Mesh(mp=2)\nstrategy("op", k="mp")\n';
  const { program, diagnostics } = compile(writeLoom(graph), { planText });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const steps = flatSteps(program).filter((step) => step.kind === "collective");
  expect(steps.map(({ collective }) => collective)).toEqual(["all-reduce"]);
  const bare = writeLoom(graph).replace(/"anno" : .*\n/, "");
  expect(faultsOf(bare, planText).join()).toContain("as partial sums that nothing adds up");
});

test("a gesture on a dim edits the plan and leaves the graph as it is", () => {
  const source = labelled("doc-matmul-corrected");
  const { graph } = compile(source);
  const made = graph.tensors.find(({ producer }) => producer !== undefined);
  const gesture = { kind: "split", tensor: made?.id ?? tensorId(""), dim: 0, axis: "dp" } as const;
  const first = applyGesture(source, gesture, { planText: mesh });
  expect(first).toMatchObject({
    ok: true,
    source,
    planText: `${mesh}strategy("${graph.operators[0]?.name}", i0="dp")\n`,
  });
  const planText = first.ok ? (first.planText ?? "") : "";
  const second = applyGesture(source, { ...gesture, dim: 1, axis: "mp" }, { planText });
  expect(second.ok && second.planText).toContain('i0="dp", i1="mp"');
  const meshed = applyGesture(source, { kind: "add-axis", axis: "mp", size: 2 });
  expect(meshed).toMatchObject({ ok: true, source, planText: "mesh = Mesh(mp=2)\n" });
});

test("the halo of a convolution is an exchange, and what a device holds is its window", () => {
  const planText = 'mesh = Mesh(mp=2)\nstrategy("op", i0="mp")\n';
  const { tensors, program, cost } = compile(labelled("conv-3x3-dense"), { planText });
  const steps = flatSteps(program).filter((step) => step.kind === "collective");
  expect(steps).toMatchObject([{ collective: "exchange", elements: 10, axes: ["mp"] }]);
  expect(cost.bytes).toBe(40);
  const held = tensors.flatMap((view) => view.held ?? []);
  const windowed = tensors.filter((view) => view.held !== undefined);
  expect(windowed.map(({ atRest }) => atRest && printLayout(atRest))).toEqual(["mp,_"]);
  const others = program.redistributions.flatMap((edge) => comparePolicies(program, edge).outcomes);
  expect(others.map(({ kind }) => kind)).toEqual(Array(4).fill("declined"));
  expect(held.map(([box]) => box?.map(({ start, stop }) => `${start}:${stop}`).join())).toEqual([
    ...["0:6,0:10", "4:10,0:10"],
  ]);
});

test("a redistribution beside a LoomGraph has alternatives, which are plans", () => {
  const source = labelled("doc-matmul-corrected");
  const planText = `${mesh}strategy("op", i0="dp")\nplace("a", layout("None", "mp"))\n`;
  const texts = alternativeTexts(source, 0, { planText });
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.every((text) => text.source === source && text.planText !== planText)).toBe(true);
});

const twoInputs = [
  [4, 6],
  [6, 8],
];

function written(anno: string, form: "open" | "closed", kernel: string): string {
  const parsed = parseAnnotation(anno);
  const inputs = twoInputs.map((shape) => ({ kind: "tensor", shape }) as const);
  const bound = parsed.ok ? bindAnnotation(parsed.value, inputs) : parsed;
  if (!bound.ok) throw new Error("not bound");
  return writeLoom(loomOfAnnotation(bound.value, { form, kernel }));
}

test.each(["matmul", "builtins:matmul", "op:matmul"])(
  "the kernel %s is the library's where it touches what that does, without a word of an annotation",
  (kernel) => {
    const text = written("m k+, k+ n -> m n", "closed", kernel);
    const bare = text.replace(/"params" : \{[^}]*\},/, "");
    const [operator] = compile(bare).graph.operators;
    expect(operator).toMatchObject({ entry: "matmul", linear: [[0], [1]] });
    expect(operator?.axes.map(({ name }) => name)).toEqual(["i0", "i1", "k"]);
  },
);

test("a kernel of the library that touches other cells is not that of the library", () => {
  const text = written("m k+, k+ n -> m n", "closed", "add");
  expect(compile(text).graph.operators[0]?.entry).toBeUndefined();
});

test.each(["open", "closed"] as const)(
  "[4.2] a summed axis that the plan cuts is offered in two stages, in the %s form",
  (form) => {
    const text = written("m k+, k+ n -> m n", form, "matmul");
    const planText = 'mesh = Mesh(mp=2)\nstrategy("matmul", k="mp")\n';
    const { diagnostics } = compile(text, { planText });
    const found = diagnostics.find(({ code }) => code === "loom/sum-is-cut");
    const [fix] = found?.fixes ?? [];
    const mended = compile(applyEdits(text, fix?.edits ?? []), { planText });
    const errors = mended.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
    expect(mended.imported?.issues).toEqual([]);
    expect(mended.graph.operators.map(({ name }) => name)).toEqual(["matmul", "matmul_sum"]);
    const steps = flatSteps(mended.program).filter((step) => step.kind === "collective");
    expect(steps.map(({ collective }) => collective)).toEqual(["all-gather"]);
  },
);

test("two operations that each make a part of a tensor make it together", () => {
  const graph = JSON.parse(labelled("conv1d-stride-2"));
  const [operation] = graph.nodes.filter(({ type }: { readonly type: string }) =>
    type.endsWith("Operation"),
  );
  const index = Object.keys(operation.tags).find((tag) => tag.endsWith("IPFIndex")) ?? "";
  const part = (at: number, start: number, end: number) => {
    const other = JSON.parse(JSON.stringify(operation));
    const [outputs] = Object.values<{ range: object }[]>(other.body.outputs);
    const [name = ""] = Object.keys(other.body.inputs).filter((key) => {
      return other.body.inputs[key][0].range.end[0] > 3;
    });
    other.id = other.id.replace(/.$/, String(at));
    other.label = `part${at}`;
    other.tags[index] = { start: [start], end: [end] };
    if (outputs?.[0]) outputs[0].range = { start: [start], end: [end] };
    other.body.inputs[name][0].range = { start: [2 * start], end: [2 * (end - 1) + 3] };
    return other;
  };
  const others = graph.nodes.filter(({ type }: { readonly type: string }) =>
    type.endsWith("Tensor"),
  );
  const nodes = [...others, part(7, 0, 2), part(8, 2, 4)];
  const planText = 'mesh = Mesh(mp=2)\nstrategy("part*", i0="mp")\n';
  const compiled = compile(JSON.stringify({ ...graph, nodes }), { planText });
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [result] = compiled.program.outputs;
  const { held = [] } = compiled.program.values.find(({ id }) => id === result) ?? {};
  const shown = held.map((boxes) => boxes.map(([range]) => `${range?.start}:${range?.stop}`));
  expect(shown).toEqual([
    ["0:1", "2:3"],
    ["1:2", "3:4"],
  ]);
});
