import { expect, test } from "vitest";
import { bytesOf, entries, entryOf, type LibraryEntry } from "#core/ir";
import { type Definition, type Expr, type Loop, operatorBody, usedTables } from "#core/ir/body";
import { passedValue } from "../mesh/layouts.testing.ts";
import { type ProductSizes, productsByDefinition } from "./contraction.ts";
import { entryOperator } from "./entry-operator.testing.ts";
import { type Kernel, operationsOf } from "./kernel.ts";
import { kernelSeconds } from "./kernel-seconds.ts";
import { kernelsOf } from "./kernels-of.ts";
import type { LocalOperator } from "./local-operator.ts";
import { fromSheet } from "./machines/hardware.ts";
import { hardwareOf, parseMachine } from "./machines/machine.ts";

const sheet = fromSheet({
  name: "sheet",
  flops: 1e15,
  peaks: { f32: 1e14, tf32: 1e14 },
  memoryBytes: 80e9,
  memoryBandwidth: 3e12,
  link: { latency: 0, bandwidth: 1 },
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const secondsOf = (kernels: readonly Kernel[]) =>
  sum(kernels.map((kernel) => kernelSeconds(kernel, sheet)));

/** Sizes that are large, and all of them different. */
const sizes: Readonly<Record<string, number>> = { a: 48, b: 40, c: 64, e: 32, d: 24, h: 8, l: 56 };
const sampleOf = (entry: LibraryEntry) =>
  entryOperator(
    entry,
    entry.sample((size, multipleOf = 1) => (sizes[size] ?? 16) * multipleOf),
  );

/** A product as a kernel without bytes. */
const productOf = (lengths: ProductSizes): Kernel => ({
  ...lengths,
  class: "product",
  arithmetic: "f32",
  isAligned: true,
  bytes: 0,
});

const trafficSeconds = (elements: number) =>
  secondsOf([{ class: "traffic", kind: "elementwise", bytes: elements * bytesOf("f32") }]);

/**
 * Seconds of unfused code: one kernel per product and per applied function, each reading and
 * writing memory.
 */
function unfusedSeconds(local: LocalOperator): number {
  const { body } = operatorBody(local.operator, local.shapeOf);
  const made = productsByDefinition(local);
  const given = sum(local.inputs.map(({ elements }) => elements));
  const ofDefinition = (definition: Definition, kept: number) => {
    const product = [...made].find(([{ value }]) => value === definition.value)?.[1];
    if (product !== undefined)
      return secondsOf([productOf(product)]) + trafficSeconds(given + kept);
    const points = lengthOf(definition.over, local) * kept;
    return trafficSeconds((1 + passesOf(definition.value)) * points);
  };
  const results = Math.max(...local.outputs.map(({ elements }) => elements));
  return sum([
    ...usedTables(body).map((table) => ofDefinition(table, lengthOf(table.axes, local))),
    ...body.outputs.map((output) => ofDefinition(output, results)),
  ]);
}

/** Number of memory reads and writes if an expression is evaluated one function at a time. */
function passesOf(expr: Expr): number {
  if (expr.kind === "apply") return 1 + sum(expr.args.map(passesOf));
  return expr.kind === "read" || expr.kind === "table" ? 1 : 0;
}

const lengthOf = (loops: readonly Loop[], local: LocalOperator) =>
  loops.reduce((all, { axis, size }) => all * (size ?? local.sizeOf(axis)), 1);

test.each(entries.map((entry) => ({ name: entry.name, entry })))(
  "$name takes no longer than its parts one by one",
  ({ entry }) => {
    const local = sampleOf(entry);
    expect(secondsOf(kernelsOf(local))).toBeLessThanOrEqual(unfusedSeconds(local) * (1 + 1e-9));
  },
);

/** Products that every point of the index space takes: none that a condition leaves out. */
const unguarded = ({ value }: Definition) => value.kind === "apply" && value.function === "mul";

test.each(entries.map((entry) => ({ name: entry.name, entry })))(
  "$name multiplies at least what the products of its body do",
  ({ entry }) => {
    const local = sampleOf(entry);
    const kernels = kernelsOf(local);
    const visible = Math.min(
      1,
      ...kernels.map((kernel) => ("visible" in kernel ? kernel.visible : 1)),
    );
    const products = [...productsByDefinition(local)].filter(([definition]) =>
      unguarded(definition),
    );
    const least = sum(products.map(([, lengths]) => operationsOf(productOf(lengths))));
    expect(sum(kernels.map(operationsOf))).toBeGreaterThanOrEqual(visible * least * (1 - 1e-9));
  },
);

test("no kernel of a measured chip takes less than its own start", () => {
  const hardware = hardwareOf(passedValue(parseMachine("8xH100")));
  const small = (entry: LibraryEntry) => [
    entryOperator(
      entry,
      entry.sample((_, multipleOf = 1) => 2 * multipleOf),
    ),
    sampleOf(entry),
  ];
  const short = entries.flatMap((entry) =>
    small(entry)
      .flatMap(kernelsOf)
      .filter(({ share }) => share === undefined)
      .filter((kernel) => kernelSeconds(kernel, hardware) < 2e-6)
      .map(({ class: kind }) => `${entry.name}: ${kind}`),
  );
  expect([...new Set(short)]).toEqual([]);
});

const attributesOf = (text: string) => (text === "" ? {} : JSON.parse(text));

test.each`
  name                    | inputs                                              | attributes                       | operations
  ${"matmul"}             | ${[[3, 5, 7], [7, 11]]}                             | ${""}                            | ${2 * 3 * 5 * 7 * 11}
  ${"linear"}             | ${[[3, 5, 7], [11, 7], [11]]}                       | ${""}                            | ${2 * 3 * 5 * 7 * 11}
  ${"addmm"}              | ${[[5, 11], [5, 7], [7, 11]]}                       | ${""}                            | ${2 * 5 * 7 * 11}
  ${"einsum"}             | ${[[3, 5, 7], [3, 7, 11]]}                          | ${'{"equation":"bij,bjk->bik"}'} | ${2 * 3 * 5 * 7 * 11}
  ${"einsum"}             | ${[[5, 7], [7, 11], [11, 13]]}                      | ${'{"equation":"ab,bc,cd->ad"}'} | ${2 * 5 * 11 * (7 + 13)}
  ${"einsum"}             | ${[[5, 7], [5, 7]]}                                 | ${'{"equation":"ab,ab->ab"}'}    | ${0}
  ${"attention"}          | ${[[2, 3, 32, 8], [2, 3, 64, 8], [2, 3, 64, 16]]}   | ${""}                            | ${2 * 6 * 32 * 64 * (8 + 16)}
  ${"attention"}          | ${[[2, 6, 64, 8], [2, 3, 64, 8], [2, 3, 64, 8]]}    | ${'{"is_causal":true}'}          | ${12 * 64 * 64 * 2 * 8}
  ${"attention_backward"} | ${[[3, 32, 8], [3, 32, 8], [3, 32, 8], [3, 32, 8]]} | ${'{"operand":0}'}               | ${2.5 * 4 * 3 * 32 * 32 * 8}
  ${"conv2d"}             | ${[[2, 3, 32, 32], [16, 3, 8, 8]]}                  | ${'{"stride":8}'}                | ${2 * (2 * 16 * 4 * 4) * (3 * 8 * 8)}
  ${"conv2d"}             | ${[[2, 8, 16, 16], [8, 1, 3, 3]]}                   | ${'{"padding":1,"groups":8}'}    | ${2 * (2 * 8 * 16 * 16) * 9}
  ${"conv2d_backward"}    | ${[[2, 16, 4, 4], [2, 3, 32, 32], [16, 3, 8, 8]]}   | ${'{"stride":8,"operand":0}'}    | ${2 * (2 * 16 * 4 * 4) * (3 * 8 * 8)}
  ${"conv2d_backward"}    | ${[[2, 16, 4, 4], [2, 3, 32, 32], [16, 3, 8, 8]]}   | ${'{"stride":8,"operand":1}'}    | ${2 * (2 * 16 * 4 * 4) * (3 * 8 * 8)}
  ${"conv_transpose2d"}   | ${[[2, 4, 8, 8], [4, 6, 2, 2]]}                     | ${'{"stride":2}'}                | ${2 * (2 * 4 * 8 * 8) * (6 * 2 * 2)}
  ${"embedding"}          | ${[[5], [1000, 8]]}                                 | ${""}                            | ${0}
  ${"layer_norm"}         | ${[[5, 64], [64], [64]]}                            | ${""}                            | ${0}
`("$name of $inputs $attributes takes $operations operations", (row) => {
  const entry = required(entryOf(row.name));
  const local = entryOperator(entry, {
    inputs: row.inputs,
    attributes: attributesOf(row.attributes),
  });
  expect(sum(kernelsOf(local).map(operationsOf))).toBeCloseTo(row.operations, 6);
});

/** Bytes of a call's kernels in elements of its dtype. */
test.each`
  name                     | inputs                            | attributes           | elements
  ${"add"}                 | ${[[8, 64], [8, 64]]}             | ${""}                | ${3 * 8 * 64}
  ${"add"}                 | ${[[8, 64], [1, 64]]}             | ${""}                | ${(2 * 8 + 1) * 64}
  ${"embedding"}           | ${[[8], [1000, 64]]}              | ${""}                | ${2 * 8 * 64 + 8}
  ${"permute"}             | ${[[8, 64]]}                      | ${'{"dims":[1,0]}'}  | ${0}
  ${"expand"}              | ${[[1, 64]]}                      | ${'{"size":[8,64]}'} | ${0}
  ${"sum"}                 | ${[[8, 64]]}                      | ${'{"dim":1}'}       | ${8 * 64 + 8}
  ${"softmax"}             | ${[[8, 64]]}                      | ${'{"dim":-1}'}      | ${2 * 8 * 64}
  ${"adamw"}               | ${[[64], [64], [64], [64]]}       | ${""}                | ${7 * 64}
  ${"sgd"}                 | ${[[64], [64]]}                   | ${""}                | ${3 * 64}
  ${"layer_norm_backward"} | ${[[8, 64], [8, 64], [64], [64]]} | ${'{"operand":0}'}   | ${5 * 8 * 64}
`("$name of $inputs $attributes moves $elements elements", (row) => {
  const entry = required(entryOf(row.name));
  const local = entryOperator(entry, {
    inputs: row.inputs,
    attributes: attributesOf(row.attributes),
  });
  expect(sum(kernelsOf(local).map(({ bytes }) => bytes))).toBe(4 * row.elements);
});

/**
 * Attention with rows cut over two devices: the device with the last rows sees the most columns.
 */
test("where rows are cut, the device with the last ones decides", () => {
  const shapes = [1, 2, 3].map(() => [2, 64, 8]);
  const entry = required(entryOf("attention"));
  const whole = entryOperator(entry, { inputs: shapes, attributes: { is_causal: true } });
  const [q, ...rest] = whole.inputs;
  const half = { ...required(q), shape: [2, 32, 8] };
  const [kernel] = kernelsOf({ ...whole, inputs: [half, ...rest] });
  expect(kernel).toMatchObject({ queries: 32, keys: 64, visible: 0.75 });
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("absent");
  return value;
}
