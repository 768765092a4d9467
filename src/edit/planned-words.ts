import type { OperatorId, TensorId } from "#core/ir";
import { axisNames, type Layout, printLayout } from "#core/mesh";
import { type Strategy, type WantedStrategies, wantedLayout } from "#core/plan";
import type { Document } from "#language/document";
import { cutsText, writtenAxes } from "#language/document/edit";

/** A plan on a document's mesh, from any source. */
export interface PlannedProgram {
  readonly strategies: WantedStrategies;
  /** Layouts of inputs and parameters. */
  readonly rest: ReadonlyMap<TensorId, Layout>;
  /** Final layouts of results, if they differ from the sum over their partial axes. */
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** The arguments of `strategy(…)` after the operator's name: `, m="dp", n="tp"`. */
export function strategyWords({ cuts, carry }: Strategy): string {
  const named = namedCuts(cuts);
  const carried = writtenAxes(axesOf(carry));
  const text = named.length === 0 ? "" : `, ${cutsText(named)}`;
  return carried === undefined ? text : `${text}, carry=${carried}`;
}

function namedCuts(cuts: Strategy["cuts"]) {
  return Object.entries(cuts).flatMap(([name, parts]) => {
    const text = writtenAxes(axesOf(parts));
    return text === undefined ? [] : [{ name, text }];
  });
}

/** Whether a `strategy(…)` call can be rewritten in place as a strategy. */
export function isPlainStrategy({ cuts, carry }: Strategy): boolean {
  const text = cutsText(namedCuts(cuts));
  return carry.length === 0 && !text.startsWith("{");
}

/** Axes per identifier, without uncut identifiers. */
export function cutLists({ cuts }: Strategy): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(cuts)
      .map(([name, parts]) => [name, axesOf(parts)] as const)
      .filter(([, axes]) => axes.length > 0),
  );
}

/** Axes per dim of a layout. */
export function dimLists({ dims }: Layout): readonly (readonly string[])[] {
  return dims.map(({ parts }) => axesOf(parts));
}

function axesOf(parts: Strategy["carry"]): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** Whether a document's text can express all cuts: they use whole axes of its mesh. */
export function isSayable({ mesh }: Document, planned: PlannedProgram): boolean {
  const lists = [
    ...[...planned.strategies.values()].flatMap(({ cuts, carry }) => [
      ...Object.values(cuts),
      carry,
    ]),
    ...[...planned.rest.values(), ...planned.ends.values()].flatMap(({ dims }) =>
      dims.map(({ parts }) => parts),
    ),
  ];
  return lists.every((parts) => axisNames(parts, mesh.mesh) !== undefined);
}

/**
 * Layouts of inputs and parameters without a placement: those of their first readers. Tensors
 * without a reader are missing.
 */
export function unplacedLayouts(
  { graph, mesh }: Document,
  strategies: WantedStrategies,
): ReadonlyMap<TensorId, Layout> {
  const layouts = new Map<TensorId, Layout>();
  for (const { id, inputs } of graph.operators) {
    const strategy = strategies.get(id);
    if (strategy === undefined) continue;
    for (const operand of inputs) {
      if (layouts.has(operand.tensor)) continue;
      const plan = { strategy, mesh: mesh.mesh, status: "set" } as const;
      layouts.set(operand.tensor, wantedLayout(operand, plan));
    }
  }
  return layouts;
}

/** Whether two layouts cut every dim by the same axes in the same order. */
export function layoutsAgree(a: Layout | undefined, b: Layout): boolean {
  return a !== undefined && printLayout(a) === printLayout(b);
}

/** Values by the names of operators or tensors. */
export function named<Id extends OperatorId | TensorId, Value>(
  all: readonly { readonly id: Id; readonly name: string }[],
  values: ReadonlyMap<Id, Value>,
): ReadonlyMap<string, Value> {
  return new Map(
    all.flatMap(({ id, name }) => {
      const value = values.get(id);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
