import type { OperatorId } from "#core/ir";
import type { ModuleMetric } from "../figures/module-figures.ts";
import { labelIn } from "../text/notation.ts";
import { formatBytes } from "../text/numbers.ts";
import { heldBytes } from "../text/sentence.ts";
import type { BoardCard, BoardGlyph, BoardText } from "./board.ts";
import { layoutAt, weightsOf } from "./board-facts.ts";
import { amountText } from "./board-heat.ts";
import { operatorsOfItem } from "./board-item.ts";
import { weightGlyph } from "./board-pills.ts";
import type { BoardPlan, RowPlace } from "./board-plan.ts";
import type { BoardRow } from "./board-rows.ts";
import { timeText } from "./board-seconds.ts";
import { boardTextWidth, fittedLayout, placedSegments, placedText } from "./board-texts.ts";
import { countTexts, rowAmounts, rowName, rowSeconds } from "./row-words.ts";

/** Room between the edge of a card and its words, and between these. */
const inset = 8;
const wordGap = 7;

/** What all cards of a board share. */
export interface CardSetting {
  readonly plan: BoardPlan;
  /** Where glyphs begin, from the left edge of a card. */
  readonly glyphAt: number;
  /** What the bars show, and the most of it among the cards. */
  readonly metric: ModuleMetric;
  readonly most: number;
}

/** The bar of a card, and what it shows besides the time, said aloud. */
function heatOf({ metric, most }: CardSetting, amount: number) {
  const text = metric === "time" ? "" : amountText(metric, amount);
  const words = metric === "bytes" ? "received" : "held at the peak";
  return { heat: most > 0 ? amount / most : 0, also: text === "" ? "" : `, ${text} ${words}` };
}

/** Glyphs and layouts begin at one place in all cards: behind the longest name that may be so long. */
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

/** The cards of a row: in the forward column, of its weights, of its gradients. */
export function cardsAtRow(setting: CardSetting, at: number): readonly BoardCard[] {
  const { plan } = setting;
  const [row, place] = [plan.placed.rows[at], plan.rows[at]];
  if (row === undefined || place === undefined) return [];
  return [
    ...weightCard(setting, row, place, at),
    forwardCard(setting, row, place),
    ...gradientCard(setting, row, place),
  ];
}

