import { expect, test } from "vitest";
import { checkLoom } from "./check-loom.ts";
import {
  application,
  caseText,
  example,
  graph,
  id,
  ipf,
  mended,
  nodeType,
  operation,
  said,
  tags,
  tensor,
} from "./loom.testing.ts";

const copy = [tensor(1, "x", "0:10"), tensor(2, "y", "0:10")];

function errorsOf(text: string, options = {}): readonly string[] {
  const { diagnostics } = checkLoom(text, options);
  return said(
    text,
    diagnostics.filter(({ severity }) => severity === "error"),
  );
}

test.each`
  what                       | before                                              | after                                 | fault
  ${"a field misspelt"}      | ${'"label" : "mask"'}                               | ${'"lable" : "mask"'}                 | ${'loom/unknown-field at "lable"'}
  ${"annotations for tags"}  | ${'"label" : "mask"'}                               | ${'"annotations" : {}'}               | ${'loom/unknown-field at "annotations"'}
  ${"a short alias as type"} | ${nodeType("Operation")}                            | ${"loom:Operation"}                   | ${'loom/type-not-allowed at "loom:Operation"'}
  ${"a dtype misspelt"}      | ${'"boolean"'}                                      | ${'"Boolean"'}                        | ${'loom/unknown-dtype at "Boolean"'}
  ${"a bad parameter name"}  | ${'"mask_value"'}                                   | ${'"mask-value"'}                     | ${'loom/against-schema at "mask-value"'}
  ${"a derived field"}       | ${'"dtype" : "boolean",'}                           | ${'"size": 50, "dtype" : "boolean",'} | ${'loom/against-schema at "size"'}
  ${"an id that is none"}    | ${"d3f46c69-6f2f-4dce-adf0-6f6fec9a34b8"}           | ${"d3f46c69"}                         | ${'loom/wrong-value at "d3f46c69"'}
  ${"a missing graph id"}    | ${'"id" : "d3f46c69-6f2f-4dce-adf0-6f6fec9a34b8",'} | ${""}                                 | ${"loom/missing-field at {"}
`("$what has a place and a fix", ({ before, after, fault }) => {
  const broken = example.replace(before, after);
  expect(broken).not.toBe(example);
  expect(errorsOf(broken)).toEqual([fault]);
  expect(errorsOf(mended(broken))).toEqual([]);
});

test.each`
  what                             | before                           | after                           | fault
  ${"a node that is a number"}     | ${'"nodes" : [ {'}               | ${'"nodes" : [ 3, {'}           | ${"loom/wrong-value at 3"}
  ${"nodes that are no list"}      | ${/"nodes" : \[[\s\S]*\]/}       | ${'"nodes" : 3'}                | ${"loom/wrong-value at 3"}
  ${"a type that is no text"}      | ${/"type" : "[^"]*Operation"/}   | ${'"type" : 3'}                 | ${"loom/wrong-value at 3"}
  ${"a body that is null"}         | ${/"body" : \{[\s\S]*?\n {4}\}/} | ${'"body" : null'}              | ${"loom/missing-field at {"}
  ${"tags that are a list"}        | ${'"label" : "op0"'}             | ${'"tags" : []'}                | ${"loom/wrong-value at []"}
  ${"a label that is a list"}      | ${'"label" : "op0"'}             | ${'"label" : []'}               | ${"loom/wrong-value at []"}
  ${"an unknown tag"}              | ${'"label" : "op0"'}             | ${'"tags" : {"loom:X": 1}'}     | ${'loom/type-not-allowed at "loom:X"'}
  ${"a coordinate beyond 32 bits"} | ${'"end" : [ 210, 55 ]'}         | ${'"end" : [ 3000000000, 55 ]'} | ${'loom/malformed-range at {\n        "start" : [ 200, 50 ],\n        "end" : [ 3000000000, 55 ]\n      }'}
  ${"a kernel that is a number"}   | ${'"builtins:add"'}              | ${"7"}                          | ${"loom/against-schema at 7"}
  ${"a tensor that is missing"}    | ${'Id" : "16d1e319'}             | ${'Id" : "26d1e319'}            | ${'loom/bad-selection at "26d1e319-f00b-4059-902f-f6fbb9112e5f"'}
`("$what has a place", ({ before, after, fault }) => {
  const broken = example.replace(before, after);
  expect(broken).not.toBe(example);
  expect(errorsOf(broken)).toEqual([fault]);
});

