import { product } from "#core/arithmetic";
import type { MapEntry } from "../layout.ts";
import { entryList } from "../operators/call.ts";
import { batchParallel } from "../operators/default-strategy.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { ruleOf } from "../operators/rules.ts";
import { axisSizeOf, type MappedTensor } from "../redistribution/flat-layout.ts";
import { type Redistribution, redistribute } from "../redistribution/redistribute.ts";
import { edgeCost, least, likeOne, likeSeveral, type Priced } from "./candidate-prices.ts";
import { type Candidate, candidatesOf } from "./enumerate-strategies.ts";
import {
  type FoundStrategies,
  type SearchGraph,
  type SearchOperator,
  tensorInputs,
} from "./search-graph.ts";

/**
 * Strategies for operators without one, by `sharding_propagation` (mindspore.md §6.4): breadth
 * first from each configured operator in order, then from the dataset. An operator with one input
 * takes the strategy with the least redistribution from what has reached it. One with several waits
 * until all inputs are reached, or until the queue is empty.
 */
export function shardingPropagation(graph: SearchGraph, bytes = 4): FoundStrategies {
  const found = new Propagation(graph, bytes).run();
  return new Map(
    graph.operators.map((operator) => [
      operator.name,
      (found.get(operator.name) ?? candidatesOf(operator.call)[0])?.strategies ?? usual(operator),
    ]),
  );
}

/** An input of an operator that the propagation has reached, with the tensor's layout. */
interface Reached {
  readonly input: number;
  readonly layout: MappedTensor;
  /** Set after a `reshard`: a strategy matches this layout exactly, or all are equally bad. */
  readonly isExact?: true;
}

/** One run of the propagation. */
class Propagation {
  private readonly found = new Map<string, Candidate>();
  private readonly visited = new Set<string>();
  private readonly waiting = new Set<string>();
  private readonly reached = new Map<string, Reached[]>();
  private readonly candidates = new Map<string, readonly Candidate[]>();
  private readonly configured: readonly SearchOperator[];
  private readonly order: ReadonlyMap<string, number>;
  private readonly graph: SearchGraph;
  private readonly bytes: number;

  constructor(graph: SearchGraph, bytes: number) {
    const { operators } = graph;
    this.graph = graph;
    this.bytes = bytes;
    this.order = new Map(operators.map(({ name }, at) => [name, at]));
    this.configured = operators.filter((operator) => {
      const own = configuredAs(operator);
      if (own !== undefined) this.found.set(operator.name, own);
      return own !== undefined;
    });
  }

  run(): ReadonlyMap<string, Candidate> {
    const { fed = [] } = this.graph;
    for (const [at, { name }] of this.configured.entries()) this.goOn([name], at + 1);
    const queue: string[] = [];
    for (const { to, input, layout, isReshaped } of fed)
      this.reach(to, { input, layout }, queue, isReshaped);
    this.goOn(queue, this.configured.length);
    return this.found;
  }

  /** Continues breadth first; `next` is the index of the next configured operator. */
  private goOn(queue: string[], next: number): void {
    const isLater = (name: string) =>
      this.orderOf(name) > this.orderOf(this.configured[next]?.name ?? name);
    for (let from = queue.shift() ?? this.released(isLater); from !== undefined; ) {
      this.visited.add(from);
      this.spread(from, queue);
      from = queue.shift() ?? this.released(isLater);
    }
  }

  private candidatesOf({ name, call }: SearchOperator): readonly Candidate[] {
    const known = this.candidates.get(name) ?? candidatesOf(call);
    this.candidates.set(name, known);
    return known;
  }

  private orderOf(name: string): number {
    return this.order.get(name) ?? 0;
  }

  private spread(name: string, queue: string[]): void {
    const own = this.found.get(name);
    const layout = own && outputOf(own.model);
    if (own === undefined || layout === undefined) return;
    const isExact = this.graph.operators[this.orderOf(name)]?.call.op === "Reshard";
    const left = { layout, ...(isExact && { isExact }) };
    for (const { from, to, input, isReshaped } of this.graph.edges) {
      if (from === name) this.reach(to, { input, ...left }, queue, isReshaped);
      if (to === name) this.reachBack(from, own, input, queue);
    }
  }

  private isOpen(name: string): boolean {
    return !this.visited.has(name) && !this.found.has(name) && this.order.has(name);
  }

  /** Lets the operator at the end of an edge take a strategy, or wait for further inputs. */
  private reach(name: string, edge: Reached, queue: string[], isReshaped?: true): void {
    const operator = this.graph.operators[this.orderOf(name)];
    if (operator === undefined || !this.isOpen(name)) return;
    const tensors = tensorInputs(operator.call).length;
    const isOfOne = tensors === 1;
    const reached = [...(this.reached.get(name) ?? []), edge];
    if (!isReshaped) this.reached.set(name, reached);
    const isDue = isOfOne || isReshaped || reached.length === tensors;
    if (!isDue) this.waiting.add(name);
    else if (isOfOne || isReshaped) this.take(name, this.nearest(operator, [edge], likeOne), queue);
    else this.take(name, this.nearest(operator, reached, likeSeveral), queue);
  }

