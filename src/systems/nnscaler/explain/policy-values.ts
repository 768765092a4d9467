import type { Operator } from "#core/ir";
import type { CallPlace } from "#language/tokens";
import type { CompletionItem, ExplainedText } from "#systems/system/explain";
import { configIn, operandAt, partitioned } from "./policy-config.ts";

/** Completions after `idx=` and `dim=` of a policy: the operands, and the dims of one operand. */
export function policyValues(
  facts: ExplainedText,
  { word, call }: CallPlace,
): readonly CompletionItem[] {
  if (word !== "dict" && word !== "partition") return [];
  const given = configIn(facts.source, call.at);
  const operator = partitioned(facts, given) ?? namedIn(facts);
  if (operator === undefined) return [];
  if (call.keyword === "idx") return operandItems(facts, operator);
  return call.keyword === "dim" ? dimItems(operator, Number(given.idx ?? 0)) : [];
}

/** The operator for completions before any cut exists: one that the text quotes, else the first. */
function namedIn({ source, compiled }: ExplainedText): Operator | undefined {
  const { operators } = compiled.graph;
  const isQuoted = ({ op }: Operator) => source.includes(`'${op}'`) || source.includes(`"${op}"`);
  return operators.find(isQuoted) ?? operators[0];
}

function operandItems({ compiled }: ExplainedText, operator: Operator): readonly CompletionItem[] {
  const { inputs, outputs } = operator;
  return [...inputs, ...outputs].map(({ tensor }, at) => {
    const name = compiled.graph.tensors.find(({ id }) => id === tensor)?.name ?? tensor;
    return item(String(at), `${name}, ${at < inputs.length ? "read" : "made"} by ${operator.op}`);
  });
}

/** Completions for the dims of an operand that can be cut. */
function dimItems(operator: Operator, idx: number): readonly CompletionItem[] {
  const dims = operandAt(operator, idx)?.dims ?? [];
  return dims.flatMap(({ splittable }, at) => {
    const axis = operator.axes.find(({ name }) => name === splittable);
    if (axis === undefined) return [];
    const summed = axis.reduction === "+" ? ", summed" : "";
    return [item(String(at), `${axis.name}, size ${axis.size}${summed}`)];
  });
}

function item(text: string, detail: string): CompletionItem {
  return { label: text, kind: "count", insert: text, detail, filter: text };
}
