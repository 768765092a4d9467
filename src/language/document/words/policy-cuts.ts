import { type Bound, type CutConfig, operandDims, type TransformRule } from "#core/dimops";

/** The index axis that a legal cut cuts: the one on the dim that it names, else on a dim of its rule. */
export function identifierOfCut(
  bound: Bound,
  { operand, dim, count }: CutConfig,
  rule: TransformRule,
): string | undefined {
  if (count === 1) return undefined;
  const named = dim === "v" ? undefined : operandDims(bound, operand).at(dim);
  const own = named && (named.splittable ?? firstLong(named));
  if (own !== undefined) return own;
  for (const [index, split] of [...rule.inputs, ...rule.outputs].entries()) {
    const cut = split.kind === "D" ? operandDims(bound, index).at(split.dims[0] ?? 0) : undefined;
    const found = cut && (cut.splittable ?? firstLong(cut));
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstLong({
  identifiers,
  sizes,
}: {
  readonly identifiers: readonly string[];
  readonly sizes: readonly number[];
}): string | undefined {
  const at = sizes.findIndex((size) => size !== 1);
  return identifiers[Math.max(0, at)];
}
