import type { BoardCard } from "./board.ts";
import { layoutAt, weightsOf } from "./board-facts.ts";
import { operatorsOfItem } from "./board-item.ts";
import { weightGlyph } from "./board-pills.ts";
import type { BoardPlan, RowPlace } from "./board-plan.ts";
import type { BoardRow } from "./board-rows.ts";
import { placedText } from "./board-texts.ts";
import type { CardSetting } from "./card-setting.ts";

/**
 * The card of the weights that a row reads; empty if it reads none or the level of detail is too
 * low.
 */
export function weightCard(
  { plan }: CardSetting,
  row: BoardRow,
  { y, height }: RowPlace,
  at: number,
): readonly BoardCard[] {
  const { facts, columns, metrics, weights } = plan;
  if (row.kind === "module") return foldedWeights(plan, row, { y, height });
  if (row.kind !== "operator" || metrics.detail === "name" || metrics.detail === "module")
    return [];
  const [tensor, ...others] = weightsOf(facts, row.operator);
  const layout = tensor === undefined ? undefined : layoutAt(facts, tensor.id);
  if (tensor === undefined || layout === undefined) return [];
  const size = { width: weightGlyph, height: Math.min(18, height - 2) };
  const x = weights.gathers.has(at)
    ? columns.weights.left
    : columns.weights.right - weightGlyph - 6;
  const box = { x, y: y + (height - size.height) / 2, ...size };
  const more = others.length === 0 ? "" : `, and ${others.map(({ name }) => name).join(", ")}`;
  return [
    {
      ...{ kind: "weight", id: `tensor-${tensor.id}`, test: `tensor-${tensor.name}`, ...box },
      ...{ tensor: tensor.id, texts: [], heat: 0, glyph: { ...box, tensor: tensor.id, layout } },
      said: `parameter ${tensor.name}${more}`,
    },
  ];
}

/** Card with the number of weights of a folded module. */
function foldedWeights(
  plan: BoardPlan,
  row: BoardRow & { readonly kind: "module" },
  { y, height }: Pick<RowPlace, "y" | "height">,
): readonly BoardCard[] {
  const { facts, columns, metrics } = plan;
  const operators = operatorsOfItem(row.module).flatMap((id) => facts.byId.get(id) ?? []);
  const count = new Set(operators.flatMap((each) => weightsOf(facts, each).map(({ id }) => id)))
    .size;
  if (count === 0 || metrics.detail === "name" || metrics.detail === "module") return [];
  const { left, right } = columns.weights;
  const text = count === 1 ? "1 weight" : `${count} weights`;
  const texts = placedText("note", text, {
    ...{ x: left, y, height, room: right - left - 10, isAtEnd: true },
  });
  const id = `weights-${row.module.key}`;
  const box = { x: left, y, width: right - left - 6, height };
  return [
    {
      ...{ ...box, kind: "weight", id, test: id, texts, heat: 0, said: text },
      ...{ opens: row.module.key, members: operators.map((each) => each.id) },
    },
  ];
}
