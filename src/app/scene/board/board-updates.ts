import { groupedBy } from "#core/records";
import type { BoardCard, BoardPill } from "./board.ts";
import { type BoardPlan, updateCard } from "./board-plan.ts";
import { timeText } from "./board-seconds.ts";
import { placedText } from "./board-texts.ts";

/** The update cards at the lower end of their column: one for each kind of optimizer step. */
export function updateCards(plan: BoardPlan, pills: readonly BoardPill[]): readonly BoardCard[] {
  const { columns, facts, rows } = plan;
  const { updates } = columns;
  if (updates === undefined) return [];
  const lowest = pills.reduce(
    (most, { lane, y, height }) => (lane === "update" ? Math.max(most, y + height) : most),
    0,
  );
  const last = rows.at(-1);
  const end = last === undefined ? 0 : last.y + last.height;
  const groups = [...groupedBy(facts.updates, ({ op }) => op)];
  const first = Math.max(
    lowest + 14,
    end - groups.length * (updateCard.height + updateCard.gap) + updateCard.gap,
  );
  return groups.map(([op, operators], at): BoardCard => {
    const box = { x: updates.left, width: updates.right - updates.left, height: updateCard.height };
    const y = first + at * (updateCard.height + updateCard.gap);
    const seconds = operators.reduce(
      (sum, { id }) => sum + (facts.figures.operators.get(id) ?? 0),
      0,
    );
    const [operator] = operators;
    const tensor = operator?.outputs[0]?.tensor;
    const count = operators.length === 1 ? "1 weight" : `${operators.length} weights`;
    const text = (role: "name" | "note" | "time", words: string, line: number) =>
      placedText(role, words, {
        ...{ x: updates.left + 8, y: y + 3 + line * 15, height: 16, room: box.width - 16 },
      });
    return {
      ...{ kind: "update", id: `update-${op}`, test: `update-${op}`, ...box, y, heat: 0 },
      ...(operator !== undefined && { operator: operator.id }),
      ...(tensor !== undefined && { tensor }),
      texts: [
        ...text("name", op, 0),
        ...text("note", count, 1),
        ...text("time", timeText(seconds), 2),
      ],
      said: `${op}, ${count}, ${timeText(seconds) || "no time"}`,
    };
  });
}
