import type { ModuleMetric } from "../figures/module-figures.ts";
import { amountText } from "./board-heat.ts";
import type { BoardPlan } from "./board-plan.ts";
import { boardTextWidth } from "./board-texts.ts";
import { rowAmounts, rowName } from "./row-words.ts";

/** Padding (px) of a card, and the gap between its words. */
export const inset = 8;
export const wordGap = 7;

/** Settings common to all cards of a board. */
export interface CardSetting {
  readonly plan: BoardPlan;
  /** Offset of glyphs from the left edge of a card. */
  readonly glyphAt: number;
  /** The quantity of the bars, and its largest amount among the cards. */
  readonly metric: ModuleMetric;
  readonly most: number;
}

/** The length of a card's bar (0 to 1), and its amount in words. */
export function heatOf({ metric, most }: CardSetting, amount: number) {
  const text = metric === "time" ? "" : amountText(metric, amount);
  const words = metric === "bytes" ? "received" : "held at the peak";
  return { heat: most > 0 ? amount / most : 0, also: text === "" ? "" : `, ${text} ${words}` };
}

/**
 * The shared values of cards. Glyphs and layouts begin at one x in all cards: after the longest
 * name, up to a limit.
 */
export function cardSetting(plan: BoardPlan): CardSetting {
  const { placed, columns, metrics } = plan;
  const { left, right } = columns.cards;
  const metric = plan.view.heat ?? "time";
  const most = placed.rows.reduce((high, row) => {
    const { forward, backward } = rowAmounts(plan, row, metric);
    return Math.max(high, forward, plan.hasGradients ? backward : 0);
  }, 0);
  const widest = Math.round((right - left) * (metrics.detail === "all" ? 0.48 : 0.6));
  const names = placed.rows.flatMap((row) =>
    row.kind === "module" ? [] : [boardTextWidth(rowName(plan, row), "name")],
  );
  const name = Math.min(widest, Math.max(40, ...names));
  return { plan, metric, most, glyphAt: inset + name + wordGap };
}
