import type { Compiled } from "#compile";
import type { OperatorId, Tensor, TensorId } from "#core/ir";
import type { LocalStep, Redistribution, ValueId } from "#core/program";
import { writtenRedistributions } from "./redistribution-list.ts";

/** Something that values come from or go to. */
export type FlowNode =
  | { readonly kind: "card"; readonly row: number }
  | { readonly kind: "source"; readonly tensor: TensorId }
  | { readonly kind: "badge"; readonly redistribution: number };

/** A value on its way from one thing to another. */
export interface FlowEdge {
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly tensor: TensorId;
}

/** The compiled program as cards in rows, sources, redistributions and what flows between them. */
export interface Flow {
  readonly operators: readonly OperatorId[];
  /** Inputs and parameters that an operator reads, with the row of the first one that does. */
  readonly sources: readonly { readonly tensor: Tensor; readonly row: number }[];
  /** Inputs and parameters that nothing reads. */
  readonly alone: readonly Tensor[];
  readonly redistributions: readonly FlowRedistribution[];
  readonly edges: readonly FlowEdge[];
  /** The edges into each card, by row, and into each badge, by the redistribution's index. */
  readonly intoCard: ReadonlyMap<number, readonly FlowEdge[]>;
  readonly intoBadge: ReadonlyMap<number, FlowEdge>;
}

/** A redistribution with the rows that it stands between. */
export interface FlowRedistribution {
  readonly redistribution: Redistribution;
  /** Row of the card that makes the tensor; absent for inputs and parameters. */
  readonly producer: number | undefined;
  /** First row that uses the result, directly or after further redistributions. */
  readonly consumer: number | undefined;
  readonly isInside: boolean;
}

/** A text that tells flow nodes apart. */
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

/** Reads the flow of values off a compiled program; operators without a step read their tensors. */
export function flowOf(compiled: Compiled): Flow {
  const { graph } = compiled;
  const rowOf = new Map(graph.operators.map((operator, row) => [operator.id, row]));
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const written = writtenRedistributions(compiled);
  const moving = written.filter((each) => each.input !== each.output);
  const made = new Map(moving.map((each) => [each.output, each]));
  const sourceOf = (tensor: TensorId): FlowNode => {
    const producer = tensors.get(tensor)?.producer;
    const row = producer === undefined ? undefined : rowOf.get(producer);
    return row === undefined ? { kind: "source", tensor } : { kind: "card", row };
  };
  const carrierOf = (value: ValueId | undefined, tensor: TensorId): FlowNode => {
    const from = value === undefined ? undefined : made.get(value);
    return from === undefined ? sourceOf(tensor) : { kind: "badge", redistribution: from.index };
  };
  const reads = readsOf(compiled);
  const edges = distinctEdges([
    ...reads.map(
      ({ row, tensor, value }): FlowEdge => ({
        from: carrierOf(value, tensor),
        to: { kind: "card", row },
        tensor,
      }),
    ),
    ...written.map(
      (each): FlowEdge => ({
        from: carrierOf(each.input, each.tensor),
        to: { kind: "badge", redistribution: each.index },
        tensor: each.tensor,
      }),
    ),
  ]);
  const firstRead = firstRowOf(reads);
  const consumers = consumersOf(edges);
  const unmade = graph.tensors.filter((tensor) => sourceOf(tensor.id).kind === "source");
  return {
    operators: graph.operators.map((operator) => operator.id),
    sources: unmade.flatMap((tensor) => {
      const row = firstRead.get(tensor.id);
      return row === undefined ? [] : [{ tensor, row }];
    }),
    alone: unmade.filter((tensor) => !firstRead.has(tensor.id)),
    redistributions: moving.map((redistribution) => {
      const source = sourceOf(redistribution.tensor);
      return {
        redistribution,
        producer: source.kind === "card" ? source.row : undefined,
        consumer: consumers(redistribution.index),
        isInside: redistribution.reasons.some((reason) => reason.kind === "reduction"),
      };
    }),
    edges,
    ...entrancesOf(edges),
  };
}

function entrancesOf(edges: readonly FlowEdge[]): Pick<Flow, "intoCard" | "intoBadge"> {
  const intoCard = new Map<number, FlowEdge[]>();
  const intoBadge = new Map<number, FlowEdge>();
  for (const edge of edges) {
    if (edge.to.kind === "badge") intoBadge.set(edge.to.redistribution, edge);
    if (edge.to.kind !== "card") continue;
    const entering = intoCard.get(edge.to.row);
    if (entering === undefined) intoCard.set(edge.to.row, [edge]);
    else entering.push(edge);
  }
  return { intoCard, intoBadge };
}

interface Read {
  readonly row: number;
  readonly tensor: TensorId;
  readonly value: ValueId | undefined;
}

/** Each operand of each operator, with the value that its step reads when it has a step. */
function readsOf({ graph, program }: Compiled): readonly Read[] {
  const steps = new Map<OperatorId, LocalStep>();
  for (const step of program.stages.flatMap((stage) => stage.steps)) {
    if (step.kind === "local" && !steps.has(step.operator)) steps.set(step.operator, step);
  }
  return graph.operators.flatMap((operator, row) =>
    operator.inputs.map((operand, at) => ({
      row,
      tensor: operand.tensor,
      value: steps.get(operator.id)?.inputs[at],
    })),
  );
}

function firstRowOf(reads: readonly Read[]): ReadonlyMap<TensorId, number> {
  const rows = new Map<TensorId, number>();
  for (const { tensor, row } of reads) {
    rows.set(tensor, Math.min(row, rows.get(tensor) ?? row));
  }
  return rows;
}

/** One edge per pair of nodes: an operator that reads a value twice gets one line. */
function distinctEdges(edges: readonly FlowEdge[]): readonly FlowEdge[] {
  const byKey = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const key = `${flowKey(edge.from)} ${flowKey(edge.to)} ${edge.tensor}`;
    if (!byKey.has(key)) byKey.set(key, edge);
  }
  return [...byKey.values()];
}

/** The first row that uses a redistribution's result, directly or through further ones. */
function consumersOf(edges: readonly FlowEdge[]): (redistribution: number) => number | undefined {
  const leaving = new Map<number, FlowEdge[]>();
  for (const edge of edges) {
    if (edge.from.kind !== "badge") continue;
    const { redistribution } = edge.from;
    leaving.set(redistribution, [...(leaving.get(redistribution) ?? []), edge]);
  }
  const first = (redistribution: number): number | undefined => {
    const rows = (leaving.get(redistribution) ?? []).flatMap(({ to }): readonly number[] => {
      if (to.kind === "card") return [to.row];
      const next = to.kind === "badge" ? first(to.redistribution) : undefined;
      return next === undefined ? [] : [next];
    });
    return rows.length === 0 ? undefined : Math.min(...rows);
  };
  return first;
}
