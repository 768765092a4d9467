import { expect, test } from "vitest";
import { compile } from "#compile";
import { conjunctsOf } from "./conjuncts.ts";
import { evaluate, type World } from "./evaluate.ts";
import { mostTerms, parseFigure, parsePredicate } from "./parse.ts";
import { bareThresholds } from "./thresholds.ts";

const program = (...lines: readonly string[]) =>
  compile(
    [
      "mesh = Mesh(d=4)",
      'x = Tensor((512, 1024), "bf16")',
      'w = Parameter((1024, 2048), "bf16")',
      "y = matmul(x, w)",
      ...lines,
    ].join("\n"),
  );
const start = program();
const summed = program('strategy(y, k="d")');
const columns = program('strategy(y, n="d")');
const texts: Readonly<Record<string, typeof start>> = { start, best: columns, summed, columns };
const world: World = {
  now: { compiled: summed, view: { step: 1, hop: 2 }, isEqual: true },
  of: (text) => (texts[text] === undefined ? undefined : { compiled: texts[text] }),
};

function valueIn(source: string, on = world) {
  const parsed = parsePredicate(source);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const value = evaluate(parsed.value, on);
  return value.kind === "unknown" ? value.why : value.kind === "truth" ? value.value : value;
}

test.each`
  condition                                                    | holds
  ${"ok"}                                                      | ${true}
  ${"same(program)"}                                           | ${true}
  ${"same"}                                                    | ${true}
  ${"bytes = 3145728"}                                         | ${true}
  ${"bytes = 2 * 3 / 4 * size(y)"}                             | ${true}
  ${"bytes ≠ 0 and count(all-reduce) = 1"}                     | ${true}
  ${"bytes != 0 and count(all-reduce, backward) = 0"}          | ${true}
  ${"bytes > start(bytes)"}                                    | ${true}
  ${"bytes(summed) = of(summed, bytes)"}                       | ${true}
  ${"memory <= 1.03 * best(memory)"}                           | ${false}
  ${"memory(columns) = best(memory)"}                          | ${true}
  ${"strategy(y).k = d"}                                       | ${true}
  ${'strategy(y).m = "_"'}                                     | ${true}
  ${'strategy(y) = "k=d"'}                                     | ${true}
  ${'layout(y) = "_,_|d"'}                                     | ${true}
  ${'layout(x) = "_,d"'}                                       | ${true}
  ${'layout(x) != "_,d"'}                                      | ${false}
  ${'rest(x) = "_,d" and rest(w) = "d,_"'}                     | ${true}
  ${'mesh = "4" and room > memory and count = 1'}              | ${true}
  ${"mesh = start(mesh) and layout(y) ≠ start(layout(y))"}     | ${true}
  ${"rest(w) = rest(w) and layout(x) = of(summed, layout(x))"} | ${true}
  ${"count(all-reduce) = count and start(count) = 0"}          | ${true}
  ${"local(w) = size(w) / devices"}                            | ${true}
  ${'hold(1, x) = "0:512,256:512"'}                            | ${true}
  ${"at(1) and at(1, 2) and not at(2)"}                        | ${true}
  ${"at(1, 3) or (equal and not not ok)"}                      | ${true}
  ${"same(steps)"}                                             | ${false}
  ${"of(columns, same(steps))"}                                | ${true}
  ${"1 + 2 * 3 - 4 / 2 = 5"}                                   | ${true}
  ${"of(columns, bytes) = 0 and of(columns, ok)"}              | ${true}
`("$condition is $holds", ({ condition, holds }) => {
  expect(valueIn(condition)).toBe(holds);
});

test.each`
  condition                   | value
  ${"size(q) = 1"}            | ${"there is no tensor q"}
  ${"size(q) ≠ 1"}            | ${"there is no tensor q"}
  ${"not (size(q) = 1)"}      | ${"there is no tensor q"}
  ${"strategy(y).z = d"}      | ${"y has no z"}
  ${"strategy(q).z = d"}      | ${"there is no operator q"}
  ${"bytes / 0 = 1"}          | ${"it is no finite number"}
  ${"proven"}                 | ${"nothing is planned yet"}
  ${'hold(9, x) = "0:1"'}     | ${"there is no device 9"}
  ${"of(nothing, bytes) = 1"} | ${"there is no text nothing"}
  ${"ok or size(q) = 1"}      | ${true}
  ${"not ok and size(q) = 1"} | ${false}
  ${"ok and size(q) = 1"}     | ${"there is no tensor q"}
`("$condition, in part unknown, is $value", ({ condition, value }) => {
  expect(valueIn(condition)).toBe(value);
});

