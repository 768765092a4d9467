import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import type { Gesture } from "#edit";
import { createLanguageService, type LanguageRequest } from "./index.ts";
import { manyOperators } from "./marked.testing.ts";
import { compileText, gestureText } from "./two-texts.ts";

const kinds = ["hover", "complete", "signature", "definition", "rename-target"] as const;

/** A text in the middle of typing: truncated, or with an insertion that does not belong. */
const typedText = fc
  .record({
    program: fc.constantFrom(...examples.slice(0, 8).map(({ program }) => program)),
    cut: fc.double({ min: 0.1, max: 1, noNaN: true }),
    added: fc.constantFrom(
      "",
      '"',
      "(",
      "strategy(",
      'layout("',
      "f(x, ",
      "x.",
      "\n  ",
      "=",
      "[(1, ",
    ),
    keepsRest: fc.boolean(),
  })
  .map(({ program, cut, added, keepsRest }) => {
    const at = Math.floor(program.length * cut);
    const source = program.slice(0, at) + added + (keepsRest ? program.slice(at) : "");
    return { source, offset: at + added.length };
  });

test("every question about a text in the middle of typing is answered, at places inside it", () => {
  const { assist } = createLanguageService(() => 0);
  fc.assert(
    fc.property(typedText, fc.constantFrom(...kinds), ({ source, offset }, kind) => {
      const reply = assist(source, { kind, offset });
      expect(reply.kind).toBe(kind);
      const spans = JSON.stringify(reply).matchAll(/"from":(\d+),"to":(\d+)/g);
      for (const [, from = "", to = ""] of spans) {
        expect(Number(from)).toBeLessThanOrEqual(Number(to));
        expect(Number(to)).toBeLessThanOrEqual(source.length);
      }
      if (reply.kind !== "complete") return;
      expect(reply.list.span.from).toBeLessThanOrEqual(offset);
      expect(reply.list.span.to).toBeGreaterThanOrEqual(reply.list.items.length > 0 ? offset : 0);
    }),
    { seed: 3, numRuns: process.env.SOAK ? 2_000 : 15 },
  );
});

test("facts are worked out once per text, and a question of another text starts anew", () => {
  const { assist } = createLanguageService(() => 0);
  const request: LanguageRequest = { kind: "hover", offset: 0 };
  expect(assist("x = Tensor((8, 4))\n", request)).toMatchObject({
    hover: { title: "x: f32[8, 4]" },
  });
  expect(assist("x = Tensor((8, 2))\n", request)).toMatchObject({
    hover: { title: "x: f32[8, 2]" },
  });
});

test("what was compiled is what is asked about", () => {
  const { assist, compile } = createLanguageService(() => 0);
  const source = "x = Tensor((8, 4))\n";
  expect(compile(source)).toBe(compile(source));
  expect(assist(source, { kind: "words" })).toEqual({ kind: "words", words: [] });
});

test("in a large program trying candidates ends when the clock says so", () => {
  let time = 0;
  const { assist } = createLanguageService(() => {
    time += 300;
    return time;
  });
  const line = 'mesh = Mesh(a=2, b=2, c=2)\nx = Tensor((8, 4))\ny = relu(x)\nstrategy(y, a="")\n';
  const source = line + manyOperators;
  const reply = assist(source, { kind: "complete", offset: source.indexOf('"') + 1 });
  const details = reply.kind === "complete" ? reply.list.items.map(({ detail }) => detail) : [];
  expect(details.filter((detail) => detail !== "")).toHaveLength(1);
  expect(details.length).toBeGreaterThan(2);
});

test("words and folds come in the order of the text", () => {
  const { assist } = createLanguageService(() => 0);
  for (const { program } of examples.slice(0, 6)) {
    const words = assist(program, { kind: "words" });
    const folds = assist(program, { kind: "folds" });
    const places = words.kind === "words" ? words.words.map(({ from }) => from) : [];
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(folds.kind === "folds" && folds.folds.every(({ from, to }) => from < to)).toBe(true);
  }
});

test("changes by hand are the same whether versions of the text are remembered or not", () => {
  const { gesture, compile } = createLanguageService(() => 0);
  for (const example of examples.filter((_, at) => at % 3 === 2)) {
    const source = exampleText(example);
    const { graph, mesh } = compile(source);
    const gestures = graph.tensors.slice(0, 2).flatMap((tensor, at): readonly Gesture[] => {
      const [axis] = mesh.mesh.axes.slice(at % mesh.mesh.axes.length);
      if (axis === undefined || tensor.shape.length === 0) return [];
      const on = { tensor: tensor.id, dim: at % tensor.shape.length, axis: axis.name };
      return [
        { kind: "split", ...on },
        { kind: "move", ...on },
        { kind: "pin", name: tensor.name, isPinned: true },
      ];
    });
    for (const each of gestures) {
      const outcome = gesture(source, each);
      expect(outcome).toEqual(gestureText(source, each));
      if (outcome.ok) expect(compile(outcome.source)).toEqual(compileText(outcome.source));
    }
  }
});
