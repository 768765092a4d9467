import type { Operator } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import {
  type AxisLists,
  axesText,
  shapeOf,
  strategySide,
  type TracedOperator,
} from "#language/document/trace";

/** `((2, 1), (1, 4))`: the number of pieces per dim of each operand, `()` for a number. */
export function tuplesText(
  traced: TracedOperator,
  operator: Operator,
  cuts: AxisLists,
  mesh: DeviceMesh,
): string {
  const sizes = new Map(mesh.axes.map(({ name, size }) => [name, size]));
  const pieceCount = (identifier: string | undefined) =>
    (identifier === undefined ? [] : (fieldOf(cuts, identifier) ?? [])).reduce(
      (pieces, axis) => pieces * (sizes.get(axis) ?? 1),
      1,
    );
  const shapes = traced.inputs.flatMap((each) => (each.kind === "tensor" ? [shapeOf(each)] : []));
  const side = strategySide(operator, traced, shapes).operator;
  const tensors = side.inputs.map(({ dims }) =>
    tupleText(dims.map(({ splittable }) => String(pieceCount(splittable)))),
  );
  return tupleText(tensors);
}

/** `(layout("dp", "None"), layout("None", "tp"))`: the axes of each dim of each operand. */
export function layoutsText({ inputs }: Operator, cuts: AxisLists, layout: string): string {
  const texts = inputs.map(({ dims }) => {
    const entries = dims.map(({ splittable }) => {
      const axes = splittable === undefined ? [] : (fieldOf(cuts, splittable) ?? []);
      return axes.length === 0 ? '"None"' : axesText(axes);
    });
    return `${layout}(${entries.join(", ")})`;
  });
  return tupleText(texts);
}

function tupleText(items: readonly string[]): string {
  const [only] = items;
  return items.length === 1 ? `(${only},)` : `(${items.join(", ")})`;
}
