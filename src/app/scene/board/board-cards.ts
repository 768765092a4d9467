import { labelIn } from "../text/notation.ts";
import { formatBytes } from "../text/numbers.ts";
import { heldBytes } from "../text/sentence.ts";
import type { BoardCard, BoardGlyph, BoardText } from "./board.ts";
import { layoutAt } from "./board-facts.ts";
import { operatorsOfItem } from "./board-item.ts";
import type { BoardPlan, RowPlace } from "./board-plan.ts";
import type { BoardRow } from "./board-rows.ts";
import { timeText } from "./board-seconds.ts";
import { boardTextWidth, fittedLayout, placedSegments, placedText } from "./board-texts.ts";
import { type CardSetting, heatOf, inset, wordGap } from "./card-setting.ts";
import { gradientCard } from "./gradient-card.ts";
import { countTexts, rowAmounts, rowName, rowSeconds } from "./row-words.ts";
import { weightCard } from "./weight-card.ts";

/** The cards of a row: its weights, its forward card and its gradients. */
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

/** The texts and the glyph of a card, at the board's level of detail. */
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
  // A scalar's glyph would show nothing that its label does not say.
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
