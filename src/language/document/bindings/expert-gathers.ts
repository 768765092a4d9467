// Products of tokens with the weights of the experts they choose: `einsum("beck,bk->bec",
// w[choice], x)`.

import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Value } from "#language/python";
import { expertFacts, rowPlan } from "../graph/expert-facts.ts";
import { provisional } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { text } from "./values/values.ts";

/** Stacked weights of all experts, indexed by a routing choice. */
interface Chosen {
  readonly weights: TracedTensor;
  readonly choice: TracedTensor;
}

/** A two-operand einsum with picked expert weights, by the letters of its dims. */
interface Product {
  readonly chosen: Chosen;
  /** Dims of the choice: the leading dims of the picked weights and of the result. */
  readonly places: readonly string[];
  readonly own: readonly string[];
  readonly other: Value;
  readonly otherDims: readonly string[];
  readonly result: readonly string[];
}

/**
 * Rewrites a product with picked weights as dispatch to the experts, a product there, and combine,
 * so that the weights need not move. `undefined` for any other product.
 */
export function productOfChosen(
  words: TensorCalls,
  equation: Value | undefined,
  operands: readonly Value[],
  at: At,
): Value | undefined {
  const product = equation?.kind === "str" ? productIn(words, equation.value, operands) : undefined;
  const facts = product && expertFacts(product.chosen.choice);
  if (product === undefined || facts === undefined) return undefined;
  const { choice, weights } = product.chosen;
  words.experts.sayEqualLoads(at.context, at.span);
  words.trace.filled.add(pickedOf(words, operands, product.chosen));
  const places = (choice.shape ?? []).map(provisional);
  const all = places.reduce((size, each) => size * each, 1);
  const perToken = places.at(-1) ?? 1;
  const { groups, slots } = rowPlan(places.length > 1 ? all / perToken : all, facts);
  const plan = { g: groups, slots };
  const grouped = groups === 1 ? [all] : [groups, all / groups];
  const run = (name: string, given: readonly Value[], attributes: Attributes) =>
    callEntry(words, name, given, attributes, at);

  const spread = run("one_hot", [words.object(choice)], { num_classes: facts.experts });
  const order = [places.length, ...places.keys()];
  const front = run("permute", [spread], { dims: order });
  const routes = run("reshape", [front], { shape: [facts.experts, ...grouped] });

  const rest = product.otherDims.filter((dim) => !product.places.includes(dim));
  const sizes = sizesOf(words, product.other).slice(product.otherDims.length - rest.length);
  const each = forEachChoice(words, product, places, at);
  const tokens = run("reshape", [each], { shape: [...grouped, ...sizes] });
  const rows = run("expert_dispatch", [tokens, routes], plan);
  const lead = groups === 1 ? ["x", "s"] : ["x", "g", "s"];
  const inside = named([rest, product.own, product.result.slice(places.length)]);
  const terms = [
    [...lead, ...(inside[0] ?? [])],
    ["x", ...(inside[1] ?? [])],
    [...lead, ...(inside[2] ?? [])],
  ].map((dims) => dims.join(" "));
  const made = contracted(
    words,
    `${terms[0]}, ${terms[1]} -> ${terms[2]}`,
    [rows, words.object(weights)],
    at,
  );
  const back = run("expert_combine", [made, routes], plan);
  const behind = sizesOf(words, made).slice(lead.length);
  return run("reshape", [back], { shape: [...places, ...behind] });
}

type Attributes = Readonly<Record<string, number | readonly number[]>>;

/** Dims of einsum terms renamed to `d0`, `d1`, …, which differ from the names of leading dims. */
function named(terms: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const all = [...new Set(terms.flat())];
  return terms.map((dims) => dims.map((dim) => `d${all.indexOf(dim)}`));
}