function forwardCard(setting: CardSetting, row: BoardRow, { y, height }: RowPlace): BoardCard {
  const { plan, metric } = setting;
  const { left, right } = plan.columns.cards;
  const box = { x: left, y, width: right - left, height };
  const name = rowName(plan, row);
  const seconds = rowSeconds(plan, row).forward;
  const { heat, also } = heatOf(setting, rowAmounts(plan, row, metric).forward);
  const shared = { ...box, heat };
  const drawn = wordsOf(setting, row, box, seconds);
  switch (row.kind) {
    case "operator": {
      const { operator } = row;
      const tensor = operator.outputs[0]?.tensor;
      return {
        ...{ kind: "operator", id: `operator-${operator.id}`, operator: operator.id, ...shared },
        ...{ test: `operator-${operator.name}`, ...drawn },
        ...(tensor !== undefined && { tensor }),
        said: `${name}, operator ${operator.name}, ${timeText(seconds) || "no time"}${also}`,
      };
    }
    case "module": {
      const { key, kind, runs } = row.module;
      const times = runs.length > 1 ? `, ${runs.length} equal` : "";
      const count = countTexts(plan, row)[0];
      const said = `${name}${times}, ${count}, ${timeText(seconds) || "no time"}${also}`;
      return {
        ...shared,
        ...drawn,
        kind,
        id: `module-${key}`,
        test: `module-${key}`,
        opens: key,
        members: operatorsOfItem(row.module),
        said,
      };
    }
    case "input": {
      const { tensor } = row;
      const test = `tensor-${tensor.name}`;
      return {
        ...{
          kind: "input",
          id: `tensor-${tensor.id}`,
          test,
          tensor: tensor.id,
          ...shared,
          ...drawn,
        },
        said: `input ${tensor.name}`,
      };
    }
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The texts and the glyph of a card, as much as its board says. */
function wordsOf(
  setting: CardSetting,
  row: BoardRow,
  { x, y, width, height }: Box,
  seconds: number,
): Pick<BoardCard, "texts" | "glyph"> {
  const { plan, glyphAt } = setting;
  const { detail } = plan.metrics;
  const isLean = detail === "name" || (detail === "module" && row.kind !== "module");
  const end = isLean
    ? ""
    : row.kind === "input"
      ? inputText(setting, row.tensor.id)
      : timeText(seconds);
  const endWidth = end === "" ? 0 : boardTextWidth(end, "time");
  const line = { y, height };
  const right = x + width - inset;
  const endText = placedText("time", end, {
    ...{ ...line, x: right - endWidth, room: endWidth, isAtEnd: true },
  });
  const count =
    row.kind === "module" && row.module.runs.length > 1 ? `×${row.module.runs.length}` : "";
  const countWidth = count === "" ? 0 : boardTextWidth(count, "count") + wordGap;
  const isNameAlone = detail !== "all" && detail !== "glyph";
  const chevron = row.kind === "module" ? 16 : 0;
  const room =
    isNameAlone || row.kind === "module"
      ? width - 2 * inset - endWidth - countWidth - chevron
      : glyphAt - inset - wordGap;
  const name = placedText("name", rowName(plan, row), { ...line, x: x + inset + chevron, room });
  const behind = x + inset + chevron + (name[0]?.width ?? 0) + 5;
  const counted = placedText("count", count, {
    ...line,
    x: behind,
    room: right - endWidth - behind,
  });
  const middle = Math.max(x + glyphAt, row.kind === "module" ? behind + countWidth : 0);
  const texts = [...name, ...counted, ...endText];
  if (isNameAlone) return { texts };
  const area = { ...line, x: middle, room: right - endWidth - wordGap - middle };
  if (row.kind === "module") return { texts: [...texts, ...noteOf(plan, row, area)] };
  return withTensor(plan, row, texts, area);
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly room: number;
}

function noteOf(plan: BoardPlan, row: BoardRow, area: Area): readonly BoardText[] {
  if (plan.metrics.detail !== "all" || area.room < 40) return [];
  const text = countTexts(plan, row).find((each) => boardTextWidth(each, "note") <= area.room);
  return placedText("note", text ?? "", area);
}

function withTensor(
  plan: BoardPlan,
  row: BoardRow,
  texts: readonly BoardText[],
  area: Area,
): Pick<BoardCard, "texts" | "glyph"> {
  const { facts, metrics } = plan;
  const id =
    row.kind === "input"
      ? row.tensor.id
      : row.kind === "operator"
        ? row.operator.outputs[0]?.tensor
        : undefined;
  const tensor = id === undefined ? undefined : facts.tensors.get(id);
  const layout = id === undefined ? undefined : layoutAt(facts, id);
  const { width, height } = metrics.glyph;
  if (tensor === undefined || layout === undefined || area.room < width) return { texts };
  // A single number has nothing to draw that its label does not say.
  const isNumber = tensor.shape.length === 0;
  const y = area.y + (area.height - height) / 2;
  const glyph: BoardGlyph = { x: area.x, y, width, height, tensor: tensor.id, layout };
  const drawn = isNumber ? {} : { glyph };
  if (metrics.detail !== "all") return { texts, ...drawn };
  const place = { ...area, x: area.x + width + 6, room: area.room - width - 6 };
  const label = tensor.isUnknown
    ? [{ kind: "plain" as const, text: "[?]" }]
    : fittedLayout(labelIn("ours", layout, tensor.dimNames), place.room);
  if (label === undefined) return { texts, ...drawn };
  return { texts: [...texts, placedSegments("layout", label, place)], ...drawn };
}

function inputText({ plan: { facts } }: CardSetting, id: BoardGlyph["tensor"]): string {
  const tensor = facts.tensors.get(id);
  const layout = layoutAt(facts, id);
  if (tensor === undefined || layout === undefined || tensor.isUnknown) return "";
  return `${tensor.dtypeText}, ${formatBytes(heldBytes(tensor, layout))}`;
}

function weightCard(
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

/** A folded module says how many weights it has. */
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

function gradientCard(
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
  // The name comes first: without it nobody knows whose time it is.
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
