import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import { append } from "#core/records";
import { canvasSizes, space } from "../canvas-sizes.ts";
import { stackHeight } from "../left-stacks.ts";
import type { Ranking } from "../ranks.ts";
import { type Badges, badgeWidth } from "../redistribution-badge.ts";
import { captionSize, tensorsOf, viewsOf } from "../tensor-caption.ts";
import {
  badgeKey,
  seedKey,
  type TrainingBadge,
  type TrainingEdge,
  type TrainingFlow,
  type TrainingItem,
} from "./training-items.ts";
import { laneSizes } from "./training-sizes.ts";

/** A training card (or a given gradient) with its results and badges: one block of the lane. */
export interface LaneBlock {
  readonly key: string;
  /** Absent for a given gradient. */
  readonly item?: TrainingItem;
  readonly results: readonly TensorId[];
  /** Redistributions before the card, the nearest first. */
  readonly before: readonly TrainingBadge[];
  /** Redistributions behind the card. */
  readonly behind: readonly TrainingBadge[];
  /** Height of card and results; `height` is that of the whole block. */
  readonly core: number;
  readonly height: number;
}

/** The blocks of a training step beside one rank of forward cards, from top to bottom. */
export interface LaneCell {
  readonly gradients: readonly LaneBlock[];
  readonly updates: readonly LaneBlock[];
  readonly height: number;
}

/** The lane before coordinates are assigned. */
export interface LaneCells {
  readonly training: TrainingFlow;
  /** Cells by rank. */
  readonly cells: ReadonlyMap<number, LaneCell>;
}

/**
 * Groups the cards of a training step by the rank of their forward operator; later cards come above
 * earlier ones.
 */
export function laneCells(training: TrainingFlow, { rankOf }: Pick<Ranking, "rankOf">): LaneCells {
  const before = new Map<string, readonly TrainingBadge[]>();
  const behind = new Map<string, TrainingBadge[]>();
  const byKey = new Map(
    training.badges.map((badge) => [badgeKey(badge.redistribution.index), badge]),
  );
  const nearest = nearestFirst(training.edges, byKey);
  for (const badge of training.badges) {
    const { host, side } = badge;
    if (side === "behind") append(behind, host, badge);
    else if (!before.has(host)) before.set(host, nearest(host));
  }
  const blocks = new Map<number, { gradients: LaneBlock[]; updates: LaneBlock[] }>();
  const cellAt = (rank: number) => {
    const cell = blocks.get(rank) ?? { gradients: [], updates: [] };
    blocks.set(rank, cell);
    return cell;
  };
  const rows = new Map(training.items.map(({ key, row }) => [key, row]));
  for (const { tensor, reader } of training.seeds) {
    const results = [tensor.id];
    const size = sizesOf({ results, before: [], behind: [] }, 0);
    const block = { key: seedKey(tensor.id), results, before: [], behind: [], ...size };
    cellAt(rankOf(rows.get(reader) ?? 0)).gradients.unshift(block);
  }
  for (const item of training.items) {
    const around = { before: before.get(item.key) ?? [], behind: behind.get(item.key) ?? [] };
    const { results, states } = item;
    const block = { key: item.key, item, results, ...around };
    const sized = { ...block, ...sizesOf(block, cardHeight(item), states.length) };
    const cell = cellAt(rankOf(item.row));
    if (item.kind === "update") cell.updates.unshift(sized);
    else cell.gradients.unshift(sized);
  }
  const cells = new Map(
    [...blocks].map(([rank, { gradients, updates }]) => {
      const seeded = seedsLast(gradients);
      const height = Math.max(heightOf(seeded), heightOf(updates));
      return [rank, { gradients: seeded, updates, height }] as const;
    }),
  );
  return { training, cells };
}

/** Moves given gradients below the operators that read them. */
function seedsLast(blocks: readonly LaneBlock[]): readonly LaneBlock[] {
  return [
    ...blocks.filter(({ item }) => item !== undefined),
    ...blocks.filter(({ item }) => item === undefined),
  ];
}

export function cardHeight({ runs }: TrainingItem): number {
  return runs.length > 0 ? canvasSizes.stack.height : laneSizes.card.height;
}