test.each`
  condition              | from  | message
  ${""}                  | ${0}  | ${"a term is missing at the end"}
  ${"bites = 0"}         | ${0}  | ${'"bites" is no term'}
  ${"bytes = "}          | ${8}  | ${"a term is missing at the end"}
  ${"bytes"}             | ${0}  | ${"this is a number, not true or false"}
  ${"ok = ok"}           | ${0}  | ${"what is true or false is not compared"}
  ${"bytes = layout(y)"} | ${8}  | ${"this is a text, not a number"}
  ${"ok and bytes"}      | ${7}  | ${"this is a number, not true or false"}
  ${"layout(y) < a"}     | ${12} | ${"texts are compared by = and ≠ alone"}
  ${"count(gather) = 1"} | ${6}  | ${'"gather" is none of all-gather'}
  ${"count() = 1"}       | ${6}  | ${"a name or a number is missing"}
  ${"layout = a"}        | ${0}  | ${"layout takes a tensor"}
  ${"same(bytes)"}       | ${5}  | ${'"bytes" is none of program, lines, machine, steps'}
  ${"hold(x, x) = a"}    | ${5}  | ${'hold takes no "x"'}
  ${"(ok"}               | ${3}  | ${'")" is missing'}
  ${"ok ok"}             | ${3}  | ${'"ok" is not expected here'}
  ${"ok; alert(1)"}      | ${2}  | ${'";" is not expected here'}
  ${"best(ok, 1)"}       | ${7}  | ${'")" is missing'}
`("$condition cannot be read, from $from on: $message", ({ condition, from, message }) => {
  const parsed = parsePredicate(condition);
  expect(parsed.ok).toBe(false);
  if (parsed.ok) return;
  expect(parsed.fault.message).toContain(message);
  expect(parsed.fault.span.from).toBe(from);
});

test("conditions have bounds of their terms, length and depth", () => {
  const faultOf = (source: string) => {
    const parsed = parsePredicate(source);
    return parsed.ok ? undefined : parsed.fault.message;
  };
  const many = (count: number) => Array.from({ length: count }, () => "ok").join(" and ");
  expect(faultOf(many(mostTerms))).toBeUndefined();
  expect(faultOf(many(mostTerms + 1))).toBe("more than 40 terms");
  expect(faultOf(`${" ".repeat(1_000)}ok`)).toBe("longer than 1000 characters");
  expect(faultOf(`${"(".repeat(20)}ok${")".repeat(20)}`)).toBeUndefined();
  expect(faultOf(`${"(".repeat(21)}ok${")".repeat(21)}`)).toBe("more than 20 inside each other");
  expect(faultOf(`${"not ".repeat(99)}ok`)).toBe("more than 20 inside each other");
});

test.each`
  condition                             | bare
  ${"time < 0.001"}                     | ${true}
  ${"0.001 > time"}                     | ${true}
  ${"memory <= 2 * 1000"}               | ${true}
  ${"compute(summed) < 1"}              | ${true}
  ${"ok and (bytes = 0 or memory < 5)"} | ${true}
  ${"time / bytes < 3"}                 | ${true}
  ${"time < start(time)"}               | ${false}
  ${"memory <= 1.03 * best(memory)"}    | ${false}
  ${"time > 0"}                         | ${false}
  ${"bytes <= 1572864"}                 | ${false}
`("whether $condition bounds a modelled figure by a bare number: $bare", ({ condition, bare }) => {
  const parsed = parsePredicate(condition);
  expect(parsed.ok && bareThresholds(parsed.value).length > 0).toBe(bare);
});

