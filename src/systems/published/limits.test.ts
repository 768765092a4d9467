import { expect, test } from "vitest";
import type { ReadPublished } from "./format.ts";
import { readHlo } from "./hlo/read-hlo.ts";
import { readJaxpr } from "./jaxpr/read-jaxpr.ts";
import { readOnnx } from "./onnx/read-onnx.ts";
import { fileOf } from "./published.testing.ts";
import { readStablehlo } from "./stablehlo/read-stablehlo.ts";
import { readIndex } from "./weights/read-weights.ts";

/** An ONNX message with an inner message repeated, nested in outer ones. */
function repeated(inner: readonly number[], count: number, around: readonly number[]): Uint8Array {
  let bytes = Uint8Array.from(
    { length: inner.length * count },
    (_, at) => inner[at % inner.length] ?? 0,
  );
  for (const field of around) {
    const length: number[] = [];
    for (let left = bytes.length; left > 0 || length.length === 0; left = Math.floor(left / 128)) {
      length.push((left % 128) | (left >= 128 ? 128 : 0));
    }
    bytes = Uint8Array.from([(field << 3) | 2, ...length, ...bytes]);
  }
  return bytes;
}

const lines = (line: string, count: number) => `${line}\n`.repeat(count);

const manyEquations = `{ lambda ; a:f32[2]. let\n${lines("b:f32[2] = sin a", 200_001)} in (b,) }`;

test.each<
  readonly [string, ReadPublished, string, string | Uint8Array, number | undefined, string]
>([
  ["a compiled program of 2 GiB", readHlo, "m.hlo", "HloModule m", 2 ** 31, "at most 64 MiB"],
  ["an index of 2 GiB", readIndex, "index.json", "{}", 2 ** 31, "at most 64 MiB"],
  [
    "a module of many lines",
    readStablehlo,
    "m.mlir",
    lines("", 2_000_001),
    undefined,
    "2,000,000 lines",
  ],
  [
    "a graph of many operators",
    readOnnx,
    "m.onnx",
    repeated([0x0a, 0], 200_001, [7]),
    undefined,
    "200,000 entries",
  ],
  [
    "an operator of many values",
    readOnnx,
    "m.onnx",
    repeated([0x0a, 0], 5_000, [1, 7]),
    undefined,
    "too many values",
  ],
  ["a jaxpr of many equations", readJaxpr, "m.txt", manyEquations, undefined, "200,000 equations"],
  [
    "an index of brackets inside of each other",
    readIndex,
    "index.json",
    `{"weight_map": {"a": ${"[".repeat(600)}${"]".repeat(600)}}}`,
    undefined,
    "no weight_map",
  ],
])("%s is refused", (_, read, name, content, size, why) => {
  const made = read(fileOf(name, content, size), {});
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

test("of more collectives than are listed the rest is named", () => {
  const row = "  %r = f32[8]{0} all-reduce(%p), replica_groups={{0,1}}, to_apply=%add";
  const text = `HloModule m, num_partitions=2\n\nENTRY %main (p: f32[8]) -> f32[8] {\n${lines(row, 20_001)}}\n`;
  const made = readHlo(fileOf("m.hlo", text));
  expect(made.ok && made.value.collectives?.length).toBe(20_000);
  expect(made.ok && made.value.notes[0]?.message).toContain("more than 20,000 collectives");
});

test("a constant of many megabytes is passed over, whole", () => {
  const bytes = '"0x' + "00".repeat(2 ** 23) + '"';
  const text = `module @m {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<${bytes}> : tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
`;
  const read = readStablehlo(fileOf("m.mlir", text));
  expect(read.ok && read.value.program).toContain("arg0 +");
});

test("a loop of more runs than a loop has is named", () => {
  const text = (count: string) =>
    `HloModule m, num_partitions=8\n\n%body (p: f32[8]) -> f32[8] {\n  ROOT %r = f32[8] all-reduce(%p), replica_groups={{0,1}}\n}\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  ROOT %w = f32[8] while(%p), condition=%c, body=%body, backend_config={"known_trip_count":{"n":"${count}"}}\n}\n`;
  const timesOf = (count: string) => {
    const read = readHlo(fileOf("m.hlo", text(count)));
    return read.ok && [read.value.collectives?.[0]?.times, read.value.notes.length];
  };
  expect(timesOf("1000")).toEqual([1000, 0]);
  expect(timesOf("9".repeat(21))).toEqual([1, 1]);
});
