import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { answerLine, runBatch } from "./batch.ts";

const parse = (id: unknown, annotation: unknown) =>
  JSON.stringify({ id, command: "parse", args: { annotation } });

test("every line is answered in order, good or bad, and the id comes back", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBatch(input, output);
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

test("an answer leaves before the next request arrives", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBatch(input, output);
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
  const answer = JSON.parse(answerLine(line));
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ severity: "error", code }] });
  expect(JSON.stringify(answer)).not.toMatch(/\bat .*\.[jt]s/);
});

test("an id nested beyond what can be written does not end the batch", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const answer = JSON.parse(answerLine(`{"id":${deep},"command":"parse","args":{}}`));
  expect(answer).toMatchObject({ ok: false });
});

test("a diagnostic names its place by offset, and by line and column from 1", () => {
  const [fault] = JSON.parse(answerLine(parse(1, "a b -> 'c"))).diagnostics;
  expect(fault).toMatchObject({ line: 1, column: fault.from + 1 });
  expect(fault.to).toBeGreaterThanOrEqual(fault.from);
});
