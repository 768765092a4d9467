import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { RedistributionBadge } from "./canvas.ts";
import { type CanvasRows, canvasSizes } from "./canvas-rows.ts";
import type { Flow } from "./flow.ts";
import { edgeRanges } from "./loom-ranges.ts";
import { badgeWidth } from "./redistribution-badge.ts";
import { captionSize, layoutsOf, unsummedWidth } from "./tensor-caption.ts";

/** Where the columns stand: lanes left of 0, glyphs, cards, results. */
export interface CanvasColumns {
  /** Right edge of the column at the left, 0 when it is empty. */
  readonly leftEnd: number;
  readonly leftWidth: number;
  readonly cardX: number;
  readonly rightX: number;
  readonly rightWidth: number;
  readonly aloneWidth: number;
}

const channel = 14;
const jog = 6;
const tie = 14;

/**
 * Columns as wide as what stands in them; what folded blocks hide counts too, so that nothing moves
 * aside when one is opened.
 */
export function canvasColumns(
  compiled: Compiled,
  flow: Flow,
  rows: CanvasRows,
  badges: ReadonlyMap<number, RedistributionBadge>,
): CanvasColumns {
  const { tensorWidth, resultWidth } = tensorWidths(compiled, flow);
  const widthsIn = (tensors: readonly TensorId[]) => tensors.map(tensorWidth);
  const widthOf = (badge: number, isShort: boolean) => {
    const words = badges.get(badge);
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
  return {
    leftEnd,
    leftWidth,
    cardX,
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
  const tensors = new Map(compiled.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const layouts = layoutsOf(compiled);
  const tensorWidth = (id: TensorId) => {
    const tensor = tensors.get(id);
    return tensor === undefined
      ? 0
      : captionSize(tensor, layouts.get(id), folding.nameIn(id, tensor.name)).width;
  };
  const resultWidth = (id: TensorId) => {
    const tensor = tensors.get(id);
    const later = tensor === undefined ? 0 : unsummedWidth(tensor, layouts.get(id));
    return Math.max(later, tensorWidth(id));
  };
  return { tensorWidth, resultWidth };
}

function most(widths: readonly number[]): number {
  return widths.reduce((widest, width) => Math.max(widest, width), 0);
}
