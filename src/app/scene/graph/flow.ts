import type { Compiled } from "#compile";
import type { OperatorId, Tensor, TensorId } from "#core/ir";
import type { LocalStep, Redistribution, ValueId } from "#core/program";
import { append } from "#core/records";
import { writtenRedistributions } from "../text/redistribution-list.ts";
import { type FoldedRow, type Folding, foldingOf } from "./canvas-folds.ts";

/** A node of the drawn graph: an operator's card, a source tensor, or a redistribution's badge. */
export type FlowNode =
  | { readonly kind: "card"; readonly row: number }
  | { readonly kind: "source"; readonly tensor: TensorId }
  | { readonly kind: "badge"; readonly redistribution: number };

/** An edge of the drawn graph: a tensor that flows from one node to another. */
export interface FlowEdge {
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly tensor: TensorId;
}

/**
 * The compiled program as drawn: rows of cards, sources, redistributions and the edges between
 * them.
 */
export interface Flow {
  readonly rows: readonly FoldedRow[];
  readonly folding: Folding;
  /** The results drawn beside each row; for a folded stack, only those used outside it. */
  readonly outputs: readonly (readonly TensorId[])[];
  /** Inputs and parameters that operators read, each with the row of its first reader. */
  readonly sources: readonly { readonly tensor: Tensor; readonly row: number }[];
  /** Inputs and parameters that nothing reads. */
  readonly alone: readonly Tensor[];
  readonly redistributions: readonly FlowRedistribution[];
  readonly edges: readonly FlowEdge[];
  /** Edges into each card (by row), and the edge into each badge (by redistribution index). */
  readonly intoCard: ReadonlyMap<number, readonly FlowEdge[]>;
  readonly intoBadge: ReadonlyMap<number, FlowEdge>;
  /** Number of edges that leave a badge. */
  readonly usesOfBadge: (redistribution: number) => number;
}

/** A redistribution with the rows between which it is drawn. */
export interface FlowRedistribution {
  readonly redistribution: Redistribution;
  /** Row of the card that produces the tensor; absent for inputs and parameters. */
  readonly producer: number | undefined;
  /** First row that uses the result, directly or after further redistributions. */
  readonly consumer: number | undefined;
  readonly isInside: boolean;
}

/** A unique key of a flow node. */
export function flowKey(node: FlowNode): string {
  switch (node.kind) {
    case "card":
      return `card ${node.row}`;
    case "source":
      return `source ${node.tensor}`;
    case "badge":
      return `badge ${node.redistribution}`;
  }
}

const noneOpen: ReadonlySet<string> = new Set();

/**
 * The drawn graph of a compiled program. Operators without a step read their tensors directly.
 * Equal blocks are folded into one row, except the runs in `open`; edges inside folded blocks are
 * left out.
 */
export function flowOf(compiled: Compiled, open: ReadonlySet<string> = noneOpen): Flow {
  const { graph } = compiled;
  const folding = foldingOf(compiled, open);
  const { rows, hiddenIn } = folding;
  const written = writtenRedistributions(compiled);
  const places = placesIn(compiled, folding);
  const { sourceOf, homeOf } = places;
  const reads = readsOf(compiled, folding.rowOf);
  const usesOf = usedRows(written, reads);
  const isHidden = (each: Redistribution) => {
    const [home, used] = [homeOf(each), usesOf(each)];
    return home !== undefined && used.length > 0 && used.every((row) => row === home);
  };
  const drawn = written.filter((each) => !isHidden(each));
  const moving = drawn.filter((each) => each.input !== each.output);
  const made = new Map(moving.map((each) => [each.output, each]));
  const carrierOf = (value: ValueId | undefined, tensor: TensorId): FlowNode => {
    const from = value === undefined ? undefined : made.get(value);
    return from === undefined ? sourceOf(tensor) : { kind: "badge", redistribution: from.index };
  };
  const outside = reads.filter((read) => !places.isInside(read));
  const edges = edgesOf(outside, drawn, carrierOf);
  const firstRead = firstRowOf(outside);
  const unmade = graph.tensors.filter(
    ({ id }) => !hiddenIn.has(id) && sourceOf(id).kind === "source",
  );
  return {
    rows,
    folding,
    outputs: outputsOf(compiled, folding, outside),
    sources: unmade.flatMap((tensor) => {
      const row = firstRead.get(tensor.id);
      return row === undefined ? [] : [{ tensor, row }];
    }),
    alone: unmade.filter((tensor) => !firstRead.has(tensor.id)),
    redistributions: moving.map((redistribution) => {
      const source = sourceOf(redistribution.tensor);
      const home = homeOf(redistribution);
      const used = usesOf(redistribution).filter((row) => row !== home);
      return {
        redistribution,
        producer: source.kind === "card" ? source.row : undefined,
        consumer: used.length === 0 ? undefined : least(used),
        isInside: redistribution.reasons.some((reason) => reason.kind === "reduction"),
      };
    }),
    edges,
    ...entrancesOf(edges),
  };
}

/**
 * Lookups of the node that each value comes from, and of values that stay inside a folded stack.
 */
