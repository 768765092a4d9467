import type { Span } from "#core/diagnostics";
import { jsonText } from "#language/tokens";
import type { Hover } from "#systems/system/explain";
import {
  kindAround,
  type LoomFacts,
  nodeAround,
  rangeSentence,
  rangeWords,
  tensorWords,
} from "./facts.ts";
import { projectionHover, rangeHover } from "./hover-value.ts";
import { nodeTitle, type OutlinedNode } from "./outline.ts";
import { type LoomPlace, loomPlace } from "./place.ts";
import { fieldsAt, nodeKinds, tagKinds } from "./words.ts";

type Reader = (facts: LoomFacts, place: LoomPlace, word: string) => Omit<Hover, "span"> | undefined;

const readers: readonly Reader[] = [
  idHover,
  kindHover,
  nodeHover,
  projectionHover,
  rangeHover,
  fieldHover,
];

/** The hover text at a place of the JSON. */
export function hoverLoom(facts: LoomFacts, offset: number): Hover | undefined {
  const place = loomPlace(facts.texts.json, offset);
  const { token } = place;
  if (token === undefined) return undefined;
  const word = jsonText(facts.texts.json.slice(token.from, token.to));
  for (const read of readers) {
    const hover = read(facts, place, word);
    if (hover !== undefined) return { span: { from: token.from, to: token.to }, ...hover };
  }
  return undefined;
}

/** Span of the node that the id at an offset refers to. */
export function definitionInLoom(facts: LoomFacts, offset: number): Span | undefined {
  const place = loomPlace(facts.texts.json, offset);
  return referred(facts, place)?.span;
}

/** The node that the id at a place refers to. */
function referred({ texts, byId }: LoomFacts, { way, token, isName }: LoomPlace) {
  const last = way.at(-1);
  const isReference = !isName && (last === "tensorId" || last === "operationId");
  if (!isReference || token === undefined) return undefined;
  return byId.get(jsonText(texts.json.slice(token.from, token.to)).toLowerCase());
}

function idHover(facts: LoomFacts, place: LoomPlace) {
  const node = referred(facts, place);
  return node === undefined ? undefined : nodeWords(facts, node);
}

function kindHover(_: LoomFacts, { isName, way }: LoomPlace, word: string) {
  const kinds = isName && way.at(-1) === "tags" ? tagKinds : way.at(-1) === "type" ? nodeKinds : [];
  const kind = kinds.find(({ uri }) => uri === word);
  return kind === undefined ? undefined : { title: `loom:${kind.name}`, lines: [kind.meaning] };
}

function nodeHover(facts: LoomFacts, place: LoomPlace) {
  const last = place.way.at(-1);
  const isHead = place.way.length === 3 && (last === "id" || last === "label");
  const node = isHead && !place.isName ? nodeAround(facts, place) : undefined;
  return node === undefined ? undefined : nodeWords(facts, node);
}

function fieldHover(_: LoomFacts, place: LoomPlace, word: string) {
  if (!place.isName) return undefined;
  const field = fieldsAt(place.way, kindAround(place)).find(({ name }) => name === word);
  return field === undefined ? undefined : { title: field.name, lines: [field.meaning] };
}

function nodeWords(facts: LoomFacts, node: OutlinedNode): Omit<Hover, "span"> {
  if (node.kind === "Operation") return operationWords(facts, node);
  if (node.kind !== "Tensor") return { title: nodeTitle(node), lines: [node.kind] };
  const users = (facts.reading?.operations ?? []).flatMap(({ id, operands }) => {
    const own = operands.filter(({ tensor }) => tensor === tensorOf(facts, node));
    const by = facts.byId.get(id);
    return own.map(({ side, name, range, isWhole }) => {
      const part = isWhole ? "" : ` ${rangeWords(range)}`;
      return `${side === "inputs" ? "read" : "written"} by ${by ? nodeTitle(by) : id} as ${name}${part}`;
    });
  });
  const lines = node.range === undefined ? [] : [rangeSentence(node.range)];
  return { title: tensorWords(node), lines: [...lines, ...users] };
}

function tensorOf({ reading }: LoomFacts, node: OutlinedNode) {
  return reading?.nodes.find(({ id }) => id === node.id)?.tensor;
}

function operationWords({ reading }: LoomFacts, node: OutlinedNode): Omit<Hover, "span"> {
  const view = reading?.operations.find(({ id }) => id === node.id);
  const index = view?.index;
  return {
    title: `${nodeTitle(node)}: ${node.kernel ?? "operation"}`,
    lines: [
      ...(index === undefined || view === undefined
        ? ["no index space: it is one piece"]
        : [`index (${view.axes.join(", ")}) ${rangeWords(index)}`]),
      ...(view === undefined || view.annotation === "" ? [] : [view.annotation]),
      ...(view !== undefined && view.shards.length > 0 ? [`${view.shards.length} shards`] : []),
    ],
  };
}
