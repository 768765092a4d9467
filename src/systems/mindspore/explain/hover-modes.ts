import { fieldOf } from "#core/records";
import { callAround, contains, insideOf, type TextPlace } from "#language/tokens";
import type { ExplainedText, Hover } from "#systems/system/explain";

/** Hover texts of MindSpore's primitive attributes (mindspore.md §5). */
const attributes: Readonly<Record<string, readonly string[]>> = {
  manual_split: [
    "Gather: rows of the first input go to the devices in pieces of these sizes, axis 0 only.",
    "As many sizes as pieces; they add up to the rows. Nothing is sent: every card looks up its own.",
  ],
  manual_split_with_offset: [
    "As manual_split, with the first row of every piece: ((size, offset), …).",
  ],
  primitive_target: [
    '"CPU": the operator runs on the host, as EmbeddingLookup with the offset of the card\'s rows; axis 0 only.',
  ],
  skip_redistribution: [
    "Reshape: each card reshapes the slice that it holds. Nothing is sent before or after, so values may differ from one card's.",
  ],
  cross_batch: [
    "Reduce operators: the cards are not synchronised after the sum, so each keeps that of its own part, which differs from one card's.",
  ],
  self_define_shard: [
    "The layouts of inputs and outputs are taken as written, whatever the operator's rule says; that they are right is up to you.",
  ],
};

/** The hover for a key of `add_prim_attr`, or its value. */
export function primitiveAttributeHover(
  facts: ExplainedText,
  { token, open }: TextPlace,
): Hover | undefined {
  if (token !== undefined && facts.source.slice(token.from, token.to) === "add_prim_attr") {
    const names = Object.keys(attributes).join(", ");
    const lines = [`Tells MindSpore how to split the operator: ${names}.`];
    return { span: token, title: "add_prim_attr(name, value)", lines };
  }
  const around = callAround(open);
  if (token === undefined || around?.word !== "add_prim_attr") return undefined;
  const inside = facts.source.slice(around.call.at + 1);
  const name = /^\s*(?:name\s*=\s*)?["'](\w+)["']/u.exec(inside)?.[1] ?? "";
  const lines = Object.hasOwn(attributes, name) ? fieldOf(attributes, name) : undefined;
  if (lines === undefined) return undefined;
  const given = facts.document.trace.operators.flatMap(
    ({ primitive }) => primitive?.attributes.filter((each) => each.name === name) ?? [],
  );
  const here = given.find(({ span }) => contains(span, around.call.at)) ?? given[0];
  const shown = here === undefined ? name : `${name} = ${pythonText(here.value)}`;
  return {
    span: token.kind === "string" ? insideOf(facts.source, token).span : token,
    title: shown,
    lines,
  };
}

function pythonText(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `(${value.map(pythonText).join(", ")})`;
  return typeof value === "string" ? `"${value}"` : String(value);
}

/** Hover texts for the modes of `AutoParallel` (mindspore.md §2.4, §6). */
const modes: Readonly<Record<string, readonly string[]>> = {
  semi_auto: [
    "Strategies are taken as written; an operator without one is cut along its first dim over all devices.",
    "Between two operators that disagree MindSpore redistributes the tensor.",
  ],
  sharding_propagation: [
    "From the operators with a strategy the others are reached one by one; each takes the strategy with the least redistribution, none at all first.",
  ],
  recursive_programming: [
    "The devices are halved again and again; each half cuts every MatMul along the dim that sends least by a fixed formula, and other operators follow.",
  ],
  data_parallel: ["Every operator is cut along its first dim, parameters are whole."],
  auto_parallel: ["MindSpore searches for strategies: see search_mode."],
  stand_alone: ["One device; strategies have no effect."],
  dynamic_programming: ["An older search over all strategies, no longer documented."],
};

const modeKey = /^(parallel_mode|search_mode|auto_parallel_search_mode)$/u;

/**
 * The hover for `parallel_mode` or `search_mode`, key or value; the key in `AutoParallel` has its
 * signature.
 */
export function modeHover(facts: ExplainedText, place: TextPlace): Hover | undefined {
  const { token, text: word, open } = place;
  const called = callAround(open)?.word ?? "AutoParallel";
  if (token?.kind === "parameter" && modeKey.test(word) && called !== "AutoParallel") {
    const isSearch = word !== "parallel_mode";
    const names = isSearch
      ? ["sharding_propagation", "recursive_programming"]
      : ["semi_auto", "sharding_propagation", "recursive_programming"];
    const lines = names.map((name) => `"${name}": ${fieldOf(modes, name)?.[0] ?? ""}`);
    return { span: token, title: word, lines };
  }
  if (token?.kind !== "string") return undefined;
  const around = callAround(open);
  const { span, text } = insideOf(facts.source, token);
  const keyword = around?.call.keyword;
  const isMode = modeKey.test(keyword ?? "");
  const isSecond = around?.word === "AutoParallel" && around.path[0] === 1;
  const lines = Object.hasOwn(modes, text) ? fieldOf(modes, text) : undefined;
  if (lines === undefined || (!isMode && !isSecond)) return undefined;
  const chosen = facts.compiled.diagnostics.find(({ code }) => code === "mindspore/search-choice");
  const found = chosen === undefined || text === "semi_auto" ? [] : [`${chosen.message}.`];
  return { span, title: `${keyword ?? "parallel_mode"} "${text}"`, lines: [...lines, ...found] };
}
