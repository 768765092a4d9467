import { fieldOf } from "#core/records";

/** Operators that each attribute of `add_prim_attr` acts on (mindspore.md §5). */
const reaches: Readonly<Record<string, RegExp>> = {
  cross_batch: /^Reduce/,
  skip_redistribution: /^(Reshape|StridedSlice|Split(V|Tensor|WithSize)?)$/,
  manual_split: /^(Gather|EmbeddingLookup)$/,
  manual_split_with_offset: /^(Gather|EmbeddingLookup)$/,
};

const kinds: Readonly<Record<string, string>> = {
  cross_batch: "only Reduce operators know it",
  skip_redistribution: "only Reshape, StridedSlice and Split know it",
  manual_split: "only Gather knows it",
  manual_split_with_offset: "only Gather knows it",
};

/** Why an attribute does nothing on an operator; `undefined` where it acts or nothing is known. */
export function attributeReach(name: string, operator: string): string | undefined {
  const reach = Object.hasOwn(reaches, name) ? fieldOf(reaches, name) : undefined;
  return reach === undefined || reach.test(operator) ? undefined : fieldOf(kinds, name);
}
