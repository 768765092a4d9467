import type { Compiled } from "#compile";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { Rect } from "../../mark.ts";
import type { BlockStack, CanvasNode } from "../canvas.ts";
import { forwardNames } from "../canvas-folds.ts";
import { operatorHeat } from "../canvas-heat.ts";
import { canvasSizes, space } from "../canvas-sizes.ts";
import type { Flow } from "../flow.ts";
import { type Badges, badgeWidth } from "../redistribution-badge.ts";
import { captionOf, layoutsOf, tensorsOf } from "../tensor-caption.ts";
import {
  cardHeight,
  cardWidth,
  type LaneBlock,
  type LaneCells,
  type LaneWidths,
} from "./training-cells.ts";
import { badgeKey, type TrainingBadge, type TrainingItem } from "./training-items.ts";
import { laneSizes } from "./training-sizes.ts";
import { trainingStacks } from "./training-stacks.ts";

/** Vertical interval of the page beside a rank of forward cards. */
export interface Band {
  readonly y: number;
  readonly height: number;
}

/** Left edges (x) of the lane's columns. */
export interface LanePlaces {
  readonly gradients: number;
  readonly updates: number;
}

/** The boxes of the lane, and the box of each flow key. */
export interface LaneBoxes {
  readonly nodes: readonly CanvasNode[];
  readonly byKey: ReadonlyMap<string, CanvasNode>;
  /** Result glyphs by the key of their card and their tensor. */
  readonly glyphs: ReadonlyMap<string, CanvasNode>;
  readonly blocks: readonly LaneBlock[];
}

interface Placing {
  readonly compiled: Compiled;
  readonly flow: Flow;
  readonly lane: LaneCells;
  readonly bands: ReadonlyMap<number, Band>;
  readonly badges: Badges;
  readonly widths: LaneWidths;
  readonly at: LanePlaces;
}

/** Names of training operators and tensors, without the prefix of an open block. */
export function laneNames(compiled: Compiled, { folding }: Flow) {
  const { graph, program } = compiled;
  const forward = forwardNames(compiled, folding);
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  const tensors = tensorsOf(program.graph);
  const firstReader = new Map<TensorId, OperatorId>();
  for (const { id, inputs } of graph.operators) {
    for (const { tensor } of inputs) if (!firstReader.has(tensor)) firstReader.set(tensor, id);
  }
  const near = (tensor: Tensor | undefined): OperatorId | TensorId | undefined =>
    tensor?.gradientOf ?? tensor?.replaces;
  /** `wte.grad`, where `wte` is the forward name of the tensor whose gradient it is. */
  const named = (beside: OperatorId | TensorId, tensor: Tensor | undefined, name: string) => {
    const own = tensors.get(tensor?.gradientOf ?? ("" as TensorId));
    if (own === undefined || !name.startsWith(own.name)) return folding.nameIn(beside, name);
    return forward.tensor(own) + name.slice(own.name.length);
  };
  return {
    operator: ({ id, of, name, outputs }: Operator) => {
      const made = tensors.get(outputs[0]?.tensor ?? ("" as TensorId));
      return named(of ?? near(made) ?? id, made, name);
    },
    tensor: (id: TensorId) => {
      const tensor = tensors.get(id);
      const maker = operators.get(tensor?.producer ?? ("" as OperatorId));
      return named(near(tensor) ?? maker?.of ?? id, tensor, tensor?.name ?? id);
    },
  };
}

/** Creates a box for everything in a training step, beside the rank it belongs to. */
export function laneBoxes(placing: Placing): LaneBoxes {
  const writer = new BoxWriter(placing);
  for (const [rank, { gradients, updates }] of placing.lane.cells) {
    const band = placing.bands.get(rank);
    if (band === undefined) continue;
    writer.addColumn(gradients, band, "gradients");
    writer.addColumn(updates, band, "updates");
  }
  return writer.result();
}

type Column = keyof LanePlaces;

/** Builds the boxes of one layout, with a cursor that moves down each cell. */
class BoxWriter {
  private readonly placing: Placing;
  private readonly nodes: CanvasNode[] = [];
  private readonly byKey = new Map<string, CanvasNode>();
  private readonly glyphs = new Map<string, CanvasNode>();
  private readonly blocks: LaneBlock[] = [];
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly layouts: ReturnType<typeof layoutsOf>;
  private readonly heat: ReturnType<typeof operatorHeat>;
  private readonly names: ReturnType<typeof laneNames>;
  private readonly stackOf: (item: TrainingItem) => BlockStack;

  constructor(placing: Placing) {
    const { compiled, flow } = placing;
    this.placing = placing;
    this.tensors = tensorsOf(compiled.program.graph);
    this.layouts = layoutsOf(compiled);
    this.heat = operatorHeat(compiled);
    this.names = laneNames(compiled, flow);
    this.stackOf = trainingStacks(compiled, placing.lane.training);
  }

  /** Adds blocks one below the other, centred in their band. */
  addColumn(blocks: readonly LaneBlock[], band: Band, column: Column): void {
    const gaps = Math.max(0, blocks.length - 1) * laneSizes.between;
    const height = blocks.reduce((sum, block) => sum + block.height, gaps);
    let y = band.y + (band.height - height) / 2;
    for (const block of blocks) {
      this.blocks.push(block);
      if (column === "updates") this.addUpdate(block, y);
      else this.addGradient(block, y);
      y += block.height + laneSizes.between;
    }
  }