  /**
   * Lets the producer of a reader's input take the strategy with the least redistribution to it.
   */
  private reachBack(name: string, reader: Candidate, input: number, queue: string[]): void {
    const operator = this.graph.operators[this.orderOf(name)];
    if (operator === undefined || !this.isOpen(name)) return;
    const priced = this.candidatesOf(operator).flatMap((candidate): readonly Priced[] => {
      const source = outputOf(candidate.model);
      const target = source && inputOf(reader.model, input, source.shape);
      if (source === undefined || target === undefined) return [];
      const edge = edgeCost(redistribute(source, target), this.bytes);
      return [{ candidate, price: likeOne(edge, operator.call, candidate) }];
    });
    this.take(name, least(priced), queue);
  }

  private take(name: string, candidate: Candidate | undefined, queue: string[]): void {
    if (candidate === undefined) return;
    this.waiting.delete(name);
    this.found.set(name, candidate);
    this.visited.add(name);
    queue.push(name);
  }

  /**
   * The first waiting operator, given a strategy, unless a configured operator precedes it; else
   * `undefined`.
   */
  private released(isLater: (name: string) => boolean): string | undefined {
    const [name] = [...this.waiting].sort((a, b) => this.orderOf(a) - this.orderOf(b));
    const operator = name === undefined ? undefined : this.graph.operators[this.orderOf(name)];
    if (name === undefined || operator === undefined || isLater(name)) return undefined;
    this.waiting.delete(name);
    const candidate = this.nearest(operator, this.reached.get(name) ?? [], likeSeveral);
    if (candidate === undefined || !this.isOpen(name)) return undefined;
    this.found.set(name, candidate);
    return name;
  }

  private nearest(
    operator: SearchOperator,
    edges: readonly Reached[],
    priceOf: typeof likeOne,
  ): Candidate | undefined {
    const exact = edges.find(({ isExact }) => isExact);
    if (exact !== undefined && edges.length === 1) return this.exactly(operator, exact);
    const priced = this.candidatesOf(operator).flatMap((candidate): readonly Priced[] => {
      const costs = edges.map(({ input, layout }) => {
        const target = inputOf(candidate.model, input, layout.shape);
        return target && edgeCost(redistribute(layout, target), this.bytes);
      });
      const known = costs.filter((cost) => cost !== undefined);
      if (known.length < costs.length) return [];
      const sum = (key: "communication" | "computation") =>
        known.reduce((all, cost) => all + cost[key], 0);
      const edge = { communication: sum("communication"), computation: sum("computation") };
      return [{ candidate, price: priceOf(edge, operator.call, candidate) }];
    });
    return least(priced);
  }

  /**
   * The first strategy that reads the layout without redistribution, else the operator's first
   * strategy.
   */
  private exactly(operator: SearchOperator, { input, layout }: Reached): Candidate | undefined {
    const candidates = this.candidatesOf(operator);
    const isAsItLies = ({ model }: Candidate) => {
      const target = inputOf(model, input, layout.shape);
      return target !== undefined && redistribute(layout, target).runs.every(isEmpty);
    };
    return candidates.find(isAsItLies) ?? candidates[0];
  }
}

function isEmpty({ operators }: Redistribution["runs"][number]): boolean {
  return operators.length === 0;
}

/**
 * An operator with its strategy in the text; `undefined` if MindSpore refuses it. For a `reshard`
 * only the pieces of its Layout count, in the order of the dims.
 */
function configuredAs({ call, written: given }: SearchOperator): Candidate | undefined {
  const written = call.op === "Reshard" ? inPieces(given) : given;
  const model = written && modelOperator(call, written);
  const strategies = written?.kind === "tuples" ? (written.inputs ?? []) : [];
  return model?.ok === true ? { strategies, model: model.value } : undefined;
}

function inPieces(written: SearchOperator["written"]): SearchOperator["written"] {
  if (written?.kind !== "layouts") return written;
  const { deviceMatrix, inputs } = written;
  const cuts = inputs.map((map) => map.map((entry) => piecesOf(deviceMatrix, entry)));
  return { kind: "tuples", inputs: cuts };
}

function usual({ call }: SearchOperator): readonly (readonly number[])[] {
  return batchParallel(call, ruleOf(call.op) ?? {});
}

function outputOf(model: OperatorModel): MappedTensor | undefined {
  const [output] = model.outputs;
  if (output === undefined) return undefined;
  const { shape, map, deviceMatrix = model.deviceMatrix } = output;
  return { deviceMatrix, tensorMap: map, shape };
}

/**
 * The layout in which the reader wants the input; `undefined` if its number of elements differs
 * from the producer's result.
 */
function inputOf(
  model: OperatorModel,
  input: number,
  made: readonly number[],
): MappedTensor | undefined {
  const { deviceMatrix, inputMaps, inputSlices } = model;
  const [tensorMap, slice] = [inputMaps[input], inputSlices[input]];
  if (tensorMap === undefined || slice === undefined) return undefined;
  const shape = slice.map((size, dim) => size * piecesOf(deviceMatrix, tensorMap[dim] ?? -1));
  return product(shape) === product(made) ? { deviceMatrix, tensorMap, shape } : undefined;
}

function piecesOf(deviceMatrix: readonly number[], entry: MapEntry): number {
  return product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis)));
}
