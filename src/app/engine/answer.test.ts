import { expect, test } from "vitest";
import type { PlanDrawing } from "#app/scene/board";
import { createLayouter, layoutGraph } from "#app/scene/graph";
import { compile } from "#compile";
import { tensorId } from "#core/ir";
import { createReshardPlanner } from "#core/reshard";
import { answersOf, type Compiler } from "./answer.ts";
import type { Questions } from "./protocol.ts";
import { createAnswerer, type Message, type Question } from "./question.ts";

const unused = () => {
  throw new Error("nothing else is asked");
};

const compiler: Compiler = {
  compile,
  layOut: createLayouter(),
  planReshard: createReshardPlanner(),
  applyGesture: unused,
  assist: unused,
  alternativeTexts: unused,
  weighAlternative: unused,
};

const text = `mesh = Mesh(dp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
`;

async function answer(question: Question<Questions>): Promise<Message<Questions>> {
  const said: Message<Questions>[] = [];
  await createAnswerer<Questions>(answersOf(compiler), (message) => said.push(message))(question);
  const [message] = said;
  if (message === undefined || said.length > 1) throw new Error(`${said.length} answers`);
  return message;
}

async function compiled(source: string, drawing?: PlanDrawing) {
  const said = await answer({ kind: "compile", id: 7, asked: { source, open: [], drawing } });
  if (!("answer" in said) || said.kind !== "compile") throw new Error("no answer to a text");
  return said.answer;
}

test("what follows from a text comes with its place on the canvas, where that is asked", async () => {
  expect((await compiled(text)).layout).toEqual(layoutGraph(compile(text)));
  expect(await answer({ kind: "compile-aside", id: 7, asked: { source: text } })).toEqual({
    kind: "compile-aside",
    id: 7,
    answer: compile(text),
  });
});

test("a text with errors is not laid out: an older one stays on the canvas", async () => {
  expect(await compiled(`${text}z = (\n`)).not.toHaveProperty("layout");
});

test("what is drawn by rows is answered before it is laid out as a graph", async () => {
  const long = `${text}h = x\nfor layer in range(30):\n    h = gelu(h)\n`;
  const isLaidOut = async (source: string, drawing?: PlanDrawing) =>
    (await compiled(source, drawing)).layout !== undefined;
  expect(await isLaidOut(text, "rows")).toBe(false);
  expect(await isLaidOut(text, "graph")).toBe(true);
  expect(await isLaidOut(long)).toBe(false);
  expect(await isLaidOut(long, "graph")).toBe(true);
});

test("a large program is answered before it is laid out", async () => {
  const long = `${text}h = x\nfor layer in range(2001):\n    h = gelu(h)\n`;
  const said = await compiled(long, "graph");
  expect(said.compiled.graph.operators).toHaveLength(2002);
  expect(said).not.toHaveProperty("layout");
});

test("a fault of ours is an answer", async () => {
  const asked = { source: text, tensor: tensorId("x") };
  expect(await answer({ kind: "weigh", id: 8, asked })).toEqual({
    id: 8,
    failure: "nothing else is asked",
  });
});

async function code(target: string | undefined) {
  const said = await answer({ kind: "code", id: 9, asked: { source: text, target } });
  if (!("answer" in said) || said.kind !== "code") throw new Error("no code");
  expect(said.id).toBe(9);
  return said.answer;
}

test("a plan is written for the first engine until another is chosen", async () => {
  const { choices, chosen, written } = await code(undefined);
  expect(chosen).toEqual(choices[0]);
  expect(written.ok && written.files.map(({ name }) => name)).toEqual(["plan.py", "launch.sh"]);
  expect(written).not.toHaveProperty("claims");
  for (const { target } of choices) {
    const other = await code(target);
    expect(other).toMatchObject({ chosen: { target } });
    expect(() => structuredClone(other)).not.toThrow();
  }
});

test("a fault of ours while code is written is an answer", async () => {
  const said: Message<Questions>[] = [];
  const failing = answersOf({ ...compiler, compile: unused });
  const ask = createAnswerer<Questions>(failing, (message) => said.push(message));
  await ask({ kind: "code", id: 10, asked: { source: text, target: "jax" } });
  expect(said).toEqual([{ id: 10, failure: "nothing else is asked" }]);
});
