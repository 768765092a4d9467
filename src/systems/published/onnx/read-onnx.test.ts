import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { PbfWriter } from "pbf";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { fileOf } from "../published.testing.ts";
import { resultsOf } from "../stablehlo/recorded.testing.ts";
import { readOnnx } from "./read-onnx.ts";

const folder = join(import.meta.dirname, "fixtures");

interface Recorded {
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly weights: Readonly<Record<string, readonly number[]>>;
  readonly results: readonly (readonly number[])[];
}

function read(name: string, choice = {}) {
  const made = readOnnx(fileOf(`${name}.onnx`, readFileSync(join(folder, `${name}.onnx`))), choice);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return { ...made.value, program: made.value.program ?? "" };
}

/** The numbers of the program's inputs and parameters, in the order of its lines. */
function givenOf(program: string, { inputs, weights }: Recorded): readonly (readonly number[])[] {
  const named = new Map(
    Object.entries({ ...inputs, ...weights }).map(([name, numbers]) => [
      name.replaceAll(/[^A-Za-z0-9]+/gu, "_"),
      numbers,
    ]),
  );
  return [...program.matchAll(/^(\w+) = (?:Parameter|Tensor)\(/gmu)].map(
    ([, name = ""]) => named.get(name) ?? [],
  );
}

test.each`
  name              | choice
  ${"mlp"}          | ${{ batch: 2 }}
  ${"attention"}    | ${{}}
  ${"convolutions"} | ${{}}
  ${"words"}        | ${{ batch: 2, sequence: 4 }}
  ${"block"}        | ${{ batch: 2 }}
`("$name computes what onnx's own reference computes", ({ name, choice }) => {
  const recorded: Recorded = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const { program, notes } = read(name, choice);
  expect(notes).toEqual([]);
  const { results, assumed } = resultsOf(program, givenOf(program, recorded));
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

test("weights are parameters of the file's names, and open dims are names with chosen sizes", () => {
  const { program, parameters, choice } = read("mlp", { batch: 32 });
  expect(program).toContain("batch = 32\n");
  expect(program).toContain('x = Tensor((batch, 8), "f32")');
  expect(program).toContain('fc1_weight = Parameter((16, 8), "f32")');
  expect(parameters).toBe(16 * 8 + 3 * 16 + 16 * 4);
  // The model has no rows of tokens and no loss, so the batch is the only choice.
  expect(choice).toEqual({ batch: 32 });
});

test("shapes that a graph works out are arithmetic of its inputs' shapes", () => {
  expect(read("attention").program).toContain("q.reshape(x.shape[0], x.shape[1], 2, 4)");
});

test("an operator that nothing stands for is counted, and registered where all shapes are said", () => {
  const { program, notes } = read("unheard");
  expect(notes.map(({ code, message }) => [code, message])).toEqual([
    [
      "published/unknown-operator",
      "operators that nothing here stands for, which are not cut: Resize (1), com.example.Own (1)",
    ],
  ]);
  expect(program).toContain("# annotation: 1^ 2^ 4^ 4^, 4^ -> 1^ 2^ 8^ 8^\ndef Resize(x0, x1):");
  const { graph, diagnostics } = compile(program);
  expect(hasErrors(diagnostics)).toBe(false);
  expect(graph.operators.map(({ name }) => name)).toContain("z");
});

/** Messages nested by field number around some bytes. */
function nested(fields: readonly number[], inner: Uint8Array): Uint8Array {
  return fields.reduceRight((bytes, field) => {
    const pbf = new PbfWriter();
    pbf.writeBytesField(field, bytes);
    return pbf.finish();
  }, inner);
}

/** A field whose length exceeds the data. */
function longer(field: number, length: number): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeVarint((field << 3) | 2);
  pbf.writeVarint(length);
  return pbf.finish();
}

test.each`
  what                           | bytes
  ${"nothing"}                   | ${new Uint8Array()}
  ${"a text"}                    | ${new TextEncoder().encode("this is no model of any kind")}
  ${"zeros"}                     | ${new Uint8Array(1000)}
  ${"a graph of 2 GiB"}          | ${longer(7, 2 ** 31)}
  ${"a weight of 2 GiB"}         | ${nested([7], longer(5, 2 ** 31))}
  ${"a name of 2 GiB"}           | ${nested([7, 1], longer(4, 2 ** 31))}
  ${"graphs inside each other"} | ${nested(Array.from({ length: 2000 }, () => 7), new Uint8Array())}
  ${"a million dims"}            | ${nested([7, 5, 1], new Uint8Array(1_000_000))}
  ${"an attribute of a million"} | ${nested([7, 1, 5, 8], new Uint8Array(1_000_000))}
  ${"a graph without operators"} | ${nested([7, 2], new TextEncoder().encode("g"))}
`("$what is refused, with little memory", ({ bytes }) => {
  const made = readOnnx(fileOf("m.onnx", bytes), {});
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
});

test("a file that is larger than any graph is refused unread", () => {
  expect(readOnnx({ ...fileOf("m.onnx", ""), size: 2 ** 31 }, {}).ok).toBe(false);
});

test("a damaged file is read or refused, and ends", () => {
  const files = ["mlp", "attention", "convolutions", "words"].map((name) =>
    readFileSync(join(folder, `${name}.onnx`)),
  );
  const property = fc.property(
    fc.nat(3),
    fc.nat(),
    fc.nat(255),
    fc.boolean(),
    (which, at, byte, cut) => {
      const whole = Uint8Array.from(files[which] ?? []);
      const index = at % whole.length;
      const bytes = cut ? whole.slice(0, index) : whole.with(index, byte);
      const made = readOnnx(fileOf("m.onnx", bytes), {});
      expect(made.ok || made.diagnostics[0]?.code === "published/refused").toBe(true);
    },
  );
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 20_000 : 1000 });
});
