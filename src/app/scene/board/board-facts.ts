import type { Compiled } from "#compile";
import { product } from "#core/arithmetic";
import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { CollectiveStep, Redistribution } from "#core/program";
import { append } from "#core/records";
import { tensorsOf, viewsOf } from "../graph/tensor-caption.ts";
import { homesOf } from "../operator-homes.ts";
import { rememberedFor, rememberedForPairs } from "../remembered.ts";
import { labelsOf } from "../row-labels.ts";
import { stepsByRedistribution } from "../text/comm-summary.ts";
import type { BoardLane } from "./board.ts";
import { type BoardFigures, boardFigures } from "./board-figures.ts";

/** A redistribution, and the operator of the text whose row it is drawn at. */
export interface Send {
  readonly redistribution: Redistribution;
  readonly steps: readonly CollectiveStep[];
  readonly lane: BoardLane;
  readonly home: OperatorId;
  /** Whether the redistribution is drawn behind its row, since no operator reads its result. */
  readonly isBehind: boolean;
  /**
   * Whether it runs in the backward pass (recomputation) although it is drawn in the forward
   * column.
   */
  readonly isAgain: boolean;
}

/** The drawn facts of a program, independent of open modules. */
export interface BoardFacts {
  readonly compiled: Compiled;
  /** Operators of the text, in program order. */
  readonly operators: readonly Operator[];
  readonly byId: ReadonlyMap<OperatorId, Operator>;
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
  readonly labels: ReadonlyMap<OperatorId, string>;
  readonly figures: BoardFigures;
  readonly sends: ReadonlyMap<OperatorId, readonly Send[]>;
  /** Backward operators by the operator of the text to which they belong. */
  readonly gradients: ReadonlyMap<OperatorId, readonly Operator[]>;
  readonly updates: readonly Operator[];
  /** Given inputs by the operator that reads them first. */
  readonly inputsAt: ReadonlyMap<OperatorId, readonly Tensor[]>;
  /** The operator of the text to which each operator of the program belongs. */
  readonly homes: ReadonlyMap<OperatorId, OperatorId>;
}

/** Reads a compiled program for the board; cached per compiled version. */
export const boardFacts: (compiled: Compiled) => BoardFacts = rememberedFor(
  (compiled: Compiled): BoardFacts => {
    const { graph, program } = compiled;
    const byId = new Map(graph.operators.map((operator) => [operator.id, operator]));
    const homes = homesOf(graph, program.graph);
    const homeOf = (id: OperatorId) => homes.get(id);
    const later = program.graph.operators.filter(({ id }) => !byId.has(id));
    const gradients = new Map<OperatorId, Operator[]>();
    for (const operator of later) {
      const { phase = "forward" } = operator;
      const home = homeOf(operator.id);
      if (phase !== "update" && home !== undefined) append(gradients, home, operator);
    }
    return {
      ...{ compiled, operators: graph.operators, byId, gradients, homes },
      tensors: tensorsOf(program.graph),
      labels: labelsOf(program.graph),
      inputsAt: inputsByReader(graph, tensorsOf(program.graph)),
      figures: boardFigures(compiled),
      sends: sendsIn(compiled, homeOf),
      updates: later.filter(({ phase }) => phase === "update"),
    };
  },
);

/** Whether weights are gathered for the operators that read them. */
export function gathersWeights(compiled: Compiled): boolean {
  const all = [...boardFacts(compiled).sends.values()];
  return all.some((sends) => sends.some(({ lane }) => lane === "weight"));
}

/** Maps any operator of the program to the operator of the text it belongs to. */
type HomeOf = (id: OperatorId) => OperatorId | undefined;

