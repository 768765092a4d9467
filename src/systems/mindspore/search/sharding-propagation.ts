import { batchParallel } from "../operators/default-strategy.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { ruleOf } from "../operators/rules.ts";
import { costOf, refinedBytes } from "../redistribution/cost.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import { type Redistribution, redistribute } from "../redistribution/redistribute.ts";
import { type Candidate, candidatesOf } from "./enumerate-strategies.ts";
import type { FoundStrategies, SearchEdge, SearchGraph, SearchOperator } from "./search-graph.ts";

/**
 * Strategies for the operators without one, by `sharding_propagation` (mindspore.md §6.4): from the
 * configured operators on, breadth first, each takes the strategy with the least redistribution to
 * the one that reached it; the first of equal ones. Operators that none reaches are batch parallel.
 */
export function shardingPropagation({ operators, edges }: SearchGraph, bytes = 4): FoundStrategies {
  const found = new Map<string, Candidate>();
  for (const operator of operators) {
    const own = operator.strategies && candidateOf(operator, operator.strategies);
    if (own !== undefined) found.set(operator.name, own);
  }
  const queue = [...found.keys()];
  for (const name of queue) {
    for (const edge of edges.filter(({ from, to }) => from === name || to === name)) {
      const next = edge.from === name ? edge.to : edge.from;
      const operator = operators.find((each) => each.name === next);
      const reached = found.get(name);
      if (found.has(next) || operator === undefined || reached === undefined) continue;
      const best = nearest(candidatesOf(operator.call), reached.model, edge, name, bytes);
      if (best === undefined) continue;
      found.set(next, best);
      queue.push(next);
    }
  }
  return new Map(
    operators.map((operator) => [
      operator.name,
      found.get(operator.name)?.strategies ?? usual(operator),
    ]),
  );
}

function candidateOf(
  { call }: SearchOperator,
  strategies: readonly (readonly number[])[],
): Candidate | undefined {
  const model = modelOperator(call, { kind: "tuples", inputs: strategies });
  return model.ok ? { strategies, model: model.value } : undefined;
}

function usual({ call }: SearchOperator): readonly (readonly number[])[] {
  return batchParallel(call, ruleOf(call.op) ?? {});
}

/** The candidate with the least communication on an edge, then the least computation. */
function nearest(
  candidates: readonly Candidate[],
  reached: OperatorModel,
  edge: SearchEdge,
  name: string,
  bytes: number,
): Candidate | undefined {
  const isForward = edge.from === name;
  let best: { readonly candidate: Candidate; readonly price: readonly number[] } | undefined;
  for (const candidate of candidates) {
    const [from, to] = isForward ? [reached, candidate.model] : [candidate.model, reached];
    const [source, target] = [outputOf(from), inputOf(to, edge.input, from)];
    if (source === undefined || target === undefined) continue;
    const { communication, computation } = edgeCost(redistribute(source, target), bytes);
    const [sent = Infinity, touched = Infinity] = best?.price ?? [];
    if (communication < sent || (communication === sent && computation < touched)) {
      best = { candidate, price: [communication, computation] };
    }
  }
  return best?.candidate;
}

function outputOf(model: OperatorModel): MappedTensor | undefined {
  const [output] = model.outputs;
  if (output === undefined) return undefined;
  const { shape, map, deviceMatrix = model.deviceMatrix } = output;
  return { deviceMatrix, tensorMap: map, shape };
}

/** The input as the consumer wants it; its shape is the producer's. */
function inputOf(
  model: OperatorModel,
  input: number,
  producer: OperatorModel,
): MappedTensor | undefined {
  const [shape, tensorMap] = [producer.outputs[0]?.shape, model.inputMaps[input]];
  if (shape === undefined || tensorMap?.length !== shape.length) return undefined;
  return { deviceMatrix: model.deviceMatrix, tensorMap, shape };
}

/** What MindSpore's search weighs, in bytes (mindspore.md §6.3). */
export interface CostRecord {
  readonly computation: number;
  /** Forward and backward. */
  readonly communication: number;
  /** Without what the gradients of parameters cost. */
  readonly withoutParameter: number;
}

/** How dear a bool edge that communicates counts. */
const forbidden = 1e20;

/**
 * The cost of a redistribution on an edge (mindspore.md §3.10).
 *
 * @internal
 */
export function edgeCost(
  redistribution: Redistribution,
  bytes: number,
  isBool = false,
): CostRecord {
  const { forward, backward, computation } = costOf(redistribution);
  if (isBool && forward + backward > 0) {
    return { computation: forbidden, communication: forbidden, withoutParameter: forbidden };
  }
  const communication = refinedBytes(forward * bytes) + refinedBytes(backward * bytes);
  return { computation: computation * bytes, communication, withoutParameter: communication };
}