test("what is null counts as absent, env and graph are passed over", () => {
  const text = graph({ ...copy[0], label: null, tags: null, graph: 1 }).replace("{", '{"env": 5, ');
  expect(checkLoom(text)).toMatchObject({ issues: [], diagnostics: [] });
  expect(checkLoom(`{"id": "${id(1)}", "nodes": null}`).diagnostics).toEqual([]);
});

test("[1.1] a node that is there twice is an error that points at both", () => {
  const text = graph(tensor(1, "x", "0:2"), tensor(1, "y", "0:2"));
  const { diagnostics, graph: read } = checkLoom(text);
  expect(said(text, diagnostics)).toEqual([`loom/id-twice at "${id(1)}"`]);
  expect(diagnostics[0]?.related?.length).toBe(1);
  expect(read).toBeUndefined();
});

test("[3] the first stage that fails is reported, later ones are not checked", () => {
  const { stages, issues } = checkLoom(caseText("first-failing-stage-only"), {
    dtypes: ["int32"],
  });
  expect(issues.length).toBe(1);
  expect(stages.map(({ constraint, status }) => `${constraint} ${status}`)).toEqual([
    "TypeRestriction passed",
    "SchemaType passed",
    "MalformedValue passed",
    "TensorDTypesAreValid failed",
    "TensorOperationAgreement not checked",
    "NoTensorOperationCycles not checked",
    "OperationIPFSignatureAgreement not checked",
  ]);
  const clean = checkLoom(caseText("matmul-rowsum-sharded"));
  expect(new Set(clean.stages.map(({ status }) => status))).toEqual(new Set(["passed"]));
  expect(clean.stages.length).toBe(10);
  expect(checkLoom("{").stages[0]?.status).toBe("not checked");
});

test("a graph is in the dialect that its nodes ask for", () => {
  expect(checkLoom(example).dialect).toBe("op");
  expect(checkLoom(caseText("note-in-application-dialect")).dialect).toBe("app");
  expect(checkLoom(example, { dialect: "app" }).issues.map(({ summary }) => summary)).toEqual([
    "Operation Signature has no Application shards",
  ]);
});

test("[1.6] an issue has Loom's words, and paths that name nodes by id", () => {
  const { issues } = checkLoom(caseText("ipf-range-mismatch"));
  expect(issues).toEqual([
    {
      type: "NodeValidationError",
      constraint: "OperationIPFSignatureAgreementConstraint",
      summary: "Selection map and projection map have different ranges",
      span: expect.objectContaining({ from: expect.any(Number) }),
      params: {
        selectionMapName: "inputs",
        ioName: "x",
        selection: "zr[0:2, 0:3]",
        projection: "ipf(affineMap=λx.[[1,0],[0,0]]⋅x, shape=[1, 2])",
        expected: "zr[0:2, 0:2]",
      },
      contexts: [
        expect.objectContaining({
          name: "Operation Node",
          path: `$.nodes['${id(4)}'].body.inputs.x[0]`,
        }),
        expect.objectContaining({
          name: "Operation Signature",
          path: expect.stringContaining("tags['http://tensortapestry.org/"),
        }),
      ],
    },
  ]);
});

test("[1.6] a schema issue names the keyword, and shows the value while it is short", () => {
  const [start] = checkLoom(caseText("range-scalar-ints")).issues;
  expect(start).toMatchObject({
    type: "JSD_ERROR",
    summary: "Node Body [type] :: $.range.start: 0",
    params: { path: "$.range.start", keyword: "type", keywordArgs: "array" },
  });
  const [missing] = checkLoom(caseText("ipf-signature-without-outputs")).issues;
  expect(missing).toMatchObject({
    summary: 'Annotation [required] :: $: {"inputs":{}}',
    params: { annotationType: expect.stringContaining("IPFSignature") },
  });
});