function sendsIn(compiled: Compiled, homeOf: HomeOf): ReadonlyMap<OperatorId, readonly Send[]> {
  const { program } = compiled;
  const steps = stepsByRedistribution(program);
  const tensors = tensorsOf(program.graph);
  const sends = new Map<OperatorId, Send[]>();
  const last = compiled.graph.operators.at(-1)?.id;
  for (const redistribution of program.redistributions) {
    const own = steps.get(redistribution.index) ?? [];
    const tensor = tensors.get(redistribution.tensor);
    if (own.length === 0 || tensor === undefined) continue;
    const place = placeOf(redistribution, own, tensor, homeOf);
    const home = place.home ?? last;
    if (home !== undefined) append(sends, home, { redistribution, steps: own, ...place, home });
  }
  return sends;
}

function placeOf(
  { reasons }: Redistribution,
  [first]: readonly CollectiveStep[],
  tensor: Tensor,
  homeOf: HomeOf,
): Omit<Send, "home" | "redistribution" | "steps"> & { readonly home: OperatorId | undefined } {
  const phase = first?.phase ?? "forward";
  const [reader] = reasons.flatMap((reason) =>
    reason.kind === "operand" || reason.kind === "reduction" ? [reason.operator] : [],
  );
  const maker = tensor.producer === undefined ? undefined : homeOf(tensor.producer);
  const home = (reader === undefined ? undefined : homeOf(reader)) ?? maker;
  const at = { home, isBehind: reader === undefined, isAgain: phase !== "forward" };
  if (isWeight(tensor)) {
    return { ...at, lane: phase === "update" ? "update" : "weight" };
  }
  if (phase === "forward") return { ...at, lane: "forward" };
  if (phase === "update" || reasons.some(({ kind }) => kind === "mirror")) {
    return { ...at, home: maker ?? home, lane: "update" };
  }
  return { ...at, lane: "gradient" };
}

function isWeight({ role, castOf }: Tensor): boolean {
  return role === "parameter" || role === "state" || castOf !== undefined;
}

/** Seconds of an operator of the text in the forward pass. */
export function forwardSeconds({ figures }: BoardFacts, id: OperatorId): number {
  return figures.operators.get(id) ?? 0;
}

/** Seconds that training adds to an operator, including recomputation. */
export function backwardSeconds({ figures, gradients }: BoardFacts, id: OperatorId): number {
  const later = gradients.get(id) ?? [];
  return later.reduce((sum, each) => sum + (figures.operators.get(each.id) ?? 0), 0);
}

/** The parameters that an operator reads, largest first. */
export function weightsOf({ tensors }: BoardFacts, operator: Operator): readonly Tensor[] {
  return weightsIn(tensors, operator);
}

const weightsIn = rememberedForPairs(
  (tensors: BoardFacts["tensors"], { inputs }: Operator): readonly Tensor[] => {
    const read = [...new Set(inputs.map(({ tensor }) => tensor))];
    const found = read.flatMap((id) => {
      const tensor = tensors.get(id);
      return tensor !== undefined && isWeight(tensor) ? [tensor] : [];
    });
    return found.sort((a, b) => elements(b) - elements(a));
  },
);

function elements({ shape }: Tensor): number {
  return product(shape);
}

/**
 * The layout of a tensor on the board: for a weight its layout at rest, for a result the layout its
 * operator produces.
 */
export function layoutAt({ compiled }: BoardFacts, tensor: TensorId) {
  const view = viewsOf(compiled.tensors).get(tensor);
  return view?.atRest ?? view?.layout;
}

/** Given inputs by the operator that reads them first. */
function inputsByReader({ operators }: Graph, tensors: ReadonlyMap<TensorId, Tensor>) {
  const seen = new Set<TensorId>();
  const found = new Map<OperatorId, Tensor[]>();
  for (const { id, inputs } of operators) {
    for (const { tensor } of inputs) {
      const known = tensors.get(tensor);
      if (known?.role !== "input" || known.isMadeInside || seen.has(tensor)) continue;
      if (known.producer !== undefined) continue;
      seen.add(tensor);
      append(found, id, known);
    }
  }
  return found;
}
