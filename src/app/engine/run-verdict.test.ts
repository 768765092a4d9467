import { expect, test } from "vitest";
import { compileText } from "#app/assist";
import { examples, exampleText } from "#app/examples";
import { compile } from "#compile";
import type { RunStage } from "./run-protocol.ts";
import { answerRun, verdictOf } from "./run-verdict.ts";

const ignored = () => {};
const program = examples[0]?.program ?? "";

/** LoomGraphs whose kernels say what they touch, not what they compute. */
const withoutBodies = new Set(["loom-expression"]);

test.each(examples)("$name equals its unsharded program, or has its error", (example) => {
  const { name, fault } = example;
  const source = exampleText(example);
  const { program: lowered } = compileText(source);
  if (fault !== undefined || withoutBodies.has(name)) {
    expect(verdictOf({ id: 1, source }, ignored)).toMatchObject({ kind: "refused" });
    return;
  }
  expect(verdictOf({ id: 1, source }, ignored)).toMatchObject({
    kind: "equal",
    tensorCount: lowered.graph.tensors.length,
    deviceCount: lowered.devices.length,
  });
});

test("a program too large to run whole says that its sizes were reduced", () => {
  const verdict = verdictOf({ id: 1, source: program }, ignored);
  if (verdict.kind !== "equal") throw new Error("expected an equal run");
  expect(verdict.notes.map(({ code }) => code)).toContain("execute/reduced-sizes");
});

test("its parts are named as they begin", () => {
  const stages: RunStage[] = [];
  verdictOf({ id: 1, source: program }, (stage) => stages.push(stage));
  expect(stages).toEqual(["reading", "reference", "devices", "comparison"]);
});

test("every collective of the first example is needed: without it, its own tensor is wrong", () => {
  const { program: lowered } = compile(program);
  const steps = lowered.stages.flatMap((stage) => stage.steps);
  const collectives = steps.flatMap((step, at) =>
    step.kind === "collective" ? [{ step, at }] : [],
  );
  expect(collectives).toHaveLength(1);
  for (const { step, at } of collectives) {
    const made = lowered.values.find(({ id }) => id === step.output)?.tensor;
    expect(verdictOf({ id: 1, source: program, without: at }, ignored)).toMatchObject({
      kind: "different",
      cell: { tensor: made, device: expect.any(Number), want: expect.any(Number) },
    });
  }
});

test.each`
  request                                                          | message
  ${{ source: "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = (" }}    | ${/^The text has an error: /}
  ${{ source: "mesh = Mesh(dp=2)\nx = Tensor((8,))", without: 3 }} | ${/^That step is no longer/}
`("what cannot be run is refused: $message", ({ request, message }) => {
  expect(verdictOf({ id: 1, ...request }, ignored)).toEqual({
    kind: "refused",
    message: expect.stringMatching(message),
  });
});

test("a fault while running is an answer, not an exception", () => {
  const broken = () => {
    throw new Error("a bug");
  };
  expect(answerRun({ id: 7, source: program }, broken)).toEqual({
    kind: "failed",
    id: 7,
    message: "a bug",
  });
});
