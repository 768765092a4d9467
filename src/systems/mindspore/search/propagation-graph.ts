import { batchParallel } from "../operators/default-strategy.ts";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import { ruleOf } from "../operators/rules.ts";
import { withoutOwnRule } from "../primitives/index.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import { type Choice, choicesOf, gives, piecesOf, writtenChoice } from "./choices.ts";
import { type ReshapePair, reshapePairs } from "./reshape-choices.ts";
import type { SearchGraph, SearchOperator } from "./search-graph.ts";

/** An edge between two nodes, from a result to an input. */
export interface Edge {
  readonly from: Node;
  readonly output: number;
  readonly to: Node;
  readonly input: number;
}

/** A node of the propagation; what is mutable is its state. */
export interface Node {
  readonly name: string;
  readonly kind: "operator" | "reshape" | "parameter" | "dataset";
  /** Place in the program; the dataset comes last. */
  readonly order: number;
  readonly operator?: SearchOperator;
  /** Number of inputs, numbers included. */
  readonly inputs: number;
  /** Set if nothing propagates to or from it: it has no rule and stays whole, or states its own. */
  readonly isApart: boolean;
  /** Set if the text gives it its strategy. */
  isConfigured: boolean;
  /** All its choices. */
  readonly all: readonly Choice[];
  /** The choices of a Reshape. */
  pairs: readonly ReshapePair[];
  /** The choices that are left. */
  choices: readonly Choice[];
  selected?: Choice | undefined;
  isVisited: boolean;
  /** Edges over which it has been reached while it waits. */
  reached: Edge[];
  readonly readers: Edge[];
  readonly operands: Edge[];
}

/** Whether a node chooses only when all its inputs are known. */
export function hasSeveralInputs({ kind, inputs }: Node): boolean {
  return kind === "operator" && inputs > 1;
}

/** The nodes of a search with their edges and choices, in program order. */
export function propagationNodes(graph: SearchGraph): readonly Node[] {
  const nodes = new Map<string, Node>();
  for (const [order, operator] of graph.operators.entries()) {
    nodes.set(operator.name, operatorNode(operator, order));
  }
  link(graph, nodes);
  for (const node of nodes.values()) castAsRead(node);
  for (const node of nodes.values()) {
    const { kind, operator } = node;
    if (operator !== undefined && kind === "reshape")
      node.pairs = reshapePairs(operator, around(node));
  }
  return [...nodes.values()];
}

/** A Cast before an operator with a strategy is configured like it. */
function castAsRead(node: Node): void {
  const edge = node.readers.find(({ to }) => to.kind === "operator" && to.isConfigured);
  const [wanted] = edge?.to.choices ?? [];
  if (node.operator?.call.op !== "Cast" || node.isConfigured || edge === undefined) return;
  const layout = wanted?.inputs[edge.input];
  const choice = layout && node.choices.find(gives(layout, 0));
  if (choice === undefined) return;
  node.choices = [choice];
  node.isConfigured = true;
}

function blank(name: string, kind: Node["kind"], order: number, choices: readonly Choice[]): Node {
  return {
    name,
    kind,
    order,
    inputs: 1,
    isApart: false,
    isConfigured: kind === "dataset",
    all: choices,
    choices,
    pairs: [],
    isVisited: false,
    reached: [],
    readers: [],
    operands: [],
  };
}

function operatorNode(operator: SearchOperator, order: number): Node {
  const { name, call, made } = operator;
  if (made !== undefined) return { ...blank(name, "reshape", order, []), operator };
  const own = configuredAs(operator);
  const choices = own === undefined ? freeChoices(operator) : [own];
  return {
    ...blank(name, "operator", order, choices),
    operator,
    inputs: call.shapes.length,
    isApart: isApart(operator),
    isConfigured: own !== undefined,
  };
}

