import type { OperatorId } from "#core/ir";
import type { BoardCard } from "./board.ts";
import { operatorsOfItem } from "./board-item.ts";
import type { RowPlace } from "./board-plan.ts";
import type { BoardRow } from "./board-rows.ts";
import { timeText } from "./board-seconds.ts";
import { boardTextWidth, placedText } from "./board-texts.ts";
import { type CardSetting, heatOf } from "./card-setting.ts";
import { rowAmounts, rowName, rowSeconds } from "./row-words.ts";

/** The card of the gradients that belong to a row; empty for inputs and for untrained programs. */
export function gradientCard(
  setting: CardSetting,
  row: BoardRow,
  { y, height }: RowPlace,
): readonly BoardCard[] {
  const { plan, metric } = setting;
  const { columns, facts, metrics } = plan;
  const { gradients } = columns;
  if (gradients === undefined || row.kind === "input") return [];
  const ids: readonly OperatorId[] =
    row.kind === "operator" ? [row.operator.id] : operatorsOfItem(row.module);
  const later = ids.flatMap((id) => facts.gradients.get(id) ?? []);
  const [first] = later;
  if (first === undefined) return [];
  const seconds = rowSeconds(plan, row).backward;
  const x = gradients.left;
  const width = gradients.right - gradients.left;
  const right = x + width - 6;
  const line = { y, height };
  const name = `∂${rowName(plan, row)}`;
  const time = metrics.detail === "name" ? "" : timeText(seconds);
  const timeWidth = time === "" ? 0 : boardTextWidth(time, "time");
  // The name has priority: a time without a name would be ambiguous.
  const hasTime = boardTextWidth(name, "name") + timeWidth + 16 <= width;
  const [end, endWidth] = hasTime ? [time, timeWidth] : ["", 0];
  const made = first.outputs[0]?.tensor;
  const key = row.kind === "operator" ? first.id : row.key;
  const { heat, also } = heatOf(setting, rowAmounts(plan, row, metric).backward);
  const count = later.length === 1 ? "1 operator" : `${later.length} operators`;
  return [
    {
      ...{ kind: "gradient", x, y, width, height, id: `gradient-${key}` },
      test: row.kind === "operator" ? `operator-${first.name}` : `gradient-${row.key}`,
      ...(row.kind === "operator" && { operator: first.id }),
      ...(row.kind === "operator" && made !== undefined && { tensor: made }),
      ...(row.kind === "module" && {
        opens: row.module.key,
        members: later.map((each) => each.id),
      }),
      texts: [
        ...placedText("name", name, {
          ...line,
          x: x + 6,
          room: width - 12 - (endWidth === 0 ? 0 : endWidth + 4),
        }),
        ...placedText("time", end, { ...line, x: right - endWidth, room: endWidth, isAtEnd: true }),
      ],
      heat,
      said: `${name}, gradient, ${count}, ${timeText(seconds) || "no time"}${also}`,
    },
  ];
}