test.each`
  condition                       | words
  ${"bytes <= 1572864"}           | ${"sends 3.15 MB, at most 1.57 MB"}
  ${"bytes < 3145728"}            | ${"sends 3.15 MB, wanted less than 3.15 MB"}
  ${"bytes <= 3145727"}           | ${"sends 3\u00a0145\u00a0728\u00a0B, at most 3\u00a0145\u00a0727\u00a0B"}
  ${"count(all-reduce) = 0"}      | ${"all-reduce steps: 1, wanted 0"}
  ${"strategy(y).m = d"}          | ${"m of y is cut by nothing, wanted [d]"}
  ${'layout(x) = "d,_"'}          | ${"x lies cut in dim 2 by d, wanted cut in dim 1 by d"}
  ${'layout(y) = "d,_"'}          | ${"y lies whole, in parts of a sum over d, wanted cut in dim 1 by d"}
  ${"at(1, 3)"}                   | ${"it stands behind hop 2 of step 1, another place is wanted"}
  ${"devices >= 8"}               | ${"devices: 4, at least 8"}
  ${"size(q) = 1"}                | ${"there is no tensor q"}
  ${"not ok"}                     | ${"not wanted: the text has no errors"}
  ${"bytes = 0 or devices = 8"}   | ${"sends 3.15 MB, wanted 0 B, or devices: 4, wanted 8"}
  ${'mesh = "2,2" or mesh = "8"'} | ${"the mesh is 4, wanted 2 × 2, or wanted 8"}
  ${"strategy(y).k != d"}         | ${"k of y is cut by [d], which it should not"}
  ${"same(steps)"}                | ${"another plan than that of the start is on the board: it sends otherwise"}
`("$condition is answered by $words", ({ condition, words }) => {
  const parsed = parsePredicate(condition);
  expect(parsed.ok && conjunctsOf(parsed.value, condition, world)).toMatchObject([
    { isMet: false, words },
  ]);
});

test.each`
  condition                          | words
  ${"count(all-reduce) = 1"}         | ${"all-reduce steps: 1"}
  ${"mesh = start(mesh)"}            | ${"the mesh is 4"}
  ${'mesh = "8" or mesh = "4"'}      | ${"the mesh is 4"}
  ${'layout(x) != "d,_"'}            | ${"x lies cut in dim 2 by d"}
  ${"bytes <= 4000000"}              | ${"sends 3.15 MB, at most 4.00 MB"}
  ${"same(program) and same(lines)"} | ${"the operators and shapes are those of the start"}
`("where $condition holds it says $words, and nothing that is just so", ({ condition, words }) => {
  const parsed = parsePredicate(condition);
  expect(parsed.ok && conjunctsOf(parsed.value, condition, world)[0]).toMatchObject({
    isMet: true,
    words,
  });
});

const halves = (mesh: string, x: string) =>
  compile(`mesh = Mesh(${mesh})\nx = Tensor((8, 8))\nplace(x, layout(${x}))\ny = neg(x)\n`);

test.each`
  mesh          | x                       | condition                     | holds
  ${"t=4"}      | ${'"t", "None"'}        | ${'rest(x) = "d,_"'}          | ${true}
  ${"a=2, b=2"} | ${'("a", "b"), "None"'} | ${'rest(x) = "d,_"'}          | ${true}
  ${"a=2, b=2"} | ${'("b", "a"), "None"'} | ${'rest(x) = "d,_"'}          | ${false}
  ${"a=2, b=2"} | ${'"a", "b"'}           | ${'rest(x) = "d,_"'}          | ${false}
  ${"t=8"}      | ${'"t", "None"'}        | ${'rest(x) = "d,_"'}          | ${false}
  ${"t=4, e=1"} | ${'("t", "e"), "None"'} | ${'rest(x) = "d,_"'}          | ${true}
  ${"t=4"}      | ${'"None", "None"'}     | ${'rest(x) = "_,_"'}          | ${true}
  ${"e=1, t=4"} | ${'"e", "None"'}        | ${'rest(x) != "_,_"'}         | ${false}
  ${"a=2, b=2"} | ${'("a", "b"), "None"'} | ${"strategy(y).a = d"}        | ${true}
  ${"a=2, b=2"} | ${'"a", "None"'}        | ${"strategy(y).a = d"}        | ${false}
  ${"t=4"}      | ${'"t", "None"'}        | ${"rest(x) = start(rest(x))"} | ${true}
`(
  "a layout is as written whoever names the axes: $mesh, $x, $condition",
  ({ mesh, x, condition, holds }) => {
    const first = halves("d=4", '"d", "None"');
    const on: World = { now: { compiled: halves(mesh, x) }, of: () => ({ compiled: first }) };
    expect(valueIn(condition, on)).toBe(holds);
  },
);

