import { unreachable } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { blockCount } from "#core/mesh";
import { fieldOf } from "#core/records";
import { callAround, insideOf, type TextPlace } from "#language/tokens";
import type { ExplainedText, Hover } from "#systems/system/explain";
import {
  type ConfigGiven,
  type ConfigKey,
  configIn,
  configKeys,
  operandAt,
  partitioned,
} from "./policy-config.ts";

/**
 * The hover for words of a policy: the numbers of a partition, `'dim'`, and methods of the graph.
 */
export function policyHover(facts: ExplainedText, place: TextPlace): Hover | undefined {
  const { trace } = facts.document;
  if (trace.partitions.length + trace.unassigned.length === 0) return undefined;
  return wordHover(facts, place) ?? configHover(facts, place) ?? tagHover(facts, place);
}

/**
 * The hover for `idx`, `dim` and `num`: keywords of `dict(…)` or `graph.partition(…)`, or their
 * values.
 */
function configHover(facts: ExplainedText, { token, text, open }: TextPlace): Hover | undefined {
  const around = callAround(open);
  if (token === undefined || !/^(dict|partition)$/u.test(around?.word ?? "")) return undefined;
  const name = token.kind === "parameter" ? text : around?.call.keyword;
  const key = configKeys.find((each) => each === name);
  if (around === undefined || key === undefined) return undefined;
  const given = configIn(facts.source, around.call.at);
  const lines = configLines(facts, key, given);
  return {
    span: token,
    title: `${key}${given[key] === undefined ? "" : ` = ${given[key]}`}`,
    lines,
  };
}

function configLines(facts: ExplainedText, key: ConfigKey, given: ConfigGiven): readonly string[] {
  const operator = partitioned(facts, given);
  const read = operator && operandAt(operator, Number(given.idx));
  const dim = read?.dims[Number(given.dim)];
  const identifier = dim?.splittable;
  switch (key) {
    case "idx":
      return [
        "Which tensor the cut names: inputs from 0, outputs behind them.",
        ...(operator && read ? [`${given.idx} of ${operator.op} is ${read.tensor}.`] : []),
      ];
    case "dim":
      return [
        "Which dim of it; 'v' for its value, in parts of a sum. Every dim of the same identifier is cut with it.",
        ...(read && identifier ? [`${given.dim} of ${read.tensor} is ${identifier}.`] : []),
      ];
    case "num":
      return [
        "Into how many pieces; the size of the identifier must be a multiple.",
        ...(operator && identifier ? [piecesText(facts, operator, identifier)] : []),
      ];
    default:
      return unreachable(key);
  }
}

function piecesText({ compiled }: ExplainedText, operator: Operator, identifier: string): string {
  const axis = operator.axes.find(({ name }) => name === identifier);
  const cuts = fieldOf(compiled.plan.operators.get(operator.id)?.strategy.cuts, identifier) ?? [];
  const pieces = blockCount(cuts);
  const size = axis?.size ?? 1;
  const sum = axis?.reduction === "+" ? ", each a part of the sum" : "";
  const inside = blockCount(cuts.filter(({ kind }) => kind === "pieces"));
  const shared = inside === 1 ? "" : `, ${inside} on each device`;
  return `${identifier} of ${operator.op}, size ${size}: ${pieces} pieces of ${Math.ceil(size / pieces)}${shared}${sum}.`;
}

/** The hover for `'dim'` in `node.algorithm('dim')`. */
function tagHover({ source }: ExplainedText, { token, open }: TextPlace): Hover | undefined {
  if (token?.kind !== "string" || callAround(open)?.word !== "algorithm") return undefined;
  const { span, text } = insideOf(source, token);
  if (text !== "dim") return undefined;
  const lines = [
    "The algorithm that cuts an operator along a dim of its annotation, the only one.",
  ];
  return { span, title: "'dim'", lines };
}

/** Hover texts for methods and attributes of a graph and its nodes. */
const words: Readonly<Record<string, readonly [title: string, meaning: string]>> = {
  nodes: ["graph.nodes()", "Every operator of the graph in order."],
  select: ["graph.select(name, ntype, flatten)", "The operators of a name or a kind."],
  algorithm: ["node.algorithm(tag)", "How the operator can be cut: 'dim' along an identifier."],
  partition: [
    "graph.partition(node, algo, idx, dim, num)",
    "Cuts an operator into pieces along one identifier; gives them in the order of its chunks. A copied input has its gradient summed over the pieces.",
  ],
  replicate: [
    "graph.replicate(node, times)",
    "Copies of an operator: all do the same work, so nothing is summed over them.",
  ],
  assign: [
    "graph.assign(piece, device)",
    "Puts a piece on a device of the plan; every operator needs one.",
  ],
  multiref: [
    "graph.multiref(tensor)",
    "Gives every reader of a tensor a copy of its own: needed where readers are cut in different ways, or their gradients cannot be added.",
  ],
  recompute: ["graph.recompute(nodes)", "The backward pass computes these again."],
  staging: ["graph.staging(nodes)", "The first operator of every pipeline stage."],
  ngpus: ["resource.ngpus", "The number of devices; cfg.plan_ngpus in today's nnScaler."],
  plan_ngpus: [
    "cfg.plan_ngpus",
    "The number of devices of the plan; others repeat it on other data.",
  ],
};

function wordHover({ source }: ExplainedText, { token, text }: TextPlace): Hover | undefined {
  if (token === undefined || source[token.from - 1] !== ".") return undefined;
  const found = Object.hasOwn(words, text) ? fieldOf(words, text) : undefined;
  return found && { span: token, title: found[0], lines: [found[1]] };
}
