import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { definitionAt } from "./definition.ts";
import { exampleMarked, markedFacts } from "./marked.testing.ts";
import { renameAt, renameAxisTo, renameTargetAt } from "./rename.ts";
import { semanticWords } from "./semantic-words.ts";
import { signatureAt } from "./signature-at.ts";

/** The lines that a rename changes, or the reason for its refusal. */
function renamed(marked: string, name: string): readonly string[] | string {
  const { facts, offset } = markedFacts(marked);
  const outcome = renameAt(facts, offset, name);
  if (!outcome.ok) return outcome.reason;
  const before = facts.source.split("\n");
  const after = applyEdits(facts.source, outcome.edits).split("\n");
  return after.filter((line, index) => line !== before[index]).map((line) => line.trim());
}

test.each`
  example            | place                   | name      | lines
  ${"two-matmuls"}   | ${'"‸dp"'}              | ${"rows"} | ${["mesh = Mesh(rows=2, mp=2)", 'strategy(h, b="rows", f="mp")', 'strategy(y, b="rows")']}
  ${"two-matmuls"}   | ${"mesh = Mesh(‸dp"}    | ${"rows"} | ${["mesh = Mesh(rows=2, mp=2)", 'strategy(h, b="rows", f="mp")', 'strategy(y, b="rows")']}
  ${"jax-reshard"}   | ${"‸y=2"}               | ${"cols"} | ${["mesh = Mesh(x=4, cols=2)", 'place(t, layout("cols", "None", "x"))', 'strategy(u, b=("x", "cols"))']}
  ${"two-matmuls"}   | ${"project(‸h"}         | ${"mid"}  | ${["mid = project(x, w1)", "y = project(mid, w2)", 'strategy(mid, b="dp", f="mp")']}
  ${"two-matmuls"}   | ${"matmul(‸x"}          | ${"rows"} | ${["def project(rows, w):", "return torch.matmul(rows, w)"]}
  ${"mindspore-net"} | ${"construct(self, ‸x"} | ${"rows"} | ${["def construct(self, rows, w, v):", "y = self.matmul1(rows, w)", "shapes(rows=(8, 4), w=(4, 6), v=(6, 8))"]}
`("$place of $example renamed to $name", ({ example, place, name, lines }) => {
  expect(renamed(exampleMarked(example, place), name)).toEqual(lines);
});

test("the link of an axis follows its name", () => {
  const marked = `mesh = Mesh(‸dp=2, links={"dp": {"bandwidth": 50e9}})
x = Tensor((8, 16))
h = relu(x)
strategy(h, a="dp")
`;
  expect(renamed(marked, "rows")).toEqual([
    'mesh = Mesh(rows=2, links={"rows": {"bandwidth": 50e9}})',
    'strategy(h, a="rows")',
  ]);
});

test("the link of an axis follows its name in a device of one's own too", () => {
  const marked = `mesh = Mesh(‸dp=2, hardware={"chip": "8xH100", "links": {"dp": {"latency": 1e-6}}})
x = Tensor((8, 16))
`;
  expect(renamed(marked, "rows")).toEqual([
    'mesh = Mesh(rows=2, hardware={"chip": "8xH100", "links": {"rows": {"latency": 1e-6}}})',
  ]);
});

test("an axis is renamed by its name alone, as from its chip", () => {
  const { facts } = markedFacts(exampleMarked("two-matmuls", "mesh = Mesh(‸dp"));
  expect(renameAxisTo(facts, "dp", "rows")).toMatchObject({
    ok: true,
    label: "Rename axis dp to rows",
  });
  expect(renameAxisTo(facts, "dp", "mp")).toMatchObject({ ok: false });
  expect(renameAxisTo(facts, "dp", "2x")).toMatchObject({ ok: false });
});

test("an axis of a Layout is renamed in alias_name, in its calls, and nowhere else", () => {
  const text = `layout = Layout((2, 2), ("‸dp", "mp"))
dp = "dp"
x = Tensor((8, 4))
w = Parameter((4, 6))
y = ops.MatMul().shard((layout("dp", "None"), layout("None", ("mp",))))(x, w)
strategy("y", m="dp")
`;
  expect(renamed(text, "rows")).toEqual([
    'layout = Layout((2, 2), ("rows", "mp"))',
    'y = ops.MatMul().shard((layout("rows", "None"), layout("None", ("mp",))))(x, w)',
    'strategy("y", m="rows")',
  ]);
});

