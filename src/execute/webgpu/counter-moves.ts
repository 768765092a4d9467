import type { Loop } from "#core/ir/body";
import type { RangeOf } from "./definition.ts";
import type { OutputSpace } from "./output-space.ts";
import type { BlockView, Scope } from "./scope.ts";

/** Indices as sums, by name: the counters and loops with their factors, and the start. */
export type IndexSums = ReadonlyMap<
  string,
  { readonly parts: ReadonlyMap<string, number>; readonly starts: readonly number[] }
>;

/** Indices that are sums of counters and loops; digits of such sums are left out. */
export function indexSums(
  { counters, derived }: OutputSpace,
  over: readonly Loop[],
  rangeOf: RangeOf,
): IndexSums {
  const sums = new Map<string, { parts: Map<string, number>; starts: readonly number[] }>();
  const loops = over.map((loop) => ({ name: loop.axis, starts: rangeOf(loop).starts }));
  for (const { name, starts } of [...counters, ...loops]) {
    sums.set(name, { parts: new Map([[name, 1]]), starts });
  }
  for (const each of derived) {
    if (each.kind === "digit") continue;
    const found = each.parts.map(({ of, factor }) => ({ sum: sums.get(of), factor }));
    if (found.some(({ sum }) => sum === undefined)) continue;
    const parts = new Map<string, number>();
    for (const { sum, factor } of found) {
      for (const [name, own] of sum?.parts ?? []) {
        parts.set(name, (parts.get(name) ?? 0) + factor * own);
      }
    }
    const starts = (found[0]?.sum?.starts ?? []).map((_, at) =>
      found.reduce((total, { sum, factor }) => total + factor * (sum?.starts[at] ?? 0), 0),
    );
    sums.set(each.name, { parts, starts });
  }
  return sums;
}

/** The words of an operand as a function of counters and loops. */
export interface OperandMoves {
  readonly view: BlockView;
  /** Word of each instance with all counters and loops at their starts. */
  readonly bases: readonly number[];
  /** The words that one step of a counter or loop moves. */
  readonly along: (name: string) => number;
}

/** Words of an operand at its projection; `undefined` if they are not a sum of counters. */
export function operandMoves(
  operand: number,
  { call, operands, instances }: Pick<Scope, "call" | "operands" | "instances">,
  sums: IndexSums,
): OperandMoves | undefined {
  const view = operands[operand]?.main;
  if (view === undefined) return undefined;
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const strides = new Map<string, number>();
  const bases = Array.from({ length: instances }, (_, at) => view.origins[at] ?? 0);
  for (const [dim, { identifiers }] of (call.inputs[operand]?.dims ?? []).entries()) {
    let stride = view.strides[dim] ?? 0;
    for (const name of identifiers.toReversed()) {
      const size = sizes.get(name);
      if (size === undefined) continue;
      const sum = sums.get(name);
      if (sum === undefined) return undefined;
      for (const [part, factor] of sum.parts) {
        strides.set(part, (strides.get(part) ?? 0) + stride * factor);
      }
      for (const at of bases.keys()) bases[at] = (bases[at] ?? 0) + stride * (sum.starts[at] ?? 0);
      stride *= size;
    }
  }
  return { view, bases, along: (name) => strides.get(name) ?? 0 };
}