function placesIn({ graph }: Compiled, { rows, rowOf, hiddenIn }: Folding) {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  /** The card that produces a tensor, else the tensor as a source. */
  const sourceOf = (tensor: TensorId): FlowNode => {
    const producer = tensors.get(tensor)?.producer;
    const row = producer === undefined ? undefined : rowOf.get(producer);
    return row === undefined ? { kind: "source", tensor } : { kind: "card", row };
  };
  const isStack = (row: number) => rows[row]?.kind === "stack";
  /**
   * The row of the folded stack that produces or hides a redistributed tensor; `undefined` outside
   * stacks.
   */
  const homeOf = ({ tensor }: Redistribution): number | undefined => {
    const source = sourceOf(tensor);
    if (source.kind !== "card") return hiddenIn.get(tensor);
    return isStack(source.row) ? source.row : undefined;
  };
  const isInside = ({ row, tensor }: Read) => {
    const source = sourceOf(tensor);
    if (!isStack(row)) return false;
    return source.kind === "card" ? source.row === row : hiddenIn.get(tensor) === row;
  };
  return { sourceOf, homeOf, isInside };
}

function edgesOf(
  reads: readonly Read[],
  drawn: readonly Redistribution[],
  carrierOf: (value: ValueId | undefined, tensor: TensorId) => FlowNode,
): readonly FlowEdge[] {
  return distinctEdges([
    ...reads.map(
      ({ row, tensor, value }): FlowEdge => ({
        from: carrierOf(value, tensor),
        to: { kind: "card", row },
        tensor,
      }),
    ),
    ...drawn.map(
      ({ index, input, tensor }): FlowEdge => ({
        from: carrierOf(input, tensor),
        to: { kind: "badge", redistribution: index },
        tensor,
      }),
    ),
  ]);
}

/**
 * Results of each row: the operator's outputs; for a folded stack, tensors read outside it and
 * program results of its last run.
 */
function outputsOf(
  { graph }: Compiled,
  { rows }: Folding,
  outside: readonly Read[],
): readonly (readonly TensorId[])[] {
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const isRead = new Set(outside.map(({ tensor }) => tensor));
  const results = new Set(graph.outputs);
  return rows.map((row) => {
    if (row.kind === "operator") {
      return operators.get(row.operator)?.outputs.map(({ tensor }) => tensor) ?? [];
    }
    const last = row.runs.at(-1);
    return row.runs.flatMap((run) =>
      run.made.filter((id) => isRead.has(id) || (run === last && results.has(id))),
    );
  });
}

function entrancesOf(
  edges: readonly FlowEdge[],
): Pick<Flow, "intoCard" | "intoBadge" | "usesOfBadge"> {
  const intoCard = new Map<number, FlowEdge[]>();
  const intoBadge = new Map<number, FlowEdge>();
  const uses = new Map<number, number>();
  for (const edge of edges) {
    const { from } = edge;
    if (from.kind === "badge")
      uses.set(from.redistribution, (uses.get(from.redistribution) ?? 0) + 1);
    if (edge.to.kind === "badge") intoBadge.set(edge.to.redistribution, edge);
    if (edge.to.kind !== "card") continue;
    append(intoCard, edge.to.row, edge);
  }
  return { intoCard, intoBadge, usesOfBadge: (index) => uses.get(index) ?? 0 };
}

interface Read {
  readonly row: number;
  readonly tensor: TensorId;
  readonly value: ValueId | undefined;
}

/**
 * Each operand of each operator, with the value that its step reads; without a value if the
 * operator has no step.
 */
function readsOf(
  { graph, program }: Compiled,
  rowOf: ReadonlyMap<OperatorId, number>,
): readonly Read[] {
  const steps = new Map<OperatorId, LocalStep>();
  for (const step of program.stages.flatMap((stage) => stage.steps)) {
    if (step.kind === "local" && !steps.has(step.operator)) steps.set(step.operator, step);
  }
  return graph.operators.flatMap((operator, at) => {
    const row = rowOf.get(operator.id) ?? at;
    const values = steps.get(operator.id)?.inputs;
    return operator.inputs.map(({ tensor }, operand) => ({
      row,
      tensor,
      value: values?.[operand],
    }));
  });
}

function firstRowOf(reads: readonly Read[]): ReadonlyMap<TensorId, number> {
  const rows = new Map<TensorId, number>();
  for (const { tensor, row } of reads) {
    rows.set(tensor, Math.min(row, rows.get(tensor) ?? row));
  }
  return rows;
}

/** One edge per pair of nodes and tensor: an operator that reads a value twice gets one line. */
function distinctEdges(edges: readonly FlowEdge[]): readonly FlowEdge[] {
  const byKey = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const key = `${flowKey(edge.from)} ${flowKey(edge.to)} ${edge.tensor}`;
    if (!byKey.has(key)) byKey.set(key, edge);
  }
  return [...byKey.values()];
}

/** The rows that use each redistribution's result, directly or through further ones. */
function usedRows(
  written: readonly Redistribution[],
  reads: readonly Read[],
): (each: Redistribution) => readonly number[] {
  const rows = new Map<ValueId, Set<number>>();
  for (const { input, output } of written) if (input !== output) rows.set(output, new Set());
  for (const { value, row } of reads) if (value !== undefined) rows.get(value)?.add(row);
  // A later redistribution of the same tensor passes its readers on to the earlier one.
  for (const { input, output } of written.toReversed()) {
    if (input === output) continue;
    for (const row of rows.get(output) ?? []) rows.get(input)?.add(row);
  }
  return ({ output }) => [...(rows.get(output) ?? [])];
}

function least(rows: readonly number[]): number {
  return rows.reduce((first, row) => Math.min(first, row), rows[0] ?? 0);
}