test.each`
  what                             | nodes                                                                                                                   | shards                                                                                                                                   | summaries
  ${"other names"}                 | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "c=1[0:10]", "b=2[0:10]")]}                                                                                         | ${["Application Node inputs keys [c] != Operation Signature inputs keys [a]"]}
  ${"other counts"}                | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "a=1[0:10];a=1[0:10]", "b=2[0:10]")]}                                                                               | ${['Application inputs key "a" selection size (2) != Signature selection size (1)']}
  ${"another tensor"}              | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "a=2[0:10]", "b=2[0:10]")]}                                                                                         | ${["Application Tensor Selection Tensor Id != Signature Tensor Id"]}
  ${"a range outside"}             | ${operation(3, "f", "a=1[0:5]", "b=2[0:10]")}                                                                           | ${[application(4, 3, "a=1[0:6]", "b=2[0:10]")]}                                                                                          | ${["Application Tensor Selection range zr[0:6] is outside signature range zr[0:5]"]}
  ${"another rank"}                | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "a=1[0:10 0:1]", "b=2[0:10]")]}                                                                                     | ${["Application Tensor Selection range zr[0:10, 0:1] is outside signature range zr[0:10]"]}
  ${"shards that reach too short"} | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "a=1[2:10]", "b=2[0:10]")]}                                                                                         | ${['Operation Signature inputs key "a[0]" range zr[0:10] != shard bounding range zr[2:10]']}
  ${"overlap and gap at once"}     | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]")}                                                                          | ${[application(4, 3, "a=1[0:10]", "b=2[0:6]"), application(5, 3, "a=1[0:10]", "b=2[0:2]"), application(6, 3, "a=1[0:10]", "b=2[8:10]")]} | ${['Overlapping Application output key "b[0]" ranges', 'Gap between Application output key "b[0]" ranges']}
  ${"shards without an index"}     | ${operation(3, "f", "a=1[0:10]", "b=2[0:10]", tags("0:10", { inputs: { a: [ipf("1")] }, outputs: { b: [ipf("1")] } }))} | ${[application(4, 3, "a=1[0:10]", "b=2[0:10]")]}                                                                                         | ${["Application node does not have an IPF index"]}
`("[3] $what", ({ nodes, shards, summaries }) => {
  const { issues, diagnostics } = checkLoom(graph(...copy, nodes, ...shards));
  expect(issues.map(({ summary }) => summary)).toEqual(summaries);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.every(({ span }) => span !== undefined && span.to > span.from)).toBe(true);
});

test("[3] cells that are made twice point at the shards that make them", () => {
  const text = graph(
    ...copy,
    operation(3, "f", "", "b=2[0:10]"),
    application(4, 3, "", "b=2[0:6]"),
    application(5, 3, "", "b=2[5:10]"),
  );
  const { diagnostics } = checkLoom(text);
  expect(diagnostics[0]?.message).toBe(
    'the shards of "f" make these cells of "b" more than once: [5:6]',
  );
  expect(diagnostics[0]?.related?.map(({ message }) => message)).toEqual([
    "a shard makes [0:6]",
    "a shard makes [5:10]",
  ]);
});

test.each`
  what                           | nodes                                                                                                   | warning
  ${"an output that is partial"} | ${[operation(3, "f", "", "r=1[0:4]")]}                                                                  | ${'loom/partial-output "r" of "f" writes [0:4], but "x" is [0:10]: an output must be total'}
  ${"a second writer"}           | ${[operation(3, "f", "", "r=1[0:10]"), operation(4, "g", "", "r=1[0:10]")]}                             | ${'loom/second-writer "x" is written by "r" of "g" and by "r" of "f"; they write the same cells'}
  ${"a stray index"}             | ${[operation(3, "f", "", "", tags("0:4")), application(4, 3, "", "", tags("2:6"))]}                     | ${`loom/stray-index the index [2:6] of shard "${id(4)}" is not inside the index [0:4] of "f"`}
  ${"a row with two signs"}      | ${[operation(3, "f", "a=1[0:1]", "", tags("0:3 0:3", { inputs: { a: [ipf("1 -1")] }, outputs: {} }))]}  | ${'loom/mixed-signs mixed-sign row: the selection "a" of "f" does not bound all touched cells, which are [-2:3]'}
  ${"an axis outputs lack"}      | ${[operation(3, "f", "", "r=1[0:10]", tags("0:10 0:3", { inputs: {}, outputs: { r: [ipf("1 0")] } }))]} | ${'loom/partial-sum "r" of "f" lacks index axis 1: its values would be partial sums if that were split, and Loom has no word for those'}
`("[3] $what is a warning, not an issue", ({ nodes, warning }) => {
  const { issues, diagnostics } = checkLoom(graph(...copy, ...nodes));
  expect(issues).toEqual([]);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toContain(warning);
  expect(diagnostics.every(({ severity }) => severity !== "error")).toBe(true);
});

test("two writers of different parts are told apart from two of the same", () => {
  const halves = [operation(3, "f", "", "r=1[0:5]"), operation(4, "g", "", "r=1[5:10]")];
  const messages = checkLoom(graph(...copy, ...halves)).diagnostics.map(({ message }) => message);
  expect(messages).toContain('"x" is written by "r" of "g" and by "r" of "f"');
});
