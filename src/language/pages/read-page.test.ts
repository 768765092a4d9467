import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { readPage } from "./index.ts";

/** Each block as `line: its first line`. */
function blocksOf(source: string): readonly string[] | undefined {
  return readPage(source)?.blocks.map(({ line, text }) => `${line}: ${text.split("\n")[0]}`);
}

const { cases }: { cases: { id: string; request: { args: { program?: string } } }[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);

/** A whole documentation page as pasted in a seed. */
function documentOf(id: string): string {
  const found = cases.find((each) => each.id === `${id}-L1-whole-document-pasted`);
  return found?.request.args.program ?? "";
}

test("the blocks of the pages that are pasted are found, each with its line", () => {
  expect(blocksOf(documentOf("000"))).toEqual([
    "13: # annotation: m^ kd+, kd+ n -> m^ n",
    "62: # annotation: (h t) k -> h t k",
    "76: @nnscaler.register_op('(h^ m^) kd+, kd+ n -> h^ m^ n', name='matmul_custom')",
    "96: def PAS(graph: IRGraph, resource):",
  ]);
  expect(blocksOf(documentOf("002"))).toHaveLength(16);
  expect(blocksOf(documentOf("003"))).toEqual([
    "52: import mindspore.nn as nn",
    "111: # a = [[a0, a1, a2, a3], [a4, a5, a6, a7]]",
    "124: import mindspore.nn as nn",
  ]);
  const loom = readPage(documentOf("004"))?.blocks.map(({ language }) => language);
  expect(loom).toEqual(["python", "json"]);
});

const prose = `Every dimension of a tensor is annotated by a template of identifiers.
To infer the output shape, the identifiers in output tensors must appear in inputs.

This can be represented by annotating a dimension using brackets.
`;

test.each`
  marks                     | page                                                                                           | blocks
  ${"a fence"}              | ${"```py\nx = Tensor((8, 4))\n```\n"}                                                          | ${["5: x = Tensor((8, 4))"]}
  ${"a fence without end"}  | ${"~~~python\nx = Tensor((8, 4))\n"}                                                           | ${["5: x = Tensor((8, 4))"]}
  ${"a fence of a shell"}   | ${"```bash\npip install it\n```\n```\ny = relu(x)\n```\n"}                                     | ${["8: y = relu(x)"]}
  ${"a directive"}          | ${".. code-block:: python\n   :linenos:\n\n   x = Tensor((8, 4))\n   y = relu(x)\n"}           | ${["7: x = Tensor((8, 4))"]}
  ${"two colons"}           | ${"For example::\n\n    x = Tensor((8, 4))\n\n    y = relu(x)\n\nAnd so on.\n"}                | ${["6: x = Tensor((8, 4))"]}
  ${"a session"}            | ${">>> x = Tensor((8, 4))\n>>> def f(x):\n...     return x\n>>> f(x)\nTensor\n\nAnd so on.\n"} | ${["4: x = Tensor((8, 4))"]}
  ${"a session in a fence"} | ${"```python\n>>> import mindspore\n>>> x = relu(y)\nTensor\n```\n"}                           | ${["5: import mindspore"]}
  ${"nothing"}              | ${"x = Tensor((8, 4))\n\n\ny = relu(x)\n\nAdvance\n"}                                          | ${["4: x = Tensor((8, 4))"]}
  ${"nothing, in a list"}   | ${"  • Example\n\n    def f(x):\n        y = relu(x)\n\n        return y\n\n  • More\n"}       | ${["6: def f(x):"]}
`("code behind $marks is found", ({ page, blocks }) => {
  const [first = "", ...rest] = prose.split("\n\n");
  const source = `${first}\n\n${page}\n${rest.join("\n\n")}`;
  const shift = blocks.map((each: string) => each.replace(/^\d+/, (line) => `${Number(line)}`));
  expect(blocksOf(source)?.map((each) => each.replace(/^\d+: /, ""))).toEqual(
    shift.map((each: string) => each.replace(/^\d+: /, "")),
  );
});

test("a session is what was put in, and indentation is taken off", () => {
  const page = `${prose}\n    >>> def f(x):\n    ...     return x\n    >>> y = f(x)\n    Tensor of 4\n`;
  expect(readPage(page)?.blocks[0]?.text).toBe("def f(x):\n    return x\ny = f(x)\n");
});

test("prose without code is a page without blocks", () => {
  expect(readPage(prose)).toMatchObject({ blocks: [], prose: { from: 0 } });
});

test("no program is a page, whatever is cut out of it or typed into it", () => {
  const programs = examples.map(({ program }) => program);
  for (const program of programs) expect(readPage(program)).toBeUndefined();
  const damaged = fc.record({
    program: fc.constantFrom(...programs),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(60),
    typed: fc.constantFrom("", '"', '"""', "(", "```\n", "oops = = (\n", "foo bar baz\n", "x y\n"),
  });
  fc.assert(
    fc.property(damaged, ({ program, at, length, typed }) => {
      const from = Math.floor(at * program.length);
      const source = program.slice(0, from) + typed + program.slice(from + length);
      expect(readPage(source)).toBeUndefined();
    }),
    { seed: 5, numRuns: process.env.SOAK ? 20_000 : 1_500 },
  );
});

test("prose in texts of three quotes and in comments makes no page", () => {
  const lines = prose.split("\n").filter((line) => line !== "");
  const program = `"""${lines.join("\n")}\n\`\`\`\nx = 1\n\`\`\`\n"""\n${lines.map((line) => `# ${line}`).join("\n")}\nx = = 1\n`;
  expect(readPage(program)).toBeUndefined();
});