test.each([
  [
    "a shape",
    "512, 1024",
    "512, 512",
    'x is a Tensor((512, 512), "bf16"), wanted Tensor((512, 1024), "bf16")',
  ],
  ["a name", "x", "z", "it has no x"],
  ["an operator", "y = matmul(x, w)", "y = relu(matmul(x, w))", "relu: 1, wanted 0"],
  [
    "an input more",
    "y = matmul(x, w)",
    "q = Tensor((1, 1))\ny = matmul(x, w)\nr = relu(q)",
    "q is one more",
  ],
  ["training", "y = matmul(x, w)", "y = matmul(x, w)\ntrain(y)", "it trains otherwise"],
])("another program says what is another: %s", (_, from, to, words) => {
  const compiled = compile(start.source.replaceAll(from, to));
  const parsed = parsePredicate("same(program)");
  const [said] = parsed.ok
    ? conjunctsOf(parsed.value, "same(program)", { ...world, now: { compiled } })
    : [];
  expect(said?.words).toBe(`this is not the program of the start: ${words}`);
});

test("each part between ands is answered by itself", () => {
  const source = "ok and bytes = 0 and (devices = 4 and equal)";
  const parsed = parsePredicate(source);
  const conjuncts = parsed.ok ? conjunctsOf(parsed.value, source, world) : [];
  expect(conjuncts.map(({ condition, isMet }) => [condition, isMet])).toEqual([
    ["ok", true],
    ["bytes = 0", false],
    ["devices = 4", true],
    ["equal", true],
  ]);
});

test.each([
  ["the order of lines", "b = relu(x)\na = gelu(x)\nc = add(a, b)", true],
  ["another wiring", "a = gelu(x)\nb = relu(x)\nc = add(b, b)", false],
  ["another operator", "a = gelu(x)\nb = gelu(x)\nc = add(a, b)", false],
  ["one operator less", "a = gelu(x)\nc = add(a, a)", false],
  ["one operator more", "a = gelu(x)\nb = relu(x)\nc = add(a, b)\nd = relu(c)", false],
  ["training", "a = gelu(x)\nb = relu(x)\nc = add(a, b)\ntrain(c)", false],
  ["a cut", 'mesh = Mesh(p=2)\na = gelu(x)\nb = relu(x)\nc = add(a, b)\nstrategy(a, a="p")', true],
])("same tells %s apart: %s", (_, lines, isSame) => {
  const of = (body: string) => compile(`x = Parameter((8, 4))\n${body}\n`);
  const first = of("a = gelu(x)\nb = relu(x)\nc = add(a, b)");
  const on: World = { now: { compiled: of(lines) }, of: () => ({ compiled: first }) };
  expect(valueIn("same(program)", on)).toBe(isSame);
});

test.each([
  ["d=4, e=1", "4", true],
  ["e=1, d=4", "4", true],
  ["d=2, e=2", "4", false],
  ["d=1", "1", true],
  ["d=1, e=1", "1", true],
])("an axis of one device cuts nothing: Mesh(%s) is %s, %s", (mesh, lengths, isSo) => {
  const compiled = compile(`mesh = Mesh(${mesh})\nx = Tensor((8, 8))\ny = neg(x)\n`);
  const on: World = { now: { compiled }, of: () => undefined };
  expect(valueIn(`mesh = "${lengths}"`, on)).toBe(isSo);
});

/** Attention whose backward pass has additional operators if its rows are cut. */
const attending = `mesh = Mesh(d=4)
x = Tensor((2, 4, 16, 8))
w = Parameter((8, 8))
q = matmul(x, w)
y = attention(q, q, q)
train(y, optimizer="adam")
`;

test.each([
  ["its plan cuts the keys of attention", 'strategy(y, s="d")\n', true],
  ["its plan cuts heads", 'strategy(y, h="d")\n', true],
  ["another optimizer", "", false],
])("same(program) where %s", (_, plan, isSame) => {
  const now = compile(isSame ? `${attending}${plan}` : attending.replace("adam", "sgd"));
  const first = compile(attending);
  const on: World = { now: { compiled: now }, of: () => ({ compiled: first }) };
  expect(valueIn("same(program)", on)).toBe(isSame);
});

const trained = "mesh = Mesh(d=4)\nx = Tensor((8, 4))\ny = gelu(x)\ntrain(y)\n";

