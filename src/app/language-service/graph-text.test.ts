import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { applyEdits } from "#core/diagnostics";
import { joinTexts, splitTexts } from "#language/texts";
import { createLanguageService } from "./language-service.ts";
import type { LanguageRequest } from "./request.ts";
import { compileText, gestureText } from "./two-texts.ts";

const seed = sourceOf("loom-expression");
const conv = sourceOf("loom-convolution");

function sourceOf(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

/** The reply at the place right after the first occurrence of `after`. */
function askAt(source: string, after: string, kind: "hover" | "complete" | "definition") {
  const offset = source.indexOf(after) + after.length;
  const { assist } = createLanguageService(() => 0);
  return assist(source, { kind, offset });
}

function labelsAt(source: string, after: string): readonly string[] {
  const reply = askAt(source, after, "complete");
  return reply.kind === "complete" ? reply.list.items.map(({ label }) => label) : [];
}

function hoverAt(source: string, after: string): readonly string[] {
  const reply = askAt(source, after, "hover");
  const hover = reply.kind === "hover" ? reply.hover : undefined;
  return hover === undefined ? [] : [hover.title, ...hover.lines];
}

test.each(examples.filter(({ program }) => splitTexts(program) !== undefined))(
  "$name has no error, in the JSON or in the plan",
  (example) => {
    const { diagnostics, imported } = compileText(exampleText(example));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(imported?.issues).toEqual([]);
  },
);

test("places of the plan count in the one text", () => {
  const { mesh, plan } = compileText(conv);
  const at = ({ from, to }: { from: number; to: number }) => conv.slice(from, to);
  expect(mesh.span && at(mesh.span)).toBe("Mesh(rows=2, cols=2)");
  expect(Object.values(mesh.sizeSpans).map(at)).toEqual(["2", "2"]);
  const [operator] = plan.operators.values();
  expect(operator?.span && at(operator.span)).toContain('strategy("conv"');
  const wrong = conv.replace('h="rows"', 'q="rows"');
  const [fault] = compileText(wrong).diagnostics;
  expect(fault?.span?.from).toBeGreaterThan(splitTexts(wrong)?.planFrom ?? 0);
});

test("a data type that is not allowed names its node, and a fix allows it", () => {
  const strict = seed.replace('dtypes = ["boolean", ', "dtypes = [");
  const { imported, diagnostics } = compileText(strict);
  expect(imported?.issues.map(({ type }) => type)).toEqual(["NodeValidationError"]);
  const [fault] = diagnostics;
  expect(fault?.message).toContain('"mask"');
  expect(fault?.span && strict.slice(fault.span.from, fault.span.to)).toBe('"boolean"');
  const [allow] = fault?.fixes ?? [];
  expect(allow?.title).toBe('Allow "boolean" in this document');
  const mended = applyEdits(strict, allow?.edits ?? []);
  expect(mended).toContain('dtypes = ["int32", "float32", "boolean"]');
  expect(compileText(mended).diagnostics).toEqual([]);
});

test("without a plan the fix begins one, and another fix changes the data type", () => {
  const json = (splitTexts(seed)?.json ?? "").replace('"boolean"', '"float8"');
  const [fault] = compileText(json).diagnostics;
  const [allow, ...others] = fault?.fixes ?? [];
  const mended = applyEdits(json, allow?.edits ?? []);
  expect(splitTexts(mended)?.json).toBe(json);
  expect(splitTexts(mended)?.plan).toMatch(/^dtypes = \["bool", .*"float8"\]\n$/);
  expect(compileText(mended).diagnostics).toEqual([]);
  expect(others.map(({ title }) => title)).not.toEqual([]);
});

test.each`
  after                                    | labels
  ${'"type" : "http://tensortapestry.org'} | ${["Tensor", "Operation", "Application", "Note"]}
  ${'"dtype" : "'}                         | ${["boolean", "int32", "float32"]}
  ${'"tensorId" : "16d1'}                  | ${["mask", "t1", "t0", "z0"]}
  ${'"kernel" : "'}                        | ${["builtins:add"]}
`("behind $after stand $labels", ({ after, labels }) => {
  expect(labelsAt(seed, after)).toEqual(labels);
});

test("names of an object are offered as long as they are free", () => {
  const json = seed.replace('      "dtype" : "boolean",\n', "      \n");
  expect(labelsAt(json, '"body" : {\n      ')).toEqual(["dtype"]);
  expect(labelsAt('{ "nodes": [ { "ty', '{ "ty')).toEqual(["id", "type", "label", "body", "tags"]);
  const tags = '{ "nodes": [ { "id": "a", "tags": { ';
  expect(labelsAt(tags, '"tags": { ')).toEqual(["IPFSignature", "IPFIndex", "IOSequencePoint"]);
});

test("a selection's range is offered as its tensor has it", () => {
  const head = '"tensorId" : "21a4f7f7-15f4-427b-8616-057ff251bf64",\n          "range" : ';
  const json = `${seed.slice(0, seed.indexOf(head) + head.length)} } ] } } } ] }`;
  expect(labelsAt(json, head)).toEqual(["zr[200:210, 50:55]"]);
});

test("ids say what they name and lead to it", () => {
  const after = '"tensors" : [ {\n          "tensorId" : "4ace';
  expect(hoverAt(seed, after)).toEqual([
    "t0: int32 zr[0:10, 0:5]",
    "zr[0:10, 0:5], 10 × 5 = 50 cells",
    "read by op0 as tensors",
  ]);
  const reply = askAt(seed, after, "definition");
  const span = reply.kind === "definition" ? reply.span : undefined;
  expect(span && seed.slice(span.from, span.to)).toBe('"t0"');
});

test.each`
  text    | after                                     | first
  ${seed} | ${'"type" : "http'}                       | ${"loom:Tensor"}
  ${seed} | ${'"label" : "op'}                        | ${"op0: builtins:add"}
  ${seed} | ${'"dty'}                                 | ${"dtype"}
  ${seed} | ${'"start" : [ 2'}                        | ${"zr[200:210, 50:55]"}
  ${conv} | ${"tag_types.jsd#/tags/IPFI"}             | ${"loom:IPFIndex"}
  ${conv} | ${'"affineMap" : {\n              "proj'} | ${"filter[0]"}
  ${conv} | ${'strategy("conv", h="ro'}               | ${"mesh axis rows = 2"}
`("over $after stands $first", ({ text, after, first }) => {
  expect(hoverAt(text, after)[0]).toBe(first);
});

test("objects fold, in the plan its own lines", () => {
  const { assist } = createLanguageService(() => 0);
  const requests: readonly LanguageRequest[] = [{ kind: "folds" }, { kind: "folds", of: "plan" }];
  const [json, plan] = requests.map((request) => {
    const reply = assist(conv, request);
    return reply.kind === "folds" ? reply.folds : [];
  });
  const planFrom = splitTexts(conv)?.planFrom ?? 0;
  expect(json?.length).toBeGreaterThan(10);
  expect(json?.every(({ to }) => to < planFrom)).toBe(true);
  expect(plan?.every(({ from }) => from >= planFrom)).toBe(true);
});

test("texts that cannot be read fold too", () => {
  const { assist } = createLanguageService(() => 0);
  const broken = conv.replace('"kernel"', '"kernel');
  const reply = assist(broken, { kind: "folds" });
  expect(reply.kind === "folds" && reply.folds.length).toBeGreaterThan(5);
});

test("a gesture writes into the plan and leaves the JSON as it is", () => {
  const texts = splitTexts(conv);
  const [tensor] = compileText(conv).graph.tensors.filter(({ name }) => name === "response");
  if (texts === undefined || tensor === undefined) throw new Error("no response");
  const bare = joinTexts(texts.json, "mesh = Mesh(rows=2, cols=2)\n");
  const outcome = gestureText(bare, { kind: "split", tensor: tensor.id, dim: 0, axis: "rows" });
  if (!outcome.ok) throw new Error(outcome.reason);
  expect(splitTexts(outcome.source)?.json).toBe(texts.json);
  expect(splitTexts(outcome.source)?.plan).toContain('strategy("conv", h="rows")');
});

test("any text cut anywhere is answered at any place", () => {
  const { assist } = createLanguageService(() => 0);
  fc.assert(
    fc.property(fc.nat(conv.length), fc.nat(conv.length), (end, at) => {
      const source = `{${conv.slice(1, end)}`;
      const offset = Math.min(at, source.length);
      const kinds = ["hover", "complete", "definition"] as const;
      for (const kind of kinds) expect(assist(source, { kind, offset }).kind).toBe(kind);
    }),
    { seed: 1, numRuns: process.env.SOAK ? 500 : 25 },
  );
});

test.each(["op", "app"] as const)(
  "a program written as a LoomGraph (%s) opens again",
  (dialect) => {
    const { assist } = createLanguageService(() => 0);
    const source = 'mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\nstrategy(y, {0: "dp"})\n';
    for (const text of [source, conv]) {
      const reply = assist(text, { kind: "graph", dialect });
      if (reply.kind !== "graph") throw new Error("no graph");
      const { imported, diagnostics, program } = compileText(
        joinTexts(reply.graph.text, reply.graph.planText),
      );
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(imported?.dialect).toBe(dialect);
      expect(program.devices.length).toBeGreaterThan(dialect === "op" ? 1 : 0);
    }
  },
);