test("a variable is renamed in the texts that name its tensors", () => {
  const text = `x = Tensor((8, 4))
def block(t):
    ‸h = relu(t)
    return h
for i in range(3):
    x = block(x)
strategy("block[*].h", a="None")
`;
  expect(renamed(text, "mid")).toEqual([
    "mid = relu(t)",
    "return mid",
    'strategy("block[*].mid", a="None")',
  ]);
});

test.each`
  place                | name      | reason
  ${"mesh = Mesh(‸dp"} | ${"mp"}   | ${'the mesh already has an axis "mp"'}
  ${"mesh = Mesh(‸dp"} | ${"None"} | ${'"None" is a word of Python'}
  ${"mesh = Mesh(‸dp"} | ${"a b"}  | ${'"a b" is no name: letters, digits and _ only'}
  ${"\n‸h = "}         | ${"x"}    | ${'the text already uses the name "x"'}
  ${"‸torch.matmul"}   | ${"t"}    | ${'the text does not define "torch"'}
  ${"‸# Two"}          | ${"t"}    | ${"a mesh axis or a variable can be renamed; here is neither"}
`("$place is not renamed to $name: $reason", ({ place, name, reason }) => {
  expect(renamed(exampleMarked("two-matmuls", place), name)).toBe(reason);
});

test("an axis that is named in a way that cannot be followed is left alone", () => {
  const text = `mesh = Mesh(‸dp=2, mp=2)
x = Tensor((8, 4))
y = relu(x)
axis = "d" + "p"
strategy(y, a=axis)
`;
  expect(renamed(text, "rows")).toContain("cannot be followed");
});

test("what can be renamed says its name and its kind", () => {
  const { facts, offset } = markedFacts(exampleMarked("two-matmuls", '"‸mp"'));
  expect(renameTargetAt(facts, offset)).toMatchObject({ ok: true, kind: "axis", name: "mp" });
});

test.each`
  place             | definition
  ${'"‸dp"'}        | ${"dp=2, mp=2)"}
  ${"project(‸h"}   | ${"h = project"}
  ${'‸f="mp"'}      | ${"f -> b f\nde"}
  ${"= ‸project(x"} | ${"project(x, "}
  ${"matmul(‸x"}    | ${"x, w):\n    "}
`("the definition of $place is $definition", ({ place, definition }) => {
  const { facts, offset } = markedFacts(exampleMarked("two-matmuls", place));
  const span = definitionAt(facts, offset);
  expect(facts.source.slice(span?.from, (span?.from ?? 0) + definition.length)).toBe(definition);
});

test.each`
  typed                    | label                                                                | active
  ${"strategy(h, ‸"}       | ${"strategy(target, identifier=axes, carry=axes)"}                   | ${1}
  ${"strategy(h, carry=‸"} | ${"strategy(target, identifier=axes, carry=axes)"}                   | ${2}
  ${"place(x, ‸layout("}   | ${"place(tensor, layout(…))"}                                        | ${1}
  ${'place(x, layout("‸'}  | ${"layout(*dims)"}                                                   | ${0}
  ${"z = project(x, ‸"}    | ${"project(x, w)"}                                                   | ${1}
  ${"z = linear(x, ‸"}     | ${"linear(x, weight, bias)"}                                         | ${1}
  ${"Mesh(dp=‸"}           | ${'Mesh(axis=size, devices=[…], hardware="…", chip={…}, links={…})'} | ${0}
`("at $typed the signature is $label, parameter $active", ({ typed, label, active }) => {
  const program = exampleMarked("two-matmuls", "# Two").replace("‸", "");
  const { facts, offset } = markedFacts(`${program}${typed}\n`);
  expect(signatureAt(facts, offset)).toMatchObject({ label, active });
});

test("identifiers of annotations are words with the axis that cuts them", () => {
  const { facts } = markedFacts(exampleMarked("two-matmuls", "# Two"));
  const words = semanticWords(facts).map(({ from, to, axis }) =>
    axis === undefined ? facts.source.slice(from, to) : `${facts.source.slice(from, to)}@${axis}`,
  );
  expect(words.join(" ")).toBe("b@dp k + k + f@mp b@dp f@mp");
});
