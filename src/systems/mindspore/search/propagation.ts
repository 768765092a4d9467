import { least } from "./candidate-prices.ts";
import { type Choice, gives, reads } from "./choices.ts";
import { EdgeCosts } from "./edge-costs.ts";
import { addOnMatrix, addOnReaderMatrix } from "./on-matrix.ts";
import { type Edge, hasSeveralInputs, type Node } from "./propagation-graph.ts";
import { matchingReshape } from "./reshape-choices.ts";
import type { Found } from "./search-graph.ts";

/**
 * One run of MindSpore's propagation (mindspore.md §6.4) over nodes in program order. It gives every
 * node that it reaches its one choice.
 */
export class Propagation {
  private readonly nodes: readonly Node[];
  private readonly configured: readonly Node[];
  private readonly waiting = new Set<Node>();
  /** Shared parameters whose readers disagree. */
  private readonly disputed = new Set<Node>();
  private readonly costs = new EdgeCosts();
  private queue: Node[] = [];
  /** Why MindSpore refuses the net while it searches. */
  fault: Found["fault"];

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes;
    this.configured = nodes
      .filter(({ isConfigured }) => isConfigured)
      .sort((a, b) => a.order - b.order);
  }

  run(): void {
    for (const [at, node] of this.configured.entries()) this.goOnFrom(node, at + 1);
    for (const parameter of this.disputed) this.settle(parameter);
    for (const node of this.nodes) node.selected ??= node.choices[0];
  }

  /** Continues breadth first; `next` is the index of the next configured node. */
  private goOnFrom(start: Node, next: number): void {
    start.selected = start.choices[0];
    this.queue = [start];
    for (let node = this.queue[0]; node !== undefined; node = this.queue[0]) {
      node.isVisited = true;
      for (const edge of node.readers) this.forward(edge);
      for (const edge of node.operands) this.backward(edge);
      this.queue.shift();
      if (this.queue.length === 0) this.release(next);
    }
  }

  /** Lets the first waiting node choose, unless a configured node precedes it. */
  private release(next: number): void {
    const [node] = [...this.waiting].sort((a, b) => a.order - b.order);
    const later = this.configured[next];
    if (node === undefined || node.isVisited) return;
    if (later !== undefined && node.order > later.order) return;
    for (const edge of node.reached) this.costs.prepare(edge);
    this.take(node, this.nearest(node));
    this.waiting.delete(node);
  }

  /** Marks a node's choice and goes on from it. */
  private take(node: Node, choice: Choice | undefined): void {
    if (choice === undefined) return;
    node.selected = choice;
    node.choices = [choice];
    node.isVisited = true;
    this.queue.push(node);
  }

  /** Lets the reader at the end of an edge choose, or wait for its other inputs. */
  private forward(edge: Edge): void {
    const { from, to } = edge;
    if (from.isApart || to.isApart) return;
    const isSettled = to.isVisited || to.isConfigured;
    if (isSettled) {
      this.costs.prepare(edge);
      this.compare(edge);
      return;
    }
    addOnMatrix(edge);
    this.prepare(edge);
    const cut = from.selected?.out;
    if (to.kind === "reshape") this.intoReshape(edge);
    else if (from.kind === "reshape") this.outOfReshape(edge);
    else if (cut !== undefined) this.take(to, withInput(to, edge.input, cut) ?? to.choices[0]);
    else if (!hasSeveralInputs(to)) this.take(to, this.cheapest(edge, to));
    else if (to.reached.length !== to.inputs) this.waiting.add(to);
    else {
      this.waiting.delete(to);
      this.take(to, this.nearest(to));
      to.reached = [];
    }
  }

  /** Lets the producer at the start of an edge choose. */
  private backward(edge: Edge): void {
    const { from, to } = edge;
    if (from.isApart || to.isApart) return;
    const isSettled = from.isVisited || from.isConfigured;
    if (isSettled) {
      this.costs.prepare(edge);
      this.compare(edge);
      return;
    }
    if (from.kind === "reshape") {
      this.backIntoReshape(edge);
      return;
    }
    if (to.kind === "reshape") {
      const wanted = to.selected?.inputs[0];
      this.take(from, wanted && from.choices.find(gives(wanted, edge.output)));
      return;
    }
    addOnReaderMatrix(edge);
    this.costs.prepare(edge);
    this.take(from, this.cheapest(edge, from));
  }

  /** Prices an edge forward: of a node with several inputs only when all are known, with theirs. */
  private prepare(edge: Edge): void {
    const { to } = edge;
    if (!hasSeveralInputs(to)) this.costs.prepare(edge);
    else if (to.reached.length === to.inputs)
      for (const each of to.reached) this.costs.prepare(each);
  }

  private intoReshape({ from, output, to }: Edge): void {
    const layout = from.kind === "reshape" ? undefined : from.selected?.outputs[output];
    this.pass(to, layout && matchingReshape(to, "from", layout));
  }

  private backIntoReshape({ from, to, input }: Edge): void {
    if (to.operator?.call.op === "Concat") {
      from.isVisited = true;
      return;
    }
    const layout = to.kind === "reshape" ? undefined : to.selected?.inputs[input];
    this.pass(from, layout && matchingReshape(from, "to", layout));
  }

  /** A Reshape keeps its other choices. */
  private pass(reshape: Node, choice: Choice | undefined): void {
    if (choice === undefined) return;
    reshape.selected = choice;
    reshape.isVisited = true;
    this.queue.push(reshape);
  }

  private outOfReshape({ from, to, input }: Edge): void {
    if (to.operator?.call.op === "Concat") {
      to.isVisited = true;
      return;
    }
    const made = from.selected?.outputs[0];
    this.take(to, made && to.choices.find(reads(made, input)));
  }

  /** The choice of one end of an edge with the least redistribution to the other end's choice. */
  private cheapest(edge: Edge, node: Node): Choice | undefined {
    const other = node === edge.to ? edge.from.selected : edge.to.selected;
    if (other === undefined) return undefined;
    const priced = node.choices.flatMap((choice) => {
      const [from, to] = node === edge.to ? [other, choice] : [choice, other];
      const cost = this.costs.between(edge, from, to);
      if (cost === undefined) return [];
      const pieces = choice.strategies.flat();
      const most = [-pieces.reduce((all, each) => all * each, 1), ...pieces.map((each) => -each)];
      const price = [cost.communication, cost.computation, choice.communication, ...most];
      return [{ item: choice, price }];
    });
    if (priced.length === 0) this.fault ??= faultAt(edge);
    return least(priced);
  }

  /** The choice of a node with the least redistribution on all edges that have reached it. */
  private nearest(node: Node): Choice | undefined {
    const priced = node.choices.flatMap((choice) => {
      let [communication, computation] = [0, 0];
      for (const edge of node.reached) {
        const { selected } = edge.from;
        const cost = selected && this.costs.between(edge, selected, choice);
        if (cost === undefined) return [];
        communication += cost.communication;
        computation += cost.computation;
      }
      const own = [choice.computation, choice.communication];
      return [{ item: choice, price: [communication, computation, ...own] }];
    });
    const [parameter] = node.reached.filter(({ from }) => from.kind === "parameter");
    if (priced.length === 0 && parameter !== undefined) this.fault ??= faultAt(parameter);
    return least(priced);
  }

  /** Whether the ends of an edge agree; a shared parameter that does not is settled at the end. */
  private compare(edge: Edge): boolean {
    const { from, to } = edge;
    if (from.kind === "reshape" || to.kind === "reshape") return true;
    const [made, read] = [from.choices, to.choices].map((choices) => choices[0]);
    const isChosen = from.choices.length === 1 && to.choices.length === 1;
    if (!isChosen || made === undefined || read === undefined) return false;
    const cost = this.costs.between(edge, made, read);
    if (cost !== undefined && cost.communication === 0) return true;
    if (from.kind === "parameter") this.disputed.add(from);
    return false;
  }

  /** Lays a shared parameter as its first configured reader wants it, then its other readers. */
  private settle(parameter: Node): void {
    const first = parameter.readers.find(({ to }) => to.isConfigured);
    if (first !== undefined && !this.compare(first)) {
      parameter.choices = parameter.all;
      this.costs.prepare(first);
      parameter.selected = this.cheapest(first, parameter);
      parameter.choices = parameter.selected === undefined ? [] : [parameter.selected];
    }
    for (const edge of parameter.readers) {
      this.follow(edge);
      if (edge.to.operator?.call.op === "Cast")
        for (const each of edge.to.readers) this.follow(each);
    }
  }

  private follow(edge: Edge): void {
    const { to } = edge;
    if (this.compare(edge)) return;
    if (to.isConfigured) {
      this.fault ??= faultAt(edge);
      return;
    }
    to.choices = to.all;
    this.costs.prepare(edge);
    to.selected = this.cheapest(edge, to);
    to.choices = to.selected === undefined ? [] : [to.selected];
  }
}

/** MindSpore's refusal of a shared parameter whose readers' strategies do not agree. */
function faultAt({ from, to }: Edge): Found["fault"] {
  const message = `several operators read "${from.name}", which cannot lie as the strategy of "${to.name}" wants it`;
  return { name: to.name, message };
}

function withInput({ choices }: Node, input: number, cut: readonly number[]): Choice | undefined {
  return choices.find(({ strategies }) => strategies[input]?.join() === cut.join());
}
