import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { fileOf } from "../published.testing.ts";
import { readStablehlo } from "../stablehlo/read-stablehlo.ts";
import { laidBeside, ownCollectives } from "./beside.ts";
import { readHlo } from "./read-hlo.ts";

const folder = join(import.meta.dirname, "fixtures");

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function read(text: string) {
  const made = readHlo(fileOf("compiled.hlo", text));
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return made.value;
}

/** A compiled program compared with the plan of its source program. */
function besideOf(name: string) {
  const made = readStablehlo(fileOf(`${name}.mlir`, textOf(`${name}.mlir`)));
  const compiled = compile((made.ok && made.value.program) || "");
  const { collectives = [] } = read(textOf(`${name}.hlo`));
  const own = ownCollectives(compiled.program);
  return { collectives, own, beside: laidBeside(collectives, own) };
}

const names = [
  ...["tensor-parallel", "tensor-parallel-bf16", "data-parallel-step", "sharded-parameters"],
  ...["tensor-parallel-step", "gather", "turn", "scatter", "layers-step", "lookup", "mean"],
];

// Collective, bytes × times, devices per group; after `|` its counterpart in the plan.
test.each`
  name                      | lines
  ${"tensor-parallel"}      | ${["all-reduce 192×1 4 | dot_general_2"]}
  ${"tensor-parallel-bf16"} | ${["all-reduce 192×1 4 | XLA moves it in f32, 192 bytes where ours are 96"]}
  ${"data-parallel-step"}   | ${["all-reduce 512×1 2 | dot_general_3", "all-reduce 512×1 2 | dot_general_5"]}
  ${"gather"}               | ${["all-gather 32×1 2 | mul"]}
  ${"turn"}                 | ${["all-to-all 64×1 2 | mul"]}
  ${"scatter"}              | ${["all-reduce 384×1 4 | XLA all-reduces and keeps a part where ours reduce-scatters"]}
  ${"mean"}                 | ${["all-reduce 6×1 4 | XLA sums in two stages where ours sums at once over 8 devices", "all-reduce 4×1 2 | XLA sums in two stages where ours sums at once over 8 devices"]}
  ${"lookup"}               | ${["all-gather 384×1 4 | gather"]}
`("$name is what XLA made of it", ({ name, lines }) => {
  const { rows, onlyOurs } = besideOf(name).beside;
  expect(onlyOurs).toEqual([]);
  expect(
    rows.map(({ kind, bytes, times, groupSize, ours, difference }) =>
      [kind, `${bytes}×${times}`, groupSize, "|", difference ?? ours.join()].join(" "),
    ),
  ).toEqual(lines);
});

test("a collective inside a loop counts as often as the loop runs, forwards and backwards", () => {
  const { rows, onlyOurs } = besideOf("layers-step").beside;
  expect(rows.map(({ phase, times, ours }) => [phase, times, ours.length])).toEqual([
    ["forward", 3, 3],
    ["backward", 3, 3],
    ["backward", 3, 3],
    ["backward", 3, 3],
  ]);
  expect([...rows, ...onlyOurs].flatMap(({ difference }) => difference ?? [])).toEqual([]);
});

test.each(names)("%s: nothing is lost, and every difference has a name", (name) => {
  const { collectives, own, beside } = besideOf(name);
  expect(beside.rows.length).toBe(collectives.length);
  for (const { times, ours, difference } of beside.rows) {
    expect(ours.length >= times || difference !== undefined).toBe(true);
  }
  const taken = beside.rows.reduce((sum, { ours }) => sum + ours.length, 0);
  expect(taken + beside.onlyOurs.length).toBe(own.length);
  expect(beside.onlyOurs.every(({ difference }) => difference !== "")).toBe(true);
});

const moduleOf = (line: string) =>
  `HloModule m, num_partitions=8\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n  ROOT %r = ${line}\n}\n`;