export function cardWidth({ runs }: TrainingItem): number {
  return runs.length > 0 ? canvasSizes.stack.width : laneSizes.card.width;
}

type Around = Pick<LaneBlock, "results" | "before" | "behind">;

function sizesOf({ results, before, behind }: Around, card: number, states = 0) {
  const glyphs = stackHeight(results.map(() => canvasSizes.tensor));
  const core = Math.max(card, glyphs);
  const badges = (before.length + behind.length) * (canvasSizes.badge + laneSizes.badge);
  const kept = states === 0 ? 0 : laneSizes.state.height + laneSizes.badge;
  return { core, height: core + badges + kept };
}

function heightOf(blocks: readonly LaneBlock[]): number {
  const gaps = Math.max(0, blocks.length - 1) * laneSizes.between;
  return blocks.reduce((sum, { height }) => sum + height, gaps);
}

/**
 * The badges before a card, nearest first: those the card reads directly, each followed by the
 * badges it starts from.
 */
function nearestFirst(
  edges: readonly TrainingEdge[],
  byKey: ReadonlyMap<string, TrainingBadge>,
): (host: string) => readonly TrainingBadge[] {
  const entering = new Map<string, TrainingBadge[]>();
  const hosted = new Map<string, TrainingBadge[]>();
  for (const { from, to } of edges) {
    const badge = byKey.get(from);
    if (badge?.side === "before") append(entering, to, badge);
  }
  for (const badge of byKey.values())
    if (badge.side === "before") append(hosted, badge.host, badge);
  return (host) => {
    const found = new Set<TrainingBadge>();
    const into = (key: string) => {
      for (const badge of entering.get(key) ?? []) {
        if (badge.host !== host || found.has(badge)) continue;
        found.add(badge);
        into(badgeKey(badge.redistribution.index));
      }
    };
    into(host);
    return [...new Set([...found, ...(hosted.get(host) ?? [])])];
  };
}

/** Widths of the lane's columns, in CSS pixels. */
export interface LaneWidths {
  /** The cards. */
  readonly card: number;
  /** The gradient glyphs beside the cards. */
  readonly result: number;
  /** Cards with gradients and badges; `updates` is the column of updates. */
  readonly gradients: number;
  readonly updates: number;
}

/** Widths (px) of a glyph and of a character in the large type used when zoomed out. */
const glyphRoom = 68;
const largeLetter = 13;

/** Columns as wide as their content. */
export function laneWidths(
  compiled: Compiled,
  { cells }: LaneCells,
  badges: Badges,
  nameOf: (tensor: TensorId) => string,
): LaneWidths {
  const tensors = tensorsOf(compiled.program.graph);
  const views = viewsOf(compiled.tensors);
  const all = [...cells.values()];
  const gradients = all.flatMap((cell) => cell.gradients);
  const updates = all.flatMap((cell) => cell.updates);
  const widthOf = (id: TensorId) => {
    const tensor = tensors.get(id);
    if (tensor === undefined) return 0;
    const name = nameOf(id);
    return Math.max(
      captionSize(tensor, views.get(id), name).width,
      glyphRoom + name.length * largeLetter,
    );
  };
  const badgesOf = ({ before, behind }: LaneBlock) =>
    [...before, ...behind].map(({ redistribution }, at, { length }) => {
      const words = badges(redistribution.index);
      return words === undefined
        ? 0
        : badgeWidth(words, false) + (length - 1 - at) * laneSizes.stagger;
    });
  const cards = (blocks: readonly LaneBlock[]) =>
    blocks.flatMap(({ item }) => (item === undefined ? [] : [cardWidth(item)]));
  const card = most([laneSizes.card.width, ...cards(gradients)]);
  const result = most(gradients.flatMap(({ results }) => results.map(widthOf)));
  const states = updates.map(({ item }) => statesWidth(item?.states.length ?? 0));
  return {
    card,
    result,
    gradients: most([card + laneSizes.tie + result, ...gradients.flatMap(badgesOf)]),
    updates: most([...cards(updates), ...updates.flatMap(badgesOf), ...states]),
  };
}

function statesWidth(count: number): number {
  return laneSizes.stateInset + count * (laneSizes.state.width + space.under);
}

function most(widths: readonly number[]): number {
  return widths.reduce((widest, width) => Math.max(widest, width), 0);
}
