import { expect, test } from "vitest";
import {
  type Argument,
  bindAnnotation,
  indexAxesOf,
  operandDims,
  parseAnnotation,
  parseSplit,
  type Split,
} from "#core/dimops";
import { tensorId } from "#core/ir";
import { fusedPair } from "./fused-pair.ts";
import { autodistOptions } from "./plans/policy-plans.ts";

function optionsOf(annotation: string, shapes: readonly (readonly number[])[], devices: number) {
  const parsed = parseAnnotation(annotation);
  if (!parsed.ok) throw new Error(annotation);
  const bound = bindAnnotation(
    parsed.value,
    shapes.map((shape): Argument => ({ kind: "tensor", shape })),
    {},
  );
  if (!bound.ok) throw new Error(bound.diagnostics[0]?.message);
  const { value } = bound;
  const inputs = shapes.map((_, at) => ({
    tensor: tensorId(`t${at}`),
    dims: operandDims(value, at),
  }));
  return autodistOptions({ axes: indexAxesOf(value), inputs }, devices);
}

// dimops.md §7, "Search space"
test.each`
  annotation             | shapes               | devices | options
  ${"m k+, k+ n -> m n"} | ${[[4, 8], [8, 16]]} | ${4}    | ${["m", "k", "n"]}
  ${"m k+, k+ n -> m n"} | ${[[6, 8], [8, 16]]} | ${4}    | ${["k", "n"]}
  ${"a b^ -> a b^"}      | ${[[4, 8]]}          | ${4}    | ${["a"]}
  ${"(h 2) k -> h 2 k"}  | ${[[8, 3]]}          | ${3}    | ${["k"]}
  ${"a^ -> a^"}          | ${[[8]]}             | ${2}    | ${[]}
`("[§7] autodist splits '$annotation' of $shapes over $devices devices along $options", (row) => {
  expect(optionsOf(row.annotation, row.shapes, row.devices)).toEqual(row.options);
});

/** A direction's primitive as autodist prices it: a chunk costs nothing. */
function priced(primitive: string | undefined): string {
  return primitive === undefined || primitive === "chunk" ? "0" : primitive;
}

function endOf(text: string): { readonly split: Split; readonly isReplicated: boolean } {
  const [name = "", kind] = text.split(" ");
  const split = parseSplit(name);
  if (split === undefined) throw new Error(text);
  return { split, isReplicated: kind === "replicate" };
}

// dimops.md §7, "Edge communication"
test.each`
  producer         | consumer         | forward             | backward
  ${"R replicate"} | ${"R replicate"} | ${"0"}              | ${"0"}
  ${"R replicate"} | ${"R split"}     | ${"0"}              | ${"all-reduce"}
  ${"R replicate"} | ${"D0 split"}    | ${"0"}              | ${"all-gather"}
  ${"V split"}     | ${"R replicate"} | ${"all-reduce"}     | ${"0"}
  ${"V split"}     | ${"R split"}     | ${"all-reduce"}     | ${"all-reduce"}
  ${"V split"}     | ${"D0 split"}    | ${"reduce-scatter"} | ${"all-gather"}
  ${"D0 split"}    | ${"R replicate"} | ${"all-gather"}     | ${"0"}
  ${"D0 split"}    | ${"R split"}     | ${"all-gather"}     | ${"reduce-scatter"}
  ${"D0 split"}    | ${"D0 split"}    | ${"0"}              | ${"0"}
  ${"D0 split"}    | ${"D1 split"}    | ${"all-to-all"}     | ${"all-to-all"}
`("[§7] from $producer to $consumer: $forward, back $backward", (row) => {
  const { forward, backward } = fusedPair(endOf(row.producer), endOf(row.consumer));
  expect([priced(forward), priced(backward)]).toEqual([row.forward, row.backward]);
});