function freeChoices({ call, isByRows }: SearchOperator): readonly Choice[] {
  if (isByRows !== true) return choicesOf(call);
  const inputs = batchParallel(call, ruleOf(call.op) ?? {});
  const choice = writtenChoice(call, { kind: "tuples", inputs });
  return choice === undefined ? [] : [choice];
}

function isApart({ call }: SearchOperator): boolean {
  if (call.attributes.self_define_shard === true) return true;
  if (!withoutOwnRule.has(call.op)) return false;
  return batchParallel(call, ruleOf(call.op) ?? {})
    .flat()
    .every((pieces) => pieces === 1);
}

/**
 * An operator's choice by its strategy in the text; `undefined` if MindSpore refuses it. For a
 * `reshard` only the pieces of its Layout count, in the order of the dims.
 */
function configuredAs({ call, written: given }: SearchOperator): Choice | undefined {
  if (given === undefined) return undefined;
  const written = call.op === "Reshard" ? inPieces(given) : given;
  const choice = writtenChoice(call, written);
  const out = outPieces(given) ?? (call.op === "Reshard" ? choice?.strategies[0] : undefined);
  return choice && { ...choice, ...(out && { out }) };
}

function inPieces(written: WrittenStrategy): WrittenStrategy {
  if (written.kind !== "layouts") return written;
  const { deviceMatrix, inputs } = written;
  const cuts = inputs.map((map) => map.map((entry) => piecesOf(deviceMatrix, entry)));
  return { kind: "tuples", inputs: cuts };
}

/** The pieces of the result that the text asks for. */
function outPieces(written: WrittenStrategy): readonly number[] | undefined {
  if (written.kind === "tuples") return written.output;
  return written.output?.map((entry) => piecesOf(written.deviceMatrix, entry));
}

function link({ edges, fed = [], shared = [] }: SearchGraph, nodes: Map<string, Node>): void {
  const join = (from: Node | undefined, output: number, to: Node | undefined, input: number) => {
    if (from === undefined || to === undefined) return;
    const edge = { from, output, to, input };
    from.readers.push(edge);
    to.operands.push(edge);
  };
  for (const { from, output = 0, to, input } of edges)
    join(nodes.get(from), output, nodes.get(to), input);
  const dataset = blank("dataset", "dataset", Number.POSITIVE_INFINITY, [fedChoice(fed)]);
  for (const [at, { to, input }] of fed.entries()) join(dataset, at, nodes.get(to), input);
  for (const { name, shape, readers } of shared) {
    const devices = nodes.get(readers[0]?.to ?? "")?.operator?.call.devices ?? 1;
    const call = { op: "ReLU", shapes: [shape], attributes: {}, arguments: [], parameters: [] };
    const node = blank(name, "parameter", -1, choicesOf({ ...call, devices, rank: 0 }));
    for (const { to, input } of readers) join(node, 0, nodes.get(to), input);
    nodes.set(`parameter ${name}`, node);
  }
  nodes.set("the dataset", dataset);
}

function fedChoice(fed: readonly { readonly layout: MappedTensor }[]): Choice {
  return {
    strategies: [],
    inputs: [],
    outputs: fed.map(({ layout }) => layout),
    computation: 0,
    communication: 0,
  };
}

function around(node: Node) {
  const others = node.readers.filter(({ to }) => to.kind !== "reshape");
  return {
    before: source(node),
    after: others.flatMap(({ to, input }) =>
      to.choices.flatMap(({ inputs }) => inputs[input] ?? []),
    ),
    isBeforeReshape: others.length === 0 && node.readers.length > 0,
  };
}

/**
 * The layouts of what a Reshape reads, or the first of several in a row; `undefined` if that is a
 * parameter.
 */
function source(reshape: Node): readonly MappedTensor[] | undefined {
  const [operand] = reshape.operands;
  if (operand === undefined || operand.from.kind === "parameter") return undefined;
  if (operand.from.kind === "reshape") return source(operand.from);
  return operand.from.choices.flatMap(({ outputs }) => outputs[operand.output] ?? []);
}
