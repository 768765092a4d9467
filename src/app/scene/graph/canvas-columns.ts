import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { Arrangement } from "./arrangement.ts";
import { forwardNames } from "./canvas-folds.ts";
import type { CanvasRows } from "./canvas-rows.ts";
import { canvasSizes } from "./canvas-sizes.ts";
import { columnWidths } from "./column-widths.ts";
import type { Flow } from "./flow.ts";
import type { LeftStack } from "./left-stacks.ts";
import { type Badges, badgeWidth } from "./redistribution-badge.ts";
import { edgeRanges } from "./selected-ranges.ts";
import {
  afarWidth,
  captionSize,
  layoutsOf,
  tensorsOf,
  unsummedWidth,
  viewsOf,
} from "./tensor-caption.ts";

/** A flow and its arrangement in ranks and columns. */
interface Arranged {
  readonly flow: Flow;
  readonly arrangement: Arrangement;
}

/**
 * The x positions and widths of the columns, in CSS pixels: lanes left of 0, then glyphs, cards,
 * results.
 */
export interface CanvasColumns {
  /** Right edge of the glyph column at the left; 0 when that column is empty. */
  readonly leftEnd: number;
  readonly leftWidth: number;
  readonly cardX: number;
  readonly rightX: number;
  readonly rightWidth: number;
  readonly aloneWidth: number;
  /** Widths of the glyphs above and below a card; each is as wide as its own content. */
  readonly widths: {
    readonly stack: (stack: LeftStack) => number;
    readonly tensor: (tensor: TensorId) => number;
  };
  /** Distance between the middles of neighbouring card columns. */
  readonly pitch: number;
  /** The middle (x) of a column of cards; columns count from 0. */
  readonly middleOf: (column: number) => number;
  /**
   * Shift (x) of the glyphs beside a card of a column, relative to their place in a one-column
   * drawing.
   */
  readonly shiftOf: (column: number) => number;
}

const channel = 14;
const jog = 6;
const tie = 14;

/**
 * Columns as wide as their content; content hidden in folded blocks counts too, so that opening a
 * block moves nothing aside.
 */
export function canvasColumns(
  compiled: Compiled,
  { flow, arrangement }: Arranged,
  rows: CanvasRows,
  badges: Badges,
): CanvasColumns {
  const { tensorWidth, resultWidth, abreastWidth } = tensorWidths(compiled, flow);
  const widthsIn = (tensors: readonly TensorId[]) => tensors.map(tensorWidth);
  const widthOf = (badge: number, isShort: boolean) => {
    const words = badges(badge);
    return words === undefined ? 0 : badgeWidth(words, isShort);
  };
  const stacks = rows.left.map(({ item }) =>
    most([tensorWidth(item.tensor), ...item.under.map((under) => widthOf(under.item, true))]),
  );
  const folded = flow.rows.flatMap((row) => (row.kind === "stack" ? row.runs.slice(0, 1) : []));
  const leftWidth = most([...stacks, ...widthsIn(folded.flatMap((run) => run.parameters))]);
  const made = folded.flatMap((run) => run.made);
  const arriving = rows.arrivals.map(({ item: { badge } }) =>
    badge === undefined ? 0 : widthOf(badge, false),
  );
  const leftEnd = Math.max(leftWidth, most(arriving));
  const perRow = new Map<number, number>();
  for (const { row } of rows.left) perRow.set(row, (perRow.get(row) ?? 0) + 1);
  const jogs = most([
    ...perRow.values(),
    ...folded.map(({ parameters }) => (parameters.length > 0 ? 1 : 0)),
  ]);
  const { inputWidth, outputWidth } = edgeRanges(compiled);
  const cardX = leftEnd === 0 ? 0 : leftEnd + jog * jogs + Math.max(channel, inputWidth);
  const stackWidth = ({ tensor, under }: LeftStack) =>
    most([abreastWidth(tensor), ...under.map(({ item }) => widthOf(item, true))]);
  const single = { leftEnd, leftWidth, cardX };
  const spread = columnWidths(single, arrangement, {
    rows,
    stackWidth,
    tensorWidth: abreastWidth,
    badgeWidth: widthOf,
    hasRuns: flow.folding.openRuns.length > 0,
  });
  return {
    ...single,
    ...spread,
    widths: { stack: stackWidth, tensor: abreastWidth },
    rightX: cardX + canvasSizes.card.width + Math.max(tie, outputWidth + 4),
    rightWidth: most([...rows.right.map(({ item }) => item), ...made].map(resultWidth)),
    aloneWidth: most([
      rows.cards.length === 0 ? 0 : canvasSizes.card.width,
      ...rows.alone.flatMap(({ item }) => [
        tensorWidth(item.tensor),
        ...item.under.map((under) => widthOf(under.item, true)),
      ]),
    ]),
  };
}

function tensorWidths(compiled: Compiled, { folding }: Flow) {
  const tensors = tensorsOf(compiled.graph);
  const layouts = layoutsOf(compiled);
  const views = viewsOf(compiled.tensors);
  const names = forwardNames(compiled, folding);
  const tensorWidth = (id: TensorId) => {
    const tensor = tensors.get(id);
    return tensor === undefined
      ? 0
      : captionSize(tensor, views.get(id), names.tensor(tensor)).width;
  };
  const abreastWidth = (id: TensorId) =>
    Math.max(tensorWidth(id), afarWidth(names.tensor(tensors.get(id) ?? { id, name: "" })));
  const resultWidth = (id: TensorId) => {
    const tensor = tensors.get(id);
    const later = tensor === undefined ? 0 : unsummedWidth(tensor, layouts.get(id));
    return Math.max(later, tensorWidth(id));
  };
  return { tensorWidth, resultWidth, abreastWidth };
}

function most(widths: readonly number[]): number {
  return widths.reduce((widest, width) => Math.max(widest, width), 0);
}
