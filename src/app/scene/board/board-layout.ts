import type { Compiled } from "#compile";
import type { BoardLayout, BoardRowBox, BoardText, BoardView } from "./board.ts";
import { cardsAtRow } from "./board-cards.ts";
import { boardFacts } from "./board-facts.ts";
import { framesAtRow } from "./board-frames.ts";
import { amountText } from "./board-heat.ts";
import { boardLines } from "./board-lines.ts";
import { pillsAtRow } from "./board-pills.ts";
import { type BoardPlan, boardPlan, headRoom, planHeight, updateCard } from "./board-plan.ts";
import { hiddenRows } from "./board-seconds.ts";
import { boardTextWidth, placedText } from "./board-texts.ts";
import { updateCards } from "./board-updates.ts";
import { cardSetting } from "./card-setting.ts";

/**
 * Visible height of the board, and the width kept free at its right if it is higher, in CSS pixels.
 */
interface Scrolling {
  readonly height: number;
  readonly aside: number;
}

/** A program by rows: positions of all boxes and lines, and every text. */
export function boardLayout(
  compiled: Compiled,
  width: number,
  view: BoardView,
  scrolling?: Scrolling,
): BoardLayout {
  const facts = boardFacts(compiled);
  const whole = boardPlan(facts, width, view);
  const isHigher = scrolling !== undefined && planHeight(whole) > scrolling.height;
  const plan = isHigher ? boardPlan(facts, width - scrolling.aside, view) : whole;
  const setting = cardSetting(plan);
  const rows = plan.rows.map(({ y, height }, at): BoardRowBox => {
    const row = plan.placed.rows[at];
    return enclosing({
      ...{ id: row?.key ?? "", y, height, frames: framesAtRow(plan, at) },
      ...{ pills: pillsAtRow(plan, at), cards: cardsAtRow(setting, at) },
    });
  });
  const behind = pillsAtRow(plan, rows.length);
  const pills = [...rows.flatMap((row) => row.pills), ...behind];
  const updates = updateCards(plan, pills);
  const cards = rows.flatMap((row) => row.cards);
  const lowest = updates.reduce(
    (most, { y, height }) => Math.max(most, y + height + updateCard.foot),
    0,
  );
  const last = enclosing({
    ...{ id: "behind", y: plan.height, height: 0, frames: [] },
    ...{ pills: behind, cards: updates },
  });
  return {
    ...{ width: plan.columns.width, height: Math.max(plan.height, lowest) },
    ...{
      detail: plan.metrics.detail,
      heads: columnHeads(plan),
      full: amountText(setting.metric, setting.most),
    },
    rows: behind.length + updates.length === 0 ? rows : [...rows, last],
    lines: boardLines(plan, { cards, pills, updateTop: updates[0]?.y }),
    ...hiddenRows(plan.facts, plan.tree, view.forwardOnly),
  };
}

/**
 * Extends a row's box over everything drawn with it: pills above it, updates beside the last rows.
 */
function enclosing(row: BoardRowBox): BoardRowBox {
  const parts = [row, ...row.pills, ...row.cards];
  const y = Math.min(...[...parts, ...row.frames].map((part) => part.y));
  return { ...row, y, height: Math.max(...parts.map((part) => part.y + part.height)) - y };
}

function columnHeads({ columns }: BoardPlan): readonly BoardText[] {
  const { weights, cards, gradients, updates } = columns;
  const head = (words: readonly string[], { left, right }: { left: number; right: number }) => {
    const room = right - left;
    const text = words.find((each) => boardTextWidth(each, "head") <= room) ?? "";
    return placedText("head", text, { x: left, y: 4, height: headRoom - 10, room });
  };
  return [
    ...head(["Weights, forward ↓", "Weights"], weights),
    ...(gradients === undefined ? [] : head(["Gradients ↑"], gradients)),
    ...(updates === undefined ? [] : head(["Updates ↓"], updates)),
    ...head(["Forward ↓"], cards),
  ];
}
