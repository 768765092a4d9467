import { expect, test } from "vitest";
import { compile } from "#compile";
import { createCompleter, createShortener } from "./recompiled.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
`;

/** A worker and the page behind it, with what goes over between them. */
function joined() {
  const shorten = createShortener();
  const complete = createCompleter();
  return (source: string, id: number) => {
    const sent = shorten({ kind: "compiled", id, compiled: compile(source) });
    const answer = complete(structuredClone(sent), source);
    if (answer.kind !== "compiled") throw new Error("a text is answered with what follows from it");
    return { sent, compiled: answer.compiled };
  };
}

test("a comment at the end sends nothing, and leaves every part the same object", () => {
  const ask = joined();
  const first = ask(text, 1);
  const second = ask(`${text}# why`, 2);
  expect(first.sent.kind).toBe("compiled");
  expect(second.sent).toEqual({
    kind: "recompiled",
    id: 2,
    changed: {},
  });
  expect(second.compiled).toEqual(compile(`${text}# why`));
  expect(second.compiled.program).toBe(first.compiled.program);
});

test("after any edits the page knows what the worker knows", () => {
  const ask = joined();
  const texts = [
    text,
    `# above\n${text}`,
    text.replace('"dp"', '"mp"'),
    `${text}z = (`,
    "",
    text.replace("dp=2", "dp=4"),
    text,
  ];
  for (const [at, source] of texts.entries()) {
    expect(ask(source, at).compiled).toEqual(compile(source));
  }
});

test("the text itself does not come back", () => {
  const { sent, compiled } = joined()(text, 1);
  expect(sent).toMatchObject({ kind: "compiled", compiled: { source: "" } });
  expect(compiled.source).toBe(text);
});

test("a difference without the answer that it is told from is a fault", () => {
  expect(createCompleter()({ kind: "recompiled", id: 3, changed: {} }, text)).toMatchObject({
    kind: "failed",
    id: 3,
  });
});