  result(): LaneBoxes {
    const { nodes, byKey, glyphs, blocks } = this;
    return { nodes, byKey, glyphs, blocks };
  }

  /**
   * Adds a gradient block, in which values flow up: the redistributions of its results, the card
   * with its gradients, then the redistributions of its operands.
   */
  private addGradient(block: LaneBlock, top: number): void {
    const { gradients: x } = this.placing.at;
    const { card, result } = this.placing.widths;
    const { item, results, core, behind, before, key } = block;
    let y = this.addBadges(behind.toReversed(), { x, y: top, isAbove: true });
    if (item !== undefined) {
      const height = cardHeight(item);
      this.keep(
        key,
        this.cardNode(item, { x, y: y + (core - height) / 2, width: cardWidth(item), height }),
      );
    }
    const stack = results.length * (canvasSizes.tensor + space.stack) - space.stack;
    let glyphY = y + (core - stack) / 2;
    const glyphX = x + card + laneSizes.tie;
    for (const id of results) {
      const box = { x: glyphX, y: glyphY, width: result, height: canvasSizes.tensor };
      const node = this.tensorNode(id, "right", box);
      if (node !== undefined) {
        this.nodes.push(node);
        this.glyphs.set(`${key} ${id}`, node);
        if (item === undefined) this.byKey.set(key, node);
      }
      glyphY += canvasSizes.tensor + space.stack;
    }
    y += core;
    this.addBadges(before, { x, y, isAbove: false });
  }

  /**
   * Adds an update block, in which values flow down: redistributions of the gradient, the update,
   * redistributions of its results, then the optimizer state.
   */
  private addUpdate({ key, item, before, behind, core }: LaneBlock, top: number): void {
    if (item === undefined) return;
    const { updates: x } = this.placing.at;
    let y = this.addBadges(before.toReversed(), { x, y: top, isAbove: true });
    const height = cardHeight(item);
    this.keep(key, this.cardNode(item, { x, y, width: cardWidth(item), height }));
    y = this.addBadges(behind, { x, y: y + core, isAbove: false });
    y += laneSizes.badge;
    for (const [at, id] of item.states.entries()) {
      const { width, height: high } = laneSizes.state;
      const left = x + laneSizes.stateInset + at * (width + space.under);
      const node = this.tensorNode(id, "state", { x: left, y, width, height: high });
      if (node !== undefined) this.nodes.push(node);
    }
  }

  /**
   * Adds badges above or below a card; each leaves room at its left for the lines of badges farther
   * away. Returns the y below them.
   */
  private addBadges(
    badges: readonly TrainingBadge[],
    { x, y: top, isAbove }: { readonly x: number; readonly y: number; readonly isAbove: boolean },
  ): number {
    let y = top;
    for (const [at, { redistribution }] of badges.entries()) {
      const far = isAbove ? at : badges.length - 1 - at;
      if (!isAbove) y += laneSizes.badge;
      const left = x + far * laneSizes.stagger;
      this.keep(badgeKey(redistribution.index), this.badgeNode(redistribution, left, y));
      y += canvasSizes.badge;
      if (isAbove) y += laneSizes.badge;
    }
    return y;
  }

  private keep(key: string, node: CanvasNode | undefined): void {
    if (node === undefined) return;
    this.nodes.push(node);
    this.byKey.set(key, node);
  }

  private badgeNode(
    { index }: TrainingBadge["redistribution"],
    x: number,
    y: number,
  ): CanvasNode | undefined {
    const badge = this.placing.badges(index);
    if (badge === undefined) return undefined;
    const box = { x, y, width: badgeWidth(badge, false), height: canvasSizes.badge };
    const id = `redist-${index}`;
    return { id, kind: "redistribution", redistribution: index, badge, isShort: false, ...box };
  }

  private cardNode(item: TrainingItem, box: Rect): CanvasNode | undefined {
    const [operator] = item.operators;
    if (operator === undefined) return undefined;
    if (item.runs.length > 0) {
      const stack = this.stackOf(item);
      const id = `stack-${item.kind}-${item.runs[0]?.key}`;
      const heat = this.heat.shareOf(stack.seconds / stack.count);
      return { id, kind: "stack", stack, heat, ...box };
    }
    const name = this.names.operator(operator);
    const heat = this.heat.heatOf(operator.id);
    const makes = item.kind === "update" ? operator.outputs.map(({ tensor }) => tensor) : undefined;
    const id = `operator-${operator.id}`;
    const node = { id, kind: "operator" as const, operator: operator.id, name, heat, ...box };
    return makes === undefined ? node : { ...node, makes };
  }

  private tensorNode(id: TensorId, side: "right" | "state", box: Rect): CanvasNode | undefined {
    const tensor = this.tensors.get(id);
    if (tensor === undefined) return undefined;
    const name = side === "state" ? tensor.name.slice(tensor.name.lastIndexOf(".") + 1) : undefined;
    const caption = captionOf(tensor, this.layouts.get(id), name ?? this.names.tensor(id));
    return { id: `tensor-${id}`, kind: "tensor", tensor: id, side, caption, ...box };
  }
}
