import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { append } from "#core/records";
import type { BoardFacts, Send } from "./board-facts.ts";
import { type BoardItem, type BoardModule, operatorsOfItem } from "./board-item.ts";
import type { BoardTree } from "./board-tree.ts";

/** One row of the forward column, before it has a position. */
export type BoardRow = { readonly key: string; readonly depth: number } & (
  | { readonly kind: "operator"; readonly operator: Operator }
  | { readonly kind: "module"; readonly module: BoardModule }
  | { readonly kind: "input"; readonly tensor: Tensor }
);

/** An open module: the indices of its first and last row. */
export interface RowFrame {
  readonly module: BoardModule;
  readonly depth: number;
  readonly first: number;
  readonly last: number;
}

/** The rows with some modules open, and the row of every operator. */
export interface BoardRows {
  readonly rows: readonly BoardRow[];
  readonly frames: readonly RowFrame[];
  /**
   * The row of an operator: its own, that of its folded module, or the next one below if it is
   * hidden.
   */
  readonly rowOf: ReadonlyMap<OperatorId, number>;
  /** The row of each given input. */
  readonly inputRow: ReadonlyMap<TensorId, number>;
  /** For operators of hidden runs, the corresponding operator of the shown run. */
  readonly standsFor: ReadonlyMap<OperatorId, OperatorId>;
  /**
   * Redistributions at each row, including those that cross the boundary of a folded module at its
   * row.
   */
  readonly sends: ReadonlyMap<number, readonly Send[]>;
  /** Gradient redistributions below each row, on their way up to it. */
  readonly below: ReadonlyMap<number, readonly Send[]>;
  /** Redistributions inside a folded module, by its row. */
  readonly inside: ReadonlyMap<number, readonly Send[]>;
}

/** The rows of a tree with some modules open. */
export function boardRows(
  facts: BoardFacts,
  tree: BoardTree,
  open: ReadonlySet<string>,
): BoardRows {
  const reader = new RowReader(facts, tree, open);
  reader.write(tree.items, 0);
  return reader.result();
}

class RowReader {
  private readonly rows: BoardRow[] = [];
  private readonly frames: RowFrame[] = [];
  private readonly rowOf = new Map<OperatorId, number>();
  private readonly inputRow = new Map<TensorId, number>();
  private readonly standsFor = new Map<OperatorId, OperatorId>();
  /** Operators inside a folded module, with its row; redistributions between them are not drawn. */
  private readonly folded = new Map<OperatorId, number>();
  private readonly inputsAt: ReadonlyMap<OperatorId, readonly Tensor[]>;
  private readonly facts: BoardFacts;
  private readonly tree: BoardTree;
  private readonly open: ReadonlySet<string>;

  constructor(facts: BoardFacts, tree: BoardTree, open: ReadonlySet<string>) {
    this.facts = facts;
    this.tree = tree;
    this.open = open;
    this.inputsAt = facts.inputsAt;
  }

  write(items: readonly BoardItem[], depth: number): void {
    for (const item of items) {
      if (depth === 0) this.writeInputs(item);
      if (item.kind === "operator") {
        const { operator } = item;
        this.rowOf.set(operator.id, this.rows.length);
        this.rows.push({ kind: "operator", key: operator.id, operator, depth });
      } else if (this.open.has(item.key)) this.writeOpen(item, depth);
      else this.writeFolded(item, depth);
    }
  }

  /** Writes given inputs above their first reader, outside all frames. */
  private writeInputs(item: BoardItem): void {
    const operators =
      item.kind === "operator" ? [item.operator.id] : (item.runs[0]?.operators ?? []);
    for (const id of operators) {
      for (const tensor of this.inputsAt.get(id) ?? []) {
        this.inputRow.set(tensor.id, this.rows.length);
        this.rows.push({ kind: "input", key: tensor.id, tensor, depth: 0 });
      }
    }
  }

  private writeOpen(module: BoardModule, depth: number): void {
    const shown = module.runs[module.shown];
    for (const run of module.runs) {
      if (run === shown) continue;
      for (const [at, id] of run.operators.entries()) {
        const other = shown?.operators[at];
        if (other !== undefined) this.standsFor.set(id, other);
      }
    }
    const first = this.rows.length;
    this.write(module.items, depth + 1);
    const last = this.rows.length - 1;
    if (last >= first) this.frames.push({ module, depth, first, last });
  }

  private writeFolded(module: BoardModule, depth: number): void {
    const row = this.rows.length;
    for (const id of operatorsOfItem(module)) {
      this.rowOf.set(id, row);
      this.folded.set(id, row);
    }
    this.rows.push({ kind: "module", key: module.key, module, depth });
  }

  result(): BoardRows {
    this.placeHidden();
    const { rows, rowOf, inputRow, standsFor } = this;
    // Frames are collected innermost first but drawn outermost first.
    const frames = this.frames.toSorted((a, b) => a.depth - b.depth || a.first - b.first);
    return { rows, frames, rowOf, inputRow, standsFor, ...this.sendsByRow() };
  }

  /** Assigns operators without a row the next row below, or the last row if none follows. */
  private placeHidden(): void {
    let next = this.rows.length - 1;
    for (const { id } of this.facts.operators.toReversed()) {
      if (this.standsFor.has(id)) continue;
      const own = this.rowOf.get(id);
      if (own === undefined) this.rowOf.set(id, next);
      else next = own;
    }
    for (const [id] of this.standsFor) {
      const row = this.rowOf.get(this.standIn(id));
      if (row !== undefined) this.rowOf.set(id, row);
    }
  }

  private standIn(id: OperatorId): OperatorId {
    let at = id;
    for (let next = this.standsFor.get(at); next !== undefined; next = this.standsFor.get(at)) {
      at = next;
    }
    return at;
  }

  private sendsByRow(): Pick<BoardRows, "sends" | "below" | "inside"> {
    const sends = new Map<number, Send[]>();
    const below = new Map<number, Send[]>();
    const inside = new Map<number, Send[]>();
    for (const [home, list] of this.facts.sends) {
      if (this.standsFor.has(home)) continue;
      const row = this.rowOf.get(home) ?? 0;
      for (const send of list) {
        if (this.isInside(send, row)) append(inside, row, send);
        else if (send.lane === "gradient") append(below, this.rowAbove(home, row), send);
        else append(sends, row, send);
      }
    }
    return { sends, below, inside };
  }

  /** Whether a redistribution is inside a folded module, or belongs to its weights. */
  private isInside({ redistribution, lane, home }: Send, row: number): boolean {
    if (this.folded.get(home) !== row) return false;
    if (lane === "weight" || lane === "update") return true;
    const tensor = this.facts.tensors.get(redistribution.tensor);
    const maker =
      tensor?.producer === undefined ? undefined : this.facts.homes.get(tensor.producer);
    return maker !== undefined && this.rowOf.get(maker) === row;
  }

  /**
   * The row to which a gradient rises: that of its reader; for a hidden operator, the row above.
   */
  private rowAbove(home: OperatorId, row: number): number {
    const isOwn = this.tree.drawn.has(home) || this.folded.has(home);
    return isOwn ? row : Math.max(0, row - 1);
  }
}
