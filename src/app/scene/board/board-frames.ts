import { formatSeconds } from "../text/numbers.ts";
import type { BoardFrame, BoardText } from "./board.ts";
import { frameStep } from "./board-columns.ts";
import type { BoardModule } from "./board-item.ts";
import type { BoardPlan, FramePlace } from "./board-plan.ts";
import { type PassSeconds, passSeconds } from "./board-seconds.ts";
import { boardTextWidth, placedText } from "./board-texts.ts";

/** The frames around open modules that begin at a row, the outermost first. */
export function framesAtRow(plan: BoardPlan, row: number): readonly BoardFrame[] {
  return plan.frames
    .filter(({ frame }) => frame.first === row)
    .map((place) => (place.frame.depth === 0 ? outerFrame(plan, place) : innerFrame(plan, place)));
}

function shownSeconds({ facts }: BoardPlan, { frame }: FramePlace): PassSeconds {
  const { runs, shown } = frame.module;
  return passSeconds(facts, runs[shown]?.operators ?? []);
}

function frameFacts(plan: BoardPlan, place: FramePlace) {
  const { key, name, runs, shown } = place.frame.module;
  const { forward } = shownSeconds(plan, place);
  const times = runs.length > 1 ? `, ${runs.length} equal, one shown` : "";
  return {
    ...{ id: `frame-${key}`, module: key, depth: place.frame.depth, count: runs.length },
    said: `${name}${times}${forward > 0 ? `, ${formatSeconds(forward)} forward` : ""}`,
    runs: runs.length === 1 ? [] : runs.map(({ path }, at) => ({ path, isShown: at === shown })),
  };
}

/** A frame around all columns; its name is on its upper edge. */
function outerFrame(plan: BoardPlan, place: FramePlace): BoardFrame {
  const { columns, metrics } = plan;
  const x = columns.weights.left - 6;
  const right = (columns.gradients?.right ?? columns.lanes.right) + 6;
  const box = { x, y: place.top, width: right - x, height: place.bottom - place.top };
  const line = { y: place.headTop, height: metrics.head };
  const headRight = (columns.gradients?.left ?? right) - 12;
  const texts = headTexts(plan, place, { ...line, x: x + 30, room: headRight - x - 30 });
  const end = texts.reduce((most, text) => Math.max(most, text.x + text.width), x + 30);
  return {
    ...box,
    ...frameFacts(plan, place),
    head: { ...line, x: x + 10, width: end + 6 - x - 10 },
    texts: [...texts, ...backwardText(plan, place)],
  };
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly room: number;
}

/** `blocks ×24 one layer shown, 1.33 ms forward`, shortened to the available width. */
function headTexts(plan: BoardPlan, place: FramePlace, area: Area): readonly BoardText[] {
  const { module } = place.frame;
  const end = area.x + area.room;
  const [name] = placedText("name", module.name, area);
  if (name === undefined) return [];
  const after = name.x + name.width + 5;
  const count = module.runs.length > 1 ? `×${module.runs.length}` : "";
  const counted = placedText("count", count, { ...area, x: after, room: end - after });
  const next = after + (counted[0] === undefined ? 0 : counted[0].width + 6);
  const notes = notesOf(plan, place);
  const note = notes.find((text) => boardTextWidth(text, "note") <= end - next) ?? "";
  return [name, ...counted, ...placedText("note", note, { ...area, x: next, room: end - next })];
}

/** Text that identifies the shown one of equal modules: `one shown`, `number 7 shown`. */
export function shownRunText({ runs, shown }: Pick<BoardModule, "runs" | "shown">): string {
  const number = /\[(\d+)\]$/u.exec(runs[shown]?.path ?? "")?.[1];
  return `${shown === 0 || number === undefined ? "one" : `number ${number}`} shown`;
}

function notesOf(plan: BoardPlan, place: FramePlace): readonly string[] {
  const { module } = place.frame;
  const { forward } = shownSeconds(plan, place);
  const shown = module.runs.length > 1 ? [shownRunText(module)] : [];
  const time = forward > 0 ? [`${formatSeconds(forward)} forward`] : [];
  return [[...shown, ...time].join(", "), ...time, ...shown];
}

function backwardText(plan: BoardPlan, place: FramePlace): readonly BoardText[] {
  const { gradients } = plan.columns;
  const { backward } = shownSeconds(plan, place);
  if (gradients === undefined || backward <= 0) return [];
  const text = formatSeconds(backward);
  const width = boardTextWidth(text, "note");
  const x = Math.round((gradients.left + gradients.right - width) / 2);
  return placedText("note", text, {
    ...{ x, y: place.headTop, height: plan.metrics.head, room: width },
  });
}

/** A frame around the cards only; its name is outside at the left. */
function innerFrame(plan: BoardPlan, place: FramePlace): BoardFrame {
  const { columns } = plan;
  const off = frameStep * (place.inner + 1);
  const x = columns.cards.left - off;
  const box = {
    ...{ x, y: place.top, width: columns.cards.right + off - x },
    height: place.bottom - place.top,
  };
  const height = 16;
  const line = { y: place.headTop + (plan.metrics.head - height) / 2, height };
  const texts = innerHeadTexts(plan, place, line);
  const right = texts.reduce((most, text) => Math.max(most, text.x + text.width), 0);
  const start = texts[0]?.x ?? right;
  const head = { ...line, x: start - 16, width: right - start + 20 };
  return { ...box, ...frameFacts(plan, place), head, texts };
}

/**
 * Name and time of an inner frame, right-aligned with the weights, beside the first card. A text
 * too long for that begins at the left instead, and ends before the line down the middle of the
 * cards.
 */
function innerHeadTexts(
  plan: BoardPlan,
  place: FramePlace,
  line: Pick<Area, "y" | "height">,
): readonly BoardText[] {
  const { cards, weights } = plan.columns;
  const { name, runs } = place.frame.module;
  const title = runs.length > 1 ? `${name} ×${runs.length}` : name;
  const { forward } = shownSeconds(plan, place);
  const time = forward > 0 ? formatSeconds(forward) : "";
  const timeWidth = time === "" ? 0 : boardTextWidth(time, "note");
  const titleWidth = boardTextWidth(title, "name");
  const left = weights.left + 14;
  const room = weights.right - 6 - left;
  const isLong = titleWidth > room;
  const end = isLong ? Math.round((cards.left + cards.right) / 2) - 12 : left + room;
  const hasTime = timeWidth > 0 && titleWidth + 5 + timeWidth <= end - left;
  const taken = hasTime ? timeWidth + 5 : 0;
  const atEnd = isLong ? {} : { isAtEnd: true };
  const named = { ...line, x: left, room: end - left - taken, ...atEnd };
  const texts = placedText("name", title, named);
  if (!hasTime) return texts;
  const x = isLong ? left + titleWidth + 5 : end - timeWidth;
  return [...texts, ...placedText("note", time, { ...line, x, room: timeWidth, ...atEnd })];
}
