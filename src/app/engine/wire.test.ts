import { expect, test } from "vitest";
import { createLayouter } from "#app/scene/graph";
import { compileDocument, createDocumentCompiler } from "#compile";
import { readDocument } from "#systems";
import { createReceiver, createSender } from "./wire.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
`;

/** Worker and page, connected by the messages between them. */
function joined() {
  const sent = createSender();
  const received = createReceiver();
  const compile = createDocumentCompiler();
  const layOut = createLayouter();
  return (source: string, id: number) => {
    const compiled = compile(readDocument(source));
    const layout = layOut(compiled, []);
    const way = sent({ kind: "compile", id, answer: { compiled, layout } });
    const message = received(structuredClone(way), source);
    if (!("answer" in message) || message.kind !== "compile") {
      throw new Error("a text is answered with what follows from it");
    }
    return {
      way,
      laidOut: layout,
      ...message.answer,
      expected: { ...compileDocument(readDocument(source)), source },
    };
  };
}

test("a comment at the end sends nothing, and leaves every part the same object", () => {
  const ask = joined();
  const first = ask(text, 1);
  const second = ask(`${text}# why`, 2);
  expect(second.way).toEqual({
    kind: "compile",
    id: 2,
    answer: { compiled: { patch: "same" }, layout: { patch: "same" } },
  });
  expect(second.compiled).toEqual(second.expected);
  expect(second.compiled.program).toBe(first.compiled.program);
  expect(second.layout).toBe(first.layout);
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
    const { compiled, expected, layout, laidOut } = ask(source, at);
    expect(compiled).toEqual(expected);
    expect(layout).toEqual(laidOut);
  }
});

test("an edit of one operator sends little of a program of many", () => {
  const ask = joined();
  const lines = Array.from({ length: 40 }, (_, at) => `h${at + 1} = gelu(h${at})\n`).join("");
  const long = `mesh = Mesh(dp=2)\nh0 = Tensor((8, 8))\n${lines}`;
  const first = ask(long, 1);
  const second = ask(`${long}strategy(h40, s0="dp")\n`, 2);
  expect(second.compiled).toEqual(second.expected);
  expect(second.compiled.graph).toBe(first.compiled.graph);
  const size = (value: unknown) => JSON.stringify(value).length;
  expect(size(second.way)).toBeLessThan(size(first.way) / 5);
});

test("what a gesture wrote is told from the text before it, and has its own text", () => {
  const sent = createSender();
  const received = createReceiver();
  const compiled = compileDocument(readDocument(text));
  received(sent({ kind: "compile", id: 1, answer: { compiled } }), text);
  const source = text.replace('"dp"', '"mp"');
  const next = { compiled: compileDocument(readDocument(source)) };
  const outcome = { ok: true, label: "m over mp", source } as const;
  const way = sent({ kind: "gesture", id: 2, answer: { outcome, next } });
  expect(way).toMatchObject({ answer: { next: { compiled: { patch: {} } } } });
  expect(received(structuredClone(way), text)).toEqual({
    ...{ kind: "gesture", id: 2 },
    answer: { outcome, next: { compiled: { ...next.compiled, source } } },
  });
});

test("the text itself does not come back", () => {
  const { way, compiled } = joined()(text, 1);
  expect(way).toMatchObject({ answer: { compiled: { whole: { source: "" } } } });
  expect(compiled.source).toBe(text);
});

test("a difference without the answer that it is told from is a fault", () => {
  const received = createReceiver();
  const fault = { id: 3, failure: expect.any(String) };
  const same = { patch: "same" } as const;
  const compile = { kind: "compile", id: 3, answer: { compiled: same } } as const;
  expect(received(compile, text)).toEqual(fault);
  expect(received({ kind: "compile-aside", id: 3, answer: same }, text)).toEqual(fault);
  expect(received({ kind: "layout", id: 3, answer: same }, text)).toEqual(fault);
});

test("texts aside are told by what changed too", () => {
  const [sent, received] = [createSender(), createReceiver()];
  const compiled = compileDocument(readDocument(text));
  const way = () => sent({ kind: "compile-aside", id: 4, answer: { ...compiled, source: text } });
  received(way(), text);
  const second = way();
  expect(second).toMatchObject({ answer: { patch: "same" } });
  expect(received(second, text)).toEqual({
    kind: "compile-aside",
    id: 4,
    answer: { ...compiled, source: text },
  });
});
