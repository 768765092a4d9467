import type { Compiled } from "#compile";
import type { Tensor, TensorId } from "#core/ir";
import { blockCount, type Layout } from "#core/mesh";
import { rememberedFor } from "../remembered.ts";
import { dimName } from "../text/label.ts";

/**
 * The dims of a tensor that are drawn as `rows`, `columns` and facets (`outerRows`,
 * `outerColumns`), in every drawing and for every layout. Further dims are not drawn.
 */
export interface Orientation {
  readonly outerRows: number | undefined;
  readonly outerColumns: number | undefined;
  readonly rows: number | undefined;
  readonly columns: number | undefined;
}

/** Most facets side by side that fit in the smallest drawing. */
const mostFacets = 2;

/**
 * The orientation of a tensor that takes these layouts: its last two dims are rows and columns;
 * leading dims that any layout shards are facets (one) or an outer grid (two). If the facets do not
 * fit side by side, a dim that is always whole gives up its side to a sharded one. @internal
 */
export function orientationOf(rank: number, layouts: readonly Layout[]): Orientation {
  const ways = Array.from({ length: rank }, (_, dim) =>
    Math.max(1, ...layouts.map(({ dims }) => waysOf(dims[dim]))),
  );
  const split = ways.flatMap((count, dim) => (count > 1 ? [dim] : []));
  const inner = innerDims(ways, split);
  const [first, second] = split.filter((dim) => !inner.includes(dim));
  return interned({
    outerRows: second === undefined ? undefined : first,
    outerColumns: second ?? first,
    rows: inner.at(-2),
    columns: inner.at(-1),
  });
}

/**
 * The orientation of a tensor in a plan, from all its layouts there, at rest and after
 * redistributions.
 *
 * @param added layouts beyond those of the plan, such as during a gesture
 */
export function orientationIn(
  compiled: Compiled,
  { id, shape }: Pick<Tensor, "id" | "shape">,
  added: readonly Layout[] = [],
): Orientation {
  const { layouts, known } = layoutsIn(compiled);
  const before = added.length === 0 ? known.get(id) : undefined;
  if (before !== undefined) return before;
  const made = orientationOf(shape.length, [...(layouts.get(id) ?? []), ...added]);
  if (added.length === 0) known.set(id, made);
  return made;
}

/** The drawn dims in words, `rows s, columns f, facets b`; facets only for sharded dims. */
export function orientationText(
  { outerRows, outerColumns, rows, columns }: Orientation,
  layout: Layout,
  dimNames: readonly string[],
): string {
  const facets = [outerRows, outerColumns].filter(
    (dim) => dim !== undefined && waysOf(layout.dims[dim]) > 1,
  );
  const said = (word: string, dims: readonly (number | undefined)[]) => {
    const names = dims.flatMap((dim) => (dim === undefined ? [] : dimName(dimNames, dim)));
    return names.length === 0 ? [] : [`${word} ${names.join(" and ")}`];
  };
  return [...said("rows", [rows]), ...said("columns", [columns]), ...said("facets", facets)].join(
    ", ",
  );
}

/**
 * The last two dims; whole ones are replaced, the first first, by split dims that cannot be facets.
 */
function innerDims(ways: readonly number[], split: readonly number[]): readonly number[] {
  let inner = [ways.length - 2, ways.length - 1].filter((dim) => dim >= 0);
  for (;;) {
    const leading = split.filter((dim) => !inner.includes(dim));
    const [next, whole] = [leading.at(-1), inner.find((dim) => !split.includes(dim))];
    const fits = leading.length <= 2 && leading.every((dim) => (ways[dim] ?? 1) <= mostFacets);
    if (next === undefined || whole === undefined || fits) return inner;
    inner = [...inner.filter((dim) => dim !== whole), next].sort((a, b) => a - b);
  }
}

/** The layouts of each tensor of a plan, and the cached orientations. */
const layoutsIn = rememberedFor(({ program, tensors }: Compiled) => {
  const layouts = new Map<TensorId, Layout[]>();
  const add = (tensor: TensorId, layout: Layout | undefined) => {
    if (layout === undefined) return;
    const known = layouts.get(tensor);
    if (known === undefined) layouts.set(tensor, [layout]);
    else if (!known.includes(layout)) known.push(layout);
  };
  for (const { tensor, layout } of program.values) add(tensor, layout);
  for (const { tensor, layout, atRest, placed } of tensors) {
    for (const each of [layout, atRest, placed]) add(tensor, each);
  }
  return { layouts, known: new Map<TensorId, Orientation>() };
});

function waysOf(dim: Layout["dims"][number] | undefined): number {
  return dim === undefined ? 1 : blockCount(dim.parts);
}

/** Equal orientations are one object, so that identity comparison detects an unchanged drawing. */
const orientations = new Map<string, Orientation>();

function interned(orientation: Orientation): Orientation {
  const key = orientationKey(orientation);
  const before = orientations.get(key);
  if (before !== undefined) return before;
  orientations.set(key, orientation);
  return orientation;
}

/** A key of an orientation; distinct orientations have distinct keys. */
export function orientationKey({ outerRows, outerColumns, rows, columns }: Orientation): string {
  return [outerRows, outerColumns, rows, columns].map((dim) => dim ?? "-").join(" ");
}
