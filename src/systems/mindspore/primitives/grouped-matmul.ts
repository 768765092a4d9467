import { kept, type LinkCall, type LinkedDim, type Links, own, type Ref } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** The operands of GroupedMatmul; all except the last are lists of tensors. */
export const groupedOperands = [
  ...["x", "weight", "bias", "scale", "offset", "antiquant_scale", "antiquant_offset"],
  "group_list",
] as const;

/** Input indices by parameter name; a missing entry or an empty list for omitted operands. */
export function groupedInputs({
  attributes: { counts },
}: LinkCall): Readonly<Record<string, readonly number[]>> {
  const given = typeof counts === "object" && counts !== null ? Object.entries(counts) : [];
  let next = 0;
  const lists = given.map(([name, count]) => {
    const from = next;
    next += Number(count);
    return [name, Array.from({ length: next - from }, (_, at) => from + at)] as const;
  });
  return Object.fromEntries(lists);
}

/**
 * Links of GroupedMatmul: products of several tensors, each with its own weight, or of rows with
 * the weight of their expert, `[experts, k, n]`. The contraction k is cut alike in input and
 * weight; results have the input's rows and the weight's columns.
 */
function grouped(call: LinkCall): Links | undefined {
  const { x: inputs = [], weight: weights = [], bias: biases = [] } = groupedInputs(call);
  const { split_item: split = 0, group_type: type = -1 } = call.attributes;
  const { transpose_a: isTurned = false, transpose_b: hasTurned = false } = call.attributes;
  if (type === 2 || isTurned === true || hasTurned === true || weights.length === 0)
    return undefined;
  const rankOf = (input: number) => call.shapes[input]?.length ?? 0;
  const products = inputs.map((input, at) => {
    const weight = weights[Math.min(at, weights.length - 1)] ?? -1;
    const columns: readonly Ref[] = [
      [weight, rankOf(weight) - 1],
      ...biases.slice(at, at + 1).map((bias): Ref => [bias, rankOf(bias) - 1]),
    ];
    const rows = (call.shapes[input] ?? []).slice(0, -1).map((_, dim) => kept(call, [input, dim]));
    const summed: readonly Ref[] = [
      [input, rankOf(input) - 1],
      [weight, rankOf(weight) - 2],
    ];
    return { rows, columns: kept(call, ...columns), summed };
  });
  const experts = weights
    .filter((weight) => rankOf(weight) === 3)
    .map((weight): Ref => [weight, 0]);
  const results: readonly (readonly LinkedDim[])[] = products.map(({ rows, columns }) => [
    ...rows,
    columns,
  ]);
  return {
    outputs: Number(split) < 2 || results.length === 1 ? results : [joined(results)],
    inner: [
      ...products.map(({ summed }) => ({ refs: summed, isSummed: true })),
      ...experts.map((expert) => ({ refs: [expert], isSummed: false })),
    ],
  };
}

/** The rows of all products concatenated. */
function joined(results: readonly (readonly LinkedDim[])[]): readonly LinkedDim[] {
  const rows = results.reduce((sum, [first]) => sum + (first?.size ?? 0), 0);
  return [own(rows), ...(results[0] ?? []).slice(1)];
}

/** Row of GroupedMatmul. */
export const groupedMatmulRow: SpecRow = [
  "GroupedMatmul",
  "split_item group_type transpose_a transpose_b",
  groupedOperands.join(" "),
  grouped,
  { takesLists: true, givesTuple: true },
];