test.each([
  ["the plan", `${trained}strategy(y, a="d")\nplace(x, layout("d", "None"))\n`, true, true],
  ["a layout by name", `${trained}rows = layout("d", "None")\nplace(y, rows)\n`, true, true],
  ["comments and spaces", `# "d\n\n${trained.replaceAll(" ", "  ")}# end`, true, true],
  ["an import", `import torch\n${trained}`, true, true],
  ["a plan that is said twice", `${trained}strategy(y, a="d")\nstrategy(y, b="d")\n`, true, true],
  ["the mesh", trained.replace("d=4", "d=2, e=2"), true, true],
  ["an option of the training", trained.replace("train(y)", "train(y, zero=1)"), false, true],
  ["a shape", trained.replace("8, 4", "8, 8"), false, true],
  ["the machine", trained.replace("d=4", 'd=4, hardware="4xH100"'), true, false],
  ["its links", trained.replace("d=4", 'd=4, links={"d": {"bandwidth": 1e12}}'), true, false],
])("same(lines) and same(machine) where %s is another: %#", (_, text, lines, machine) => {
  const first = compile(trained);
  const on: World = { now: { compiled: compile(text) }, of: () => ({ compiled: first }) };
  expect(valueIn("same(lines)", on)).toBe(lines);
  expect(valueIn("same(machine)", on)).toBe(machine);
});

test.each([
  ['rest(x) = "d,_"', "d=2", "x rests cut in dim 1 by d, wanted so on axes of other lengths"],
  ['layout(y) != "_,_"', "d=2", "y lies whole, which it should not"],
  ["ok", "d=3", /^an error stands: .*[^.]$/u],
])("%s of a plan with %s is said once: %s", (condition, mesh, words) => {
  const on = (axes: string, more: string) =>
    compile(`mesh = Mesh(${axes})\nx = Tensor((8, 8))\ny = neg(x)\n${more}`);
  const plan = 'place(x, layout("d", "None"))\nstrategy(y)\nplace(y, layout("None", "None"))\n';
  const compiled = on(mesh, `${plan}${mesh === "d=3" ? 'strategy(y, q="d")\n' : ""}`);
  const parsed = parsePredicate(condition);
  const world: World = { now: { compiled }, of: () => ({ compiled: on("d=4", plan) }) };
  const [said] = parsed.ok ? conjunctsOf(parsed.value, condition, world) : [];
  expect(said?.isMet).toBe(false);
  expect(said?.words).toEqual(typeof words === "string" ? words : expect.stringMatching(words));
});

test("quotes and grouped digits make no other line, and another one is said as it is written", () => {
  const of = (text: string) => compile(`mesh = Mesh(d=4)\n${text}`);
  const first = of('x = Parameter((1024, 4), "bf16")\ny = gelu(x)\ntrain(y, optimizer="adam")\n');
  const said = (condition: string, text: string) => {
    const parsed = parsePredicate(condition);
    const on: World = { now: { compiled: of(text) }, of: () => ({ compiled: first }) };
    return parsed.ok ? conjunctsOf(parsed.value, condition, on) : [];
  };
  const alike = "x = Parameter((1_024, 4), 'bf16')\ny = gelu(x)\ntrain(y, optimizer='adam')\n";
  expect(said("same(lines)", alike)).toMatchObject([{ isMet: true }]);
  const other = alike.replace("adam", "sgd");
  expect(said("same(lines) and same(program)", other)).toMatchObject([
    { isMet: false, words: expect.stringContaining("train(y, optimizer='sgd') does not stand") },
    { isMet: false, words: expect.stringContaining("its optimizer is sgd, wanted adam") },
  ]);
});

test("same tells shapes and inputs apart", () => {
  const of = (text: string) => compile(text);
  const first = of("x = Tensor((8, 4))\nz = Tensor((8, 4))\ny = add(x, gelu(z))\n");
  const on = (text: string): World => ({
    now: { compiled: of(text) },
    of: () => ({ compiled: first }),
  });
  expect(valueIn("same", on("x = Tensor((8, 2))\nz = Tensor((8, 2))\ny = add(x, gelu(z))\n"))).toBe(
    false,
  );
  expect(valueIn("same", on("x = Tensor((8, 4))\nz = Tensor((8, 4))\ny = add(x, gelu(x))\n"))).toBe(
    false,
  );
  expect(valueIn("same", on("z = Tensor((8, 4))\nx = Tensor((8, 4))\ny = add(x, gelu(z))\n"))).toBe(
    true,
  );
});

test("a figure is a number or a text, never true or false", () => {
  expect(parseFigure("ok").ok).toBe(false);
  expect(parseFigure("1.03 * best(memory)").ok).toBe(true);
  expect(parseFigure("layout(y)").ok).toBe(true);
});