test.each`
  line                                                                                                      | groups    | elements
  ${"f32[8]{0} all-reduce(%p), replica_groups={{0,1,2,3},{4,5,6,7}}, to_apply=%add"}                        | ${[4, 2]} | ${12}
  ${"f32[8]{0} all-reduce(%p), replica_groups=[2,4]<=[8], to_apply=%add"}                                   | ${[4, 2]} | ${12}
  ${"f32[8]{0} all-reduce(%p), replica_groups=[4,2]<=[2,4]T(1,0), to_apply=%add"}                           | ${[2, 4]} | ${8}
  ${"f32[8]{0} all-reduce(%p), replica_groups={}, to_apply=%add"}                                           | ${[8, 1]} | ${14}
  ${"f32[8]{0} all-reduce(%p), replica_groups=mesh['a'=2,'b'=4] {'a','b'}, to_apply=%add"}                  | ${[8, 1]} | ${14}
  ${"f32[8]{0} all-reduce(%p), replica_groups=mesh['a'=2,'b'=4] {'b':(1)2}, to_apply=%add"}                 | ${[2, 4]} | ${8}
  ${"(f32[2]{0}, f32[8]{0:T(128)}) all-gather-start(%p), replica_groups=[2,4]<=[8]"}                        | ${[4, 2]} | ${6}
  ${"f32[2]{0} reduce-scatter(%p), replica_groups=[2,4]<=[8], to_apply=%add"}                               | ${[4, 2]} | ${6}
  ${"(f32[2]{0}, f32[2]{0}) all-to-all(%a, %b), replica_groups=[4,2]<=[8]"}                                 | ${[2, 4]} | ${2}
  ${"(f32[8]{0}, f32[8]{0}, u32[], u32[]) collective-permute-start(%p), source_target_pairs={{0,1},{1,0}}"} | ${[2, 2]} | ${8}
`("$line", ({ line, groups, elements }) => {
  const { collectives = [], notes } = read(moduleOf(line));
  expect(collectives.map((each) => [[each.groupSize, each.groups], each.elements])).toEqual([
    [groups, elements],
  ]);
  expect(notes).toEqual([]);
});

test("what is not said is named: runs of a loop, groups of another form", () => {
  const odd = read(moduleOf("f32[8]{0} all-reduce(%p), replica_groups=somehow, to_apply=%add"));
  expect(odd.notes.map(({ message }) => message)).toEqual([
    "not modelled: the groups of an all-reduce",
  ]);
  const loop = `HloModule m\n%body (p: f32[8]) -> f32[8] {\n  ROOT %r = f32[8]{0} all-reduce(%p), replica_groups={{0,1}}, to_apply=%add\n}\nENTRY %main (p: f32[8]) -> f32[8] {\n  ROOT %w = f32[8]{0} while(%p), condition=%c, body=%body\n}\n`;
  expect(read(loop).notes.map(({ message }) => message)).toEqual([
    "not modelled: how often a loop runs, which counts once",
  ]);
});

test("names are paths without what JAX's transformations add", () => {
  const path = 'metadata={op_name="jit(step)/transpose(jvp(Net))/Dense_0/while/body/dot_general"}';
  const line = `f32[8]{0} all-reduce(%p), replica_groups={}, ${path}`;
  expect(read(moduleOf(line)).collectives).toMatchObject([
    { name: "Net/Dense_0/dot_general", phase: "backward" },
  ]);
});

test.each`
  what                         | text               | why
  ${"a text without an entry"} | ${"HloModule m\n"} | ${"it has no ENTRY computation"}
`("$what is refused", ({ text, why }) => {
  const made = readHlo(fileOf("m.hlo", text));
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

test("computations that call each other, or double, end", () => {
  const call = (to: string) => `f32[8]{0} call(%p), to_apply=%${to}`;
  const comp = (name: string, to: string) =>
    `%${name} (p: f32[8]) -> f32[8] {\n  %a = ${call(to)}\n  ROOT %b = ${call(to)}\n}\n`;
  const chain = Array.from({ length: 60 }, (_, at) => comp(`c${at}`, `c${at + 1}`)).join("");
  const entry = `ENTRY %main (p: f32[8]) -> f32[8] {\n  ROOT %r = ${call("c0")}\n}\n`;
  expect(read(`HloModule m\n${chain}${entry}`).notes.length).toBe(1);
  expect(read(`HloModule m\n${comp("c0", "c0")}${entry}`).notes.length).toBe(1);
});

test("a damaged text is read or refused", () => {
  const lines = textOf("layers-step.hlo").split("\n");
  const property = fc.property(fc.nat(lines.length), fc.nat(9), (from, count) => {
    const made = readHlo(fileOf("m.hlo", lines.toSpliced(from, count + 1).join("\n")));
    expect(made.ok || made.diagnostics[0]?.code === "published/refused").toBe(true);
  });
  fc.assert(property, { seed: 1 });
});
