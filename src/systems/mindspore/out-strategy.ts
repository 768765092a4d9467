import type { Operator } from "#core/ir";
import type { Layout, Part } from "#core/mesh";

/**
 * The layout after an operator's own reduction that an `out_strategy` requests: the result combined
 * in place (AllReduce), or scattered with the contraction's parts behind those of the rows
 * (ReduceScatter). `undefined` when the strategy matches neither. With batch dims the rows are
 * scattered, as the strategy says, though upstream scatters dim 0 instead (mindspore.md §5.1).
 *
 * @param contracted the contraction's parts in the order in which its dims write them
 * @param matches whether the parts of each dim equal those of the `out_strategy`
 */
export function reducedLayout(
  produced: Layout,
  contracted: readonly Part[],
  matches: (dims: readonly (readonly Part[])[]) => boolean,
): Layout | undefined {
  const combined: Layout = { ...produced, partials: [] };
  if (matches(combined.dims.map(({ parts }) => parts))) return combined;
  const at = combined.dims.length - 2;
  const rows = combined.dims[at];
  if (rows === undefined) return undefined;
  const parts = [...rows.parts, ...contracted];
  const scattered: Layout = { ...combined, dims: combined.dims.with(at, { ...rows, parts }) };
  return matches(scattered.dims.map((dim) => dim.parts)) ? scattered : undefined;
}

/**
 * Message for input layouts that conflict: a dim that cannot be split, or different axes on an
 * identifier.
 */
export function unequalLists(
  operator: Operator,
  identifier: string | undefined,
  dim: number,
  input: number,
): string {
  return identifier === undefined
    ? `${operator.op} cannot split dim ${dim} of its input ${input}`
    : `${operator.op} needs the same axes in the same order on "${identifier}" of both inputs`;
}
