import fc from "fast-check";
import { expect, test } from "vitest";
import { createParser, type Parse, parseLibrary, parseProgram } from "./reading/parse.ts";

/** Text of a parse result; equal results have equal texts. */
function textOf(parse: Parse, source: string, recover: boolean): string {
  return JSON.stringify(parse(source, recover), (_, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}

const text = `import math
# annotation: m k+, k+ n -> m n
def project(x, w):
    if x:
        return x
    return f(x,
             w)

class A(B):
    @property
    def f(self): return [1, 2]

x = Tensor((8, 8)) # a comment
y = project(x, Parameter((8, 8), "bf16"))
for i in range(3):
    y = gelu(y)
else:
    z = 1
strategy(y, m="dp")
place(y,
      "dp",
)
text = """three
quotes"""
z = y \\
  + 1
w = f(y)
strategy(w, n="mp")
`;

const pieces = `\n|\n\n|x = 1\n|  y\n|    return 2\n|"|"""|'|(|)|[|]|:|=|\\|\\\n|#|# no\n|@f\n|\`\`\`\n| |\t|\r|\f|“|”|é|\ufeff|lambda|yield|if x:\n|else:\n|elif|except: pass\n|with (a as b):\n|x[*a]|1.|def g():|class C:\n  pass\n|;|.|,|print x`;
const edit = fc.record({
  at: fc.nat(2_000),
  removed: fc.oneof(fc.nat(3), fc.nat(60)),
  added: fc.constantFrom("", ...pieces.split("|")),
});

test("a parser that knows earlier versions of a text reads it as any other", () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), fc.boolean(), (edits, goesBack) => {
      const parse = createParser();
      let source = text;
      parse(source, true);
      for (const { at, removed, added } of edits) {
        const from = at % (source.length + 1);
        source = source.slice(0, from) + added + source.slice(from + removed);
        expect(textOf(parse, source, true)).toBe(textOf(parseProgram, source, true));
        if (goesBack) expect(textOf(parse, text, true)).toBe(textOf(parseProgram, text, true));
      }
      expect(textOf(parse, source, false)).toBe(textOf(parseProgram, source, false));
    }),
    { seed: 1, numRuns: process.env["SOAK"] ? 5_000 : 40 },
  );
});

test("statements before an edit are the very same", () => {
  const parse = createParser();
  const before = parse(text, true).statements;
  const after = parse(text.replace('n="mp"', 'm="mp"'), true).statements;
  expect(after).toHaveLength(before.length);
  for (const [at, statement] of after.slice(0, -1).entries()) expect(statement).toBe(before[at]);
  expect(after.at(-1)).not.toEqual(before.at(-1));
});

test("a module of our own is read once, however often it is asked for", () => {
  expect(parseLibrary("def f(x):\n    return x\n")).toBe(parseLibrary("def f(x):\n    return x\n"));
  expect(parseLibrary("y = 1\n")).not.toBe(parseLibrary("y = 2\n"));
});
