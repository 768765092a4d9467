import { createExchange, createPermute, createStep, stepElements } from "#core/collective";
import { type Layout, localElements, sameBlocks, sameMesh, samePart } from "#core/mesh";
import { addendsOf, mostLacking } from "./blocks.ts";
import type { DraftStep } from "./emit.ts";

/**
 * Plans for layouts without common digits: uneven dims, radices that do not align, arrangements
 * without a common refinement (redistribution.md §7.7).
 *
 * One plan gathers the dims that differ and slices them; the other fetches every missing piece in
 * one exchange, which meets the lower bound, and is used only when nothing else is known
 * (`isLast`). Partial sums are combined first.
 *
 * @param lacking the most elements that a device lacks where there are no partial sums to combine
 */
export function fallbackRoutes(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bound: number,
  isLast: boolean,
  lacking: number,
): readonly (readonly DraftStep[])[] {
  const reduced = combine(from, to, shape);
  const start = reduced?.after ?? from;
  const first = reduced === undefined ? [] : [reduced];
  if (sameBlocks(start, to, shape)) {
    const isPlain = reduced !== undefined && sameMesh(from.mesh, to.mesh);
    return [isPlain ? [{ ...reduced, after: to }] : [...first, sliced(start, to)]];
  }
  const left = reduced === undefined ? lacking : mostLacking(start, to, shape);
  if (left === 0) return [[...first, sliced(start, to)]];
  const permute = createPermute(start, to, shape);
  const ways = [
    permute === undefined ? undefined : [{ ...permute, elements: stepElements(permute, shape) }],
    gatherAndSlice(start, to, shape, bound),
  ].filter((way) => way !== undefined);
  const all = ways.length > 0 || !isLast ? ways : lastWays(start, to, shape);
  return all.map((way) => [...first, ...way]);
}

/**
 * Last resort: a single exchange; if that has too many messages to list, a gather of all dims that
 * differ.
 */
function lastWays(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): readonly (readonly DraftStep[])[] {
  const exchange = fetched(from, to, shape);
  if (exchange !== undefined) return [[exchange]];
  const gathered = gatherAndSlice(from, to, shape, Number.POSITIVE_INFINITY);
  if (gathered === undefined) throw new Error("all that differs can be gathered");
  return [gathered];
}

/**
 * Single exchange between the layouts after combining partial sums; `undefined` if it is too large.
 */
export function exchangeRoute(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): readonly DraftStep[] | undefined {
  const reduced = combine(from, to, shape);
  const exchange = fetched(reduced?.after ?? from, to, shape);
  return exchange && [...(reduced === undefined ? [] : [reduced]), exchange];
}

function fetched(before: Layout, after: Layout, shape: readonly number[]): DraftStep | undefined {
  const step = createExchange(before, after, shape);
  return step && { ...step, elements: stepElements(step, shape) };
}

function sliced(before: Layout, after: Layout): DraftStep {
  return { collective: "slice", moves: [], groups: [], transfers: [], before, after, elements: 0 };
}

/** All-reduce of the partials that the target lacks. */
function combine(from: Layout, to: Layout, shape: readonly number[]): DraftStep | undefined {
  if (addendsOf(from) <= addendsOf(to)) return undefined;
  const gone = from.partials.filter(
    ({ part }) => !to.partials.some((kept) => samePart(kept.part, part)),
  );
  const moves = gone.map(({ part }) => ({ part }));
  const step = createStep(from, "all-reduce", moves, shape);
  return { ...step, elements: stepElements(step, shape) };
}

/** Gathers the dims that differ, then slices them. */
function gatherAndSlice(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bound: number,
): readonly DraftStep[] | undefined {
  const differs = from.dims.map((dim, at) => JSON.stringify(dim) !== JSON.stringify(to.dims[at]));
  const moves = from.dims.flatMap((dim, at) =>
    dim.parts.flatMap((part, position) =>
      differs[at] === true && part.kind === "axis" ? [{ part, from: { dim: at, position } }] : [],
    ),
  );
  const whole: Layout = {
    ...from,
    dims: from.dims.map((dim, at) => (differs[at] ? { parts: [], chunks: "flat" } : dim)),
  };
  if (localElements(whole, shape) > bound) return undefined;
  // Between meshes, dims that are not gathered may be cut differently; on one mesh they are cut
  // alike.
  if (from.mesh !== to.mesh && mostLacking(whole, to, shape) > 0) return undefined;
  const step = { ...createStep(from, "all-gather", moves, shape), after: whole };
  const gather = { ...step, elements: stepElements(step, shape) };
  return [gather, sliced(whole, to)];
}
