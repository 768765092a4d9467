import { product } from "#core/arithmetic";
import type { Operator, OperatorId, Phase, TensorId } from "#core/ir";
import { blockCount, createLayoutKeys, type Layout, localShape, type Part } from "#core/mesh";
import {
  flatSteps,
  type LocalStep,
  type Redistribution,
  type SpmdProgram,
  type ValueId,
} from "#core/program";
import { type Edge, type EdgeFigures, edgesIn } from "./edge.ts";
import { outcomeOf, type PolicyOutcome, type ReshardingSystem } from "./outcome.ts";
import type { EdgeRow, OperatorRow, SystemRow } from "./row.ts";

/** Differences in how a system runs a program. */
export interface WalkOptions {
  readonly isShown: (phase: Phase) => boolean;
  /**
   * Reason shown when the system redistributes again for each further reader; absent when it does
   * not.
   */
  readonly again?: string;
  /** A remark about a redistribution, added to why it differs. */
  readonly beside?: (redistribution: Redistribution) => string | undefined;
}

/**
 * Rows of a program in order, as a system would run it; `operatorRow` makes the row of one step.
 */
export function walkProgram(
  program: SpmdProgram,
  system: ReshardingSystem,
  options: WalkOptions,
): { readonly rows: readonly SystemRow[]; readonly operatorRow: (step: LocalStep) => OperatorRow } {
  const walk = new Walk(program, system, options);
  const steps = flatSteps(program).filter(({ phase }) => options.isShown(phase));
  const rows = steps.flatMap((step): readonly SystemRow[] => {
    if (step.kind === "collective") return walk.edge(step.reshard, step.phase);
    return [...walk.again(step), walk.operator(step)];
  });
  return { rows, operatorRow: (step) => walk.operator(step) };
}

class Walk {
  private readonly program: SpmdProgram;
  private readonly options: WalkOptions;
  private readonly layouts: ReadonlyMap<ValueId, Layout>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly shapes: ReadonlyMap<TensorId, readonly number[]>;
  private readonly edgeOf: (wanted: Redistribution) => Edge | undefined;
  private readonly outcome: (edge: Edge) => PolicyOutcome;
  private readonly names: ReadonlyMap<TensorId, string>;
  private readonly tensorOf: ReadonlyMap<ValueId, TensorId>;
  private readonly seen = new Set<number>();
  /** Redistributions that an operator shares with an earlier reader. */
  private readonly shared: ReadonlyMap<OperatorId, readonly Redistribution[]>;

  constructor(program: SpmdProgram, system: ReshardingSystem, options: WalkOptions) {
    this.program = program;
    this.options = options;
    const { values, graph } = program;
    this.layouts = new Map(values.map(({ id, layout }) => [id, layout]));
    this.tensorOf = new Map(values.map(({ id, tensor }) => [id, tensor]));
    this.operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
    this.shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
    this.names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
    this.edgeOf = edgesIn(program);
    this.outcome = createOutcomes(system);
    this.shared = sharedIn(program);
  }

  /** The row of a redistribution, at its first step only. */
  edge(index: number, phase: Phase): readonly EdgeRow[] {
    const redistribution = this.program.redistributions[index];
    const edge = redistribution && this.edgeOf(redistribution);
    if (redistribution === undefined || edge === undefined || this.seen.has(index)) return [];
    this.seen.add(index);
    const { tensor, reasons } = redistribution;
    return [
      {
        kind: "edge",
        tensor,
        name: this.names.get(tensor) ?? tensor,
        reason: reasons[0]?.kind ?? "output",
        redistribution: index,
        ours: edge.ours,
        theirs: this.withBeside(this.outcome(edge), redistribution),
        phase,
        count: 1,
      },
    ];
  }

  /** The outcome with the additional remark. */
  private withBeside(outcome: PolicyOutcome, redistribution: Redistribution): PolicyOutcome {
    const beside = this.options.beside?.(redistribution);
    if (outcome.kind !== "planned" || beside === undefined) return outcome;
    return { ...outcome, why: `${outcome.why} ${beside}` };
  }

