import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileOf } from "../published.testing.ts";
import { type RecordedName, recordedNumbers, resultsOf } from "../stablehlo/recorded.testing.ts";
import { readJaxpr } from "./read-jaxpr.ts";

const folder = join(import.meta.dirname, "../stablehlo/fixtures");
const textOf = (name: RecordedName) => readFileSync(join(folder, `${name}.jaxpr`), "utf8");

function read(text: string) {
  const made = readJaxpr(fileOf("", text));
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return { ...made.value, program: made.value.program ?? "" };
}

const names: readonly RecordedName[] = [
  "mlp",
  "attention",
  "layers",
  "language",
  "flax",
  "sharded",
];

test.each(names)("the jaxpr of %s computes what JAX computes", (name) => {
  const recorded = recordedNumbers(name);
  const { program, notes } = read(textOf(name));
  expect(notes).toEqual([]);
  const { results, assumed } = resultsOf(program, recorded.arguments);
  expect(assumed.map((each) => each.name)).toEqual([]);
  expect(results.length).toBe(recorded.results.length);
  for (const [at, { values }] of results.entries()) {
    const own = recorded.results[at] ?? [];
    expect(values.length).toBe(own.length);
    for (const [index, value] of values.entries()) {
      const other = own[index] ?? Number.NaN;
      expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(other)));
    }
  }
});

test("a scan is a loop, equal functions are one, and constraints are places on the mesh", () => {
  expect(read(textOf("layers")).program).toMatch(/^for i in range\(3\):$/mu);
  const sharded = read(textOf("sharded")).program;
  expect(sharded).toContain("mesh = Mesh(data=2, model=4)");
  expect(sharded).toMatch(/^place\(\w+, layout\("data", "model"\)\)$/mu);
});

test("a primitive that nothing stands for is counted by its name", () => {
  const text = "{ lambda ; a:f32[2,3]. let\n    b:f32[2,3] = erf_inv a\n  in (b,) }\n";
  const { notes, program } = read(text);
  expect(notes.map(({ message }) => message)).toEqual([
    "operators that nothing here stands for, which are not cut: jax.erf_inv (1)",
  ]);
  expect(program).toContain("# annotation: 2^ 3^ -> 2^ 3^");
});

const deep = (depth: number): string =>
  depth === 0
    ? "{ lambda ; a:f32[2]. let\n b:f32[2] = sin a\n in (b,) }"
    : `{ lambda ; a:f32[2]. let\n b:f32[2] = jit[\n name=f\n jaxpr=${deep(depth - 1)}\n ] a\n in (b,) }`;

test.each`
  what                         | text                                                         | why
  ${"no results"}              | ${"{ lambda ; a:f32[2]. let\n b:f32[2] = sin a\n"}           | ${"it does not end"}
  ${"no equation"}             | ${"{ lambda ; a:f32[2]. let\n what is this\n in (a,) }"}     | ${"is no equation"}
  ${"a variable out of reach"} | ${"{ lambda ; a:f32[2]. let\n b:f32[2] = sin z\n in (b,) }"} | ${'"z" is read before it is made'}
  ${"brackets that stay open"} | ${"{ lambda ; a:f32[2]. let\n b:f32[2] = sin[a=( a\n in"}    | ${"a bracket in it does not end"}
  ${"functions too deep"}      | ${deep(70)}                                                  | ${"too deep"}
`("$what is refused", ({ text, why }) => {
  const made = readJaxpr(fileOf("", text));
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

test("a jaxpr that is cut off anywhere, or changed, is read or refused, and never throws", () => {
  const whole = textOf("layers");
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.nat(whole.length),
      fc.string({ maxLength: 3 }),
      (from, to, more) => {
        const text = whole.slice(0, from) + more + whole.slice(to);
        const made = readJaxpr(fileOf("", text));
        expect(made.ok || made.diagnostics[0]?.code === "published/refused").toBe(true);
      },
    ),
    { seed: 4, numRuns: 200 },
  );
});

test("more than 64 MiB are refused unread", () => {
  const file = fileOf("", "{ lambda ; a:f32[2]. let in (a,) }", 64 * 2 ** 20 + 1);
  expect(readJaxpr(file).diagnostics[0]?.message).toContain("64 MiB");
});
