import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { answerLine } from "./answer-line.ts";
import { runBatch } from "./batch.ts";
import { answerTo } from "./commands.ts";
import { printedFor } from "./work.ts";

/** Answers at once, on the test's own thread. */
const here = { answer: async (work: Parameters<typeof printedFor>[0]) => printedFor(work) };

const parse = (id: unknown, annotation: unknown) =>
  JSON.stringify({ id, command: "parse", args: { annotation } });

test("every line is answered in order, good or bad, and the id comes back", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBatch(input, output, here);
  input.end(
    [parse(1, "a b -> b a"), "{", "", parse("two", "a b"), "[]", '{"id":{"x":[3]}}'].join("\n"),
  );
  await done;
  const answers = String(output.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
    [1, true],
    [undefined, false],
    [undefined, false],
    ["two", false],
    [undefined, false],
    [{ x: [3] }, false],
  ]);
});

test("fields beside the command are read where there are no args", () => {
  const beside = JSON.stringify({ id: 3, command: "parse", annotation: "a b -> b a" });
  expect(answerLine(beside, answerTo)).toBe(answerLine(parse(3, "a b -> b a"), answerTo));
  const none = JSON.stringify({ command: "parse", args: {}, annotation: "a b -> b a" });
  expect(JSON.parse(answerLine(none, answerTo)).ok).toBe(false);
});

test("an answer leaves before the next request arrives", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBatch(input, output, here);
  for (const id of [1, 2]) {
    const line = new Promise<string>((resolve) =>
      output.once("data", (data) => resolve(String(data))),
    );
    input.write(`${parse(id, "a -> a")}\n`);
    expect(JSON.parse(await line)).toMatchObject({ id, ok: true });
  }
  input.end();
  await done;
});

test.each([
  ["no JSON", "nonsense", "cli/bad-request"],
  ["no object", "7", "cli/bad-request"],
  ["no command", '{"id":1}', "cli/bad-request"],
  ["arguments that are no object", '{"command":"parse","args":[1]}', "cli/bad-request"],
  ["an unknown command", '{"command":"fly"}', "unknown-command"],
  ["a command of the prototype", '{"command":"constructor"}', "unknown-command"],
  [
    "a dangerous command",
    '{"command":"__proto__","args":{"__proto__":{"a":1}}}',
    "unknown-command",
  ],
])("%s is a fault with a code, and nothing of the inside shows", (_, line, code) => {
  const answer = JSON.parse(answerLine(line, answerTo));
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ severity: "error", code }] });
  expect(JSON.stringify(answer)).not.toMatch(/\bat .*\.[jt]s/);
});

test("an id nested beyond what can be written does not end the batch", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const answer = JSON.parse(answerLine(`{"id":${deep},"command":"parse","args":{}}`, answerTo));
  expect(answer).toMatchObject({ ok: false });
});

test("a diagnostic names its place by offset, and by line and column from 1", () => {
  const [fault] = JSON.parse(answerLine(parse(1, "a b -> 'c"), answerTo)).diagnostics;
  expect(fault).toMatchObject({ line: 1, column: fault.from + 1 });
  expect(fault.to).toBeGreaterThanOrEqual(fault.from);
});

test("lines end with a line feed and nothing else", async () => {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 2 ** 20 });
  const done = runBatch(input, output, here);
  const long = `{"id":4,"command":"parse","args":{"annotation":"${"a ".repeat(40_000)}-> a"}}`;
  const requests = [
    `\uFEFF${parse(1, "a -> a")}\r`,
    '{"id":2,"command":"evaluate","args":{"program":"\'a\u2028b\u2029c\'"}}',
    '{"id":3,\r"command":"parse","args":{"annotation":"a -> a"}}',
    long,
  ];
  const bytes = Buffer.from(requests.join("\n"));
  for (let at = 0; at < bytes.length; at += 1_001) input.write(bytes.subarray(at, at + 1_001));
  input.end();
  await done;
  const answers = String(output.read()).trim().split("\n");
  expect(answers.map((line) => JSON.parse(line)).map(({ id, ok }) => [id, ok])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, true],
  ]);
});

test("a line without end is refused and not kept, and the next one is answered", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBatch(input, output, here);
  const piece = Buffer.alloc(1_000_000, "x");
  for (let written = 0; written < 17; written++) input.write(piece);
  input.end(`\n${parse(2, "a -> a")}\n`);
  await done;
  const answers = String(output.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { ok: false, diagnostics: [{ message: "the line has more than 16000000 characters" }] },
    { id: 2, ok: true },
  ]);
});

test("a text that does not end is marked in one pass", () => {
  const quotes = '\\"'.repeat(200_000);
  expect(answerLine(`{"kwargs": {"a": "${quotes}`, answerTo)).toContain("not a JSON object");
});