  /** Rows of redistributions repeated for a further reader. */
  again({ operator, phase }: LocalStep): readonly EdgeRow[] {
    const { again: why } = this.options;
    if (why === undefined) return [];
    return (this.shared.get(operator) ?? []).flatMap((redistribution): readonly EdgeRow[] => {
      const { tensor, index } = redistribution;
      const edge = this.edgeOf(redistribution);
      const outcome = edge && this.outcome(edge);
      if (outcome === undefined) return [];
      const theirs = outcome.kind === "planned" ? { ...outcome, why } : outcome;
      const name = this.names.get(tensor) ?? tensor;
      const ours: EdgeFigures = { steps: [], bytes: 0, seconds: 0 };
      const row = { kind: "edge", tensor, name, ours, theirs, phase, count: 1 } as const;
      return [{ ...row, reason: "again", redistribution: index }];
    });
  }

  operator({ operator: id, phase, inputs, outputs, unverified }: LocalStep): OperatorRow {
    const operator = this.operators.get(id);
    const list = (values: readonly ValueId[]) =>
      values.map((value) => this.slice(value)).join(", ");
    return {
      kind: "operator",
      operator: id,
      op: operator?.op ?? id,
      name: operator?.name ?? id,
      slices: `${list(inputs)} → ${list(outputs)}`,
      ...(unverified !== undefined && { unverified: unverified.rule }),
      phase,
      count: 1,
    };
  }

  private slice(value: ValueId): string {
    const layout = this.layouts.get(value);
    const tensor = this.tensorOf.get(value);
    const shape = (tensor && this.shapes.get(tensor)) ?? [];
    if (layout === undefined) return `(${shape.join(", ")})`;
    const pieces = layout.dims.map(({ parts }) => blockCount(piecesIn(parts)));
    const times = product(pieces);
    const own = localShape(layout, shape).map((size, dim) => Math.ceil(size / (pieces[dim] ?? 1)));
    return `${times === 1 ? "" : `${times} × `}(${own.join(", ")})`;
  }
}

function piecesIn(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ kind }) => kind === "pieces");
}

function sharedIn({
  redistributions,
}: SpmdProgram): ReadonlyMap<OperatorId, readonly Redistribution[]> {
  const shared = new Map<OperatorId, Redistribution[]>();
  for (const redistribution of redistributions) {
    for (const reason of redistribution.reasons.slice(1)) {
      if (reason.kind !== "operand") continue;
      const list = shared.get(reason.operator) ?? [];
      shared.set(reason.operator, [...list, redistribution]);
    }
  }
  return shared;
}

/** Memoizes outcomes: repeated blocks ask for equal edges. */
function createOutcomes(system: ReshardingSystem): (edge: Edge) => PolicyOutcome {
  const keyOf = createLayoutKeys();
  const known = new Map<string, PolicyOutcome>();
  return (edge) => {
    const { from, to, shape, bytesPerElement, isWritten } = edge;
    const key = `${keyOf(from)};${keyOf(to)};${shape.join()};${bytesPerElement};${isWritten}`;
    const outcome = known.get(key) ?? outcomeOf(system, edge);
    known.set(key, outcome);
    return outcome;
  };
}

/** Merges equal rows of repeated blocks into the first, which counts them. */
export function countedRows(rows: readonly SystemRow[]): readonly SystemRow[] {
  const found = new Map<string, SystemRow>();
  for (const [at, row] of rows.entries()) {
    const name = row.name.replaceAll(/\[\d+\]/gu, "[*]");
    const key = name === row.name ? `${at}` : keyOfRow(row, name);
    const known = found.get(key);
    if (known === undefined) found.set(key, row);
    else found.set(key, { ...known, name, count: known.count + 1 });
  }
  return [...found.values()];
}

function keyOfRow(row: SystemRow, name: string): string {
  if (row.kind === "operator") {
    return JSON.stringify([name, row.op, row.slices, row.phase, row.unverified]);
  }
  return JSON.stringify([name, row.reason, row.ours, row.theirs, row.phase]);
}
