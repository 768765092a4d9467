import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** Size of a tensor dim given by a list's length, and the warnings. */
function sizeOf(list: string, body = "") {
  const text = `import re\nimport torch\n${body}x = torch.zeros(len(${list}), 2)\ny = x + 1\n`;
  const { diagnostics, graph } = readDocument(text);
  const said = diagnostics.filter(({ severity }) => severity === "warning").map(({ code }) => code);
  return { said, shape: graph.tensors.find(({ name }) => name === "y")?.shape?.[0] };
}

// Lengths of the results in CPython.
test.each`
  call                                         | length
  ${'re.split(r"(\\d.*)", "se0.25")'}          | ${3}
  ${'re.split(r"(\\d.*)", "noskip")'}          | ${1}
  ${'re.split("_", "r1_k3_s11")'}              | ${3}
  ${'re.split(r"[,;] *", "a, b;c")'}           | ${3}
  ${'re.split(string="a1b", pattern="[0-9]")'} | ${2}
`("$call has $length parts", ({ call, length }) => {
  expect(sizeOf(call)).toEqual({ said: [], shape: length });
});

test("a part is the text between", () => {
  const checked = 're.split(r"(\\d.*)", "k13")';
  expect(sizeOf(`"x" * int(${checked}[1])`).shape).toBe(13);
});

test.each`
  call
  ${'re.split("x*", "axb")'}
  ${'re.split("(a*)*b", "aaaa")'}
  ${'re.split("a*a*a*b", "aaaa")'}
  ${'re.split("(?i)a", "bAb")'}
  ${'re.split("a", "bab", maxsplit=1)'}
  ${'re.split("(", "a")'}
  ${'re.findall("a", "aa")'}
`("what $call gives is not known", ({ call }) => {
  expect(sizeOf("[1]", `for part in ${call}:\n    pass\n`).said).toContain(
    "document/unknown-value",
  );
});
