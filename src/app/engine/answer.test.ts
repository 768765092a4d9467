import { expect, test } from "vitest";
import { createLayouter, layoutGraph } from "#app/scene";
import { compile } from "#compile";
import { createReshardPlanner } from "#core/reshard";
import { answer, type Compiler, codeAnswer } from "./answer.ts";

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

function compiled(source: string, open?: readonly string[]) {
  const said = answer(
    { kind: "compile", id: 7, source, ...(open !== undefined && { open }) },
    compiler,
  );
  if (said.kind !== "compiled") throw new Error(`${said.kind} is no answer to a text`);
  return said;
}

test("what follows from a text comes with its place on the canvas, where that is asked", () => {
  expect(compiled(text, []).layout).toEqual(layoutGraph(compile(text)));
  expect(compiled(text)).not.toHaveProperty("layout");
});

test("a text with errors is not laid out: an older one stays on the canvas", () => {
  expect(compiled(`${text}z = (\n`, [])).not.toHaveProperty("layout");
});

test("a large program is answered before it is laid out", () => {
  const long = `${text}h = x\nfor layer in range(2001):\n    h = gelu(h)\n`;
  const said = compiled(long, []);
  expect(said.compiled.graph.operators).toHaveLength(2002);
  expect(said).not.toHaveProperty("layout");
});

test("a fault of ours is an answer", () => {
  const source = text;
  expect(answer({ kind: "weigh", id: 8, source, tensor: "x" as never }, compiler)).toEqual({
    kind: "failed",
    id: 8,
    message: "nothing else is asked",
  });
});

test("a plan is written for the first engine until another is chosen", async () => {
  const asked = { kind: "code", id: 9, source: text } as const;
  const first = await codeAnswer({ ...asked, target: undefined }, compiler);
  if (first.kind !== "code") throw new Error(`${first.kind} is no code`);
  const { choices, chosen, written } = first.code;
  expect(chosen).toEqual(choices[0]);
  expect(written.ok && written.files.map(({ name }) => name)).toEqual(["plan.py", "launch.sh"]);
  expect(written).not.toHaveProperty("claims");
  for (const { target } of choices) {
    const other = await codeAnswer({ ...asked, target }, compiler);
    expect(other).toMatchObject({ kind: "code", id: 9, code: { chosen: { target } } });
    expect(() => structuredClone(other)).not.toThrow();
  }
});

test("a fault of ours while code is written is an answer", async () => {
  const failing = { compile: unused };
  const asked = { kind: "code", id: 10, source: text, target: "jax" } as const;
  const message = "nothing else is asked";
  expect(await codeAnswer(asked, failing)).toEqual({ kind: "failed", id: 10, message });
});
