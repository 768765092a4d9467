import type { Compiled } from "#compile";
import { type Graph, layerPaths, type OperatorId, type Tensor, type TensorId } from "#core/ir";
import { rememberedFor } from "../remembered.ts";
import { type Block, type BlockRun, blocksOf, type OtherRun } from "./canvas-blocks.ts";

/** One row of the canvas: an operator, or equal runs of a block drawn once. */
export type FoldedRow =
  | { readonly kind: "operator"; readonly operator: OperatorId }
  | {
      readonly kind: "stack";
      readonly runs: readonly BlockRun[];
      /** Number of blocks that a gesture in one of the runs changes. */
      readonly together: number;
    };

/** An expanded run: the rows from its first to its last operator. */
export interface OpenRun {
  readonly run: BlockRun;
  /** Position of the run in its block, from 1. */
  readonly place: number;
  readonly count: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Number of blocks that a gesture in the run changes. */
  readonly together: number;
  /**
   * Names of the differing operators, for a block that is unequal to the others and cannot be
   * folded.
   */
  readonly differsBy?: readonly string[];
}

/** The rows of the canvas, and the row of every operator. */
export interface Folding {
  readonly rows: readonly FoldedRow[];
  readonly openRuns: readonly OpenRun[];
  readonly rowOf: ReadonlyMap<OperatorId, number>;
  /** Name without the prefix of the block whose label is above it: `h` for `layers[3].h`. */
  readonly nameIn: (id: OperatorId | TensorId, name: string) => string;
  /** The row of the stack that hides a parameter. */
  readonly hiddenIn: ReadonlyMap<TensorId, number>;
}

/**
 * Folds the equal blocks of a program: all runs except those whose keys are in `open`; consecutive
 * folded runs share one row.
 */
export function foldingOf(compiled: Compiled, open: ReadonlySet<string>): Folding {
  const { operators } = compiled.graph;
  const found = blocksOf(compiled);
  const blocks = new Map(found.map((block) => [block.runs[0]?.start, block]));
  const others = new Map(
    found.flatMap((block) => block.others.map((other) => [other.run.start, { other, block }])),
  );
  const rows = new RowWriter();
  for (let at = 0; at < operators.length; ) {
    const block = blocks.get(at);
    const beside = others.get(at);
    if (beside !== undefined) {
      rows.addOther(beside.other, beside.block);
      at += beside.other.run.operators.length;
    } else if (block === undefined) {
      const operator = operators[at];
      if (operator !== undefined) rows.addOperator(operator.id);
      at += 1;
    } else {
      rows.addBlock(block, open);
      at += block.runs.reduce((sum, run) => sum + run.operators.length, 0);
    }
  }
  return rows.result();
}

/**
 * Canvas names of forward operators and tensors. An operator is named by its layer (`attn.qkv` for
 * `layers[3].linear_2`) if a module makes it alone or its result has no given name; an unnamed
 * result likewise.
 */
export function forwardNames({ graph }: Compiled, { nameIn }: Folding) {
  const { operators, tensors } = layersOf(graph);
  return {
    operator: (id: OperatorId, name: string) => nameIn(id, operators.get(id) ?? name),
    tensor: ({ id, name }: Pick<Tensor, "id" | "name">) => nameIn(id, tensors.get(id) ?? name),
  };
}

/** Layer names by operator and tensor; skips the search if the text has no modules. */
const layersOf = rememberedFor((graph: Graph): ReturnType<typeof layerPaths> => {
  const hasModules = graph.operators.some(({ module }) => module !== undefined);
  return hasModules ? layerPaths(graph) : { operators: new Map(), tensors: new Map() };
});

/** Builds one folding: writes rows and records the row of every operator and hidden parameter. */
class RowWriter {
  private readonly rows: FoldedRow[] = [];
  private readonly openRuns: OpenRun[] = [];
  private readonly rowOf = new Map<OperatorId, number>();
  private readonly hiddenIn = new Map<TensorId, number>();
  private readonly labels = new Map<OperatorId | TensorId, string>();

  addOperator(operator: OperatorId): void {
    this.rowOf.set(operator, this.rows.length);
    this.rows.push({ kind: "operator", operator });
  }

  addOther({ run, differsBy }: OtherRun, block: Block): void {
    const { runs, others } = block;
    this.nameAll(run);
    const firstRow = this.rows.length;
    for (const operator of run.operators) this.addOperator(operator);
    const lastRow = this.rows.length - 1;
    const isFirst = run.start < (runs[0]?.start ?? 0);
    const count = runs.length + others.length;
    const place = isFirst ? 1 : count;
    const together = togetherIn(block, run);
    this.openRuns.push({ run, place, count, firstRow, lastRow, together, differsBy });
  }

  addBlock(block: Block, open: ReadonlySet<string>): void {
    const { runs } = block;
    const together = block.alike.length;
    let folded: BlockRun[] = [];
    for (const [at, run] of runs.entries()) {
      this.nameAll(run);
      if (!open.has(run.key)) {
        folded.push(run);
        continue;
      }
      this.addStack(folded, together);
      folded = [];
      const firstRow = this.rows.length;
      for (const operator of run.operators) this.addOperator(operator);
      const lastRow = this.rows.length - 1;
      const place = at + 1;
      this.openRuns.push({ run, place, count: runs.length, firstRow, lastRow, together });
    }
    this.addStack(folded, together);
  }

  result(): Folding {
    const { rows, openRuns, rowOf, hiddenIn, labels } = this;
    const nameIn = (id: OperatorId | TensorId, name: string) => {
      const label = labels.get(id);
      const isInside = label !== undefined && name.startsWith(`${label}.`);
      return isInside ? name.slice(label.length + 1) : name;
    };
    return { rows, openRuns, rowOf, hiddenIn, nameIn };
  }

  /** Results that leave a stack are drawn outside its blocks, so they keep their whole names. */
  private forgetNames({ made }: BlockRun): void {
    for (const id of made) this.labels.delete(id);
  }

  private nameAll(run: BlockRun): void {
    for (const id of [...run.operators, ...run.made, ...run.parameters]) {
      this.labels.set(id, run.label);
    }
  }

  private addStack(runs: readonly BlockRun[], together: number): void {
    if (runs.length === 0) return;
    const row = this.rows.length;
    const last = runs.at(-1);
    if (last !== undefined) this.forgetNames(last);
    for (const { operators, parameters } of runs) {
      for (const operator of operators) this.rowOf.set(operator, row);
      for (const tensor of parameters) this.hiddenIn.set(tensor, row);
    }
    this.rows.push({ kind: "stack", runs, together });
  }
}

function togetherIn({ alike }: Block, { key }: BlockRun): number {
  return alike.some((run) => run.key === key) ? alike.length : 1;
}