function contracted(
  words: TensorCalls,
  equation: string,
  operands: readonly Value[],
  at: At,
): Value {
  const entry = library.get("einsum");
  const [first] = operands;
  if (entry === undefined || first === undefined) throw new Error("no product");
  const args = [text(equation), ...operands].map((value) => ({ value, span: at.span }));
  return words.call(entry, { op: "einsum", reducesInside: false }, args, at.context, at.span);
}

/** The other operand repeated once per choice of a token. */
function forEachChoice(
  words: TensorCalls,
  { places, other, otherDims }: Product,
  sizes: readonly number[],
  at: At,
): Value {
  let value = other;
  for (const [dim, place] of places.entries())
    if (!otherDims.includes(place)) value = callEntry(words, "unsqueeze", [value], { dim }, at);
  if (value === other) return other;
  const size = [...sizes, ...sizesOf(words, value).slice(sizes.length)];
  return callEntry(words, "expand", [value], { size }, at);
}

function sizesOf(words: TensorCalls, value: Value): readonly number[] {
  return (words.tensorOf(value)?.shape ?? []).map(provisional);
}

function productIn(
  words: TensorCalls,
  equation: string,
  operands: readonly Value[],
): Product | undefined {
  const [left = "", right] = equation.split("->");
  const terms = left.split(",").map(dimsOf);
  const chosen = operands.map((each) => chosenBy(words.tensorOf(each)));
  const which = chosen.findIndex((each) => each !== undefined);
  const picked = chosen[which];
  const [other, otherDims] = [operands[1 - which], terms[1 - which]];
  if (picked === undefined || operands.length !== 2 || terms.length !== 2) return undefined;
  if (right === undefined || other === undefined || otherDims === undefined) return undefined;
  const rank = picked.choice.shape?.length ?? 0;
  const places = terms[which]?.slice(0, rank) ?? [];
  const own = terms[which]?.slice(rank) ?? [];
  const result = dimsOf(right);
  const shared = otherDims.filter((dim) => places.includes(dim));
  const isInOrder =
    isPrefix(places, result) &&
    isPrefix(shared, otherDims) &&
    shared.join() === places.filter((dim) => shared.includes(dim)).join();
  const hasRepeats = [places.concat(own), otherDims].some(
    (dims) => new Set(dims).size < dims.length,
  );
  if (!isInOrder || hasRepeats) return undefined;
  return { chosen: picked, places, own, other, otherDims, result };
}

function isPrefix(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((dim, at) => whole[at] === dim);
}

/** Dims of an einsum term: words separated by spaces, or single letters. */
function dimsOf(term: string): readonly string[] {
  const trimmed = term.trim();
  return trimmed.includes(" ") ? trimmed.split(/\s+/) : [...trimmed];
}

/**
 * Expert weights and the choice that a `take` along dim 0 picks them with; `undefined` for other
 * tensors.
 */
function chosenBy(tensor: TracedTensor | undefined): Chosen | undefined {
  const { entry, inputs = [], attributes = {} } = tensor?.producer ?? {};
  const [weights, choice] = inputs;
  if (entry !== "take" || weights?.kind !== "tensor" || choice?.kind !== "tensor") return undefined;
  if (Number(fieldOf(attributes, "dim") ?? 0) !== 0 || weights.role !== "parameter")
    return undefined;
  const facts = expertFacts(choice);
  const [experts, ...rest] = (weights.shape ?? []).map(provisional);
  const choices = (choice.shape ?? []).map(provisional).reduce((all, each) => all * each, 1);
  const isFit = facts?.experts === experts && facts?.choices === choices && rest.length > 1;
  return isFit ? { weights, choice } : undefined;
}

function pickedOf(
  words: TensorCalls,
  operands: readonly Value[],
  { weights }: Chosen,
): TracedTensor {
  const found = operands
    .map((each) => words.tensorOf(each))
    .find((each) => each?.producer?.inputs[0] === weights);
  if (found === undefined) throw new Error("no picked weights");
  return found;
}
