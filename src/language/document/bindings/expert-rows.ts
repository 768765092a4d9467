// Tokens of an expert: their positions, gathers at them and writes to them.

import { product } from "#core/arithmetic";
import type { HostObject, HostType, Value } from "#language/python";
import { expertFacts, rowPlan } from "../graph/expert-facts.ts";
import { provisional } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { callEntry } from "./library-calls.ts";
import { isPlaceRow, type PlaceRow, placeRowType } from "./place-row.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { none } from "./values/values.ts";

interface Picked {
  readonly of: TracedTensor;
  readonly condition: TracedTensor;
  readonly key: string;
}

/** Gathers and scatters at token positions, as operators of the round that runs for all experts. */
export class ExpertRows {
  private readonly words: TensorCalls;
  private readonly type: HostType;
  private readonly routes = new WeakMap<TracedTensor, Map<string, Value>>();
  /** Gathered tensors, with their source and the condition that gave the positions. */
  private readonly picked = new WeakMap<TracedTensor, Picked>();

  constructor(words: TensorCalls) {
    this.words = words;
    this.type = placeRowType(this);
  }

  /** Number of positions at which a condition holds, equal for every expert. */
  countOf(condition: TracedTensor): number {
    const facts = this.factsOf(condition);
    return facts === undefined ? 0 : Math.ceil(facts.choices / facts.experts);
  }

  private factsOf(condition: TracedTensor) {
    const { rounds } = this.words.experts;
    const facts = expertFacts(condition, (each) => rounds?.wholeOf(each) ?? each);
    return facts && { ...facts, experts: rounds?.size ?? facts.experts };
  }

  /** Whether a tensor of the round tells which tokens go to its expert. */
  isRoute(value: Value | undefined): boolean {
    const tensor = this.words.tensorOf(value);
    return tensor !== undefined && this.words.experts.rounds?.has(tensor) === true;
  }

  /**
   * Truth of a condition on how many tokens the round's expert gets: it gets at least one.
   * `undefined` when that does not decide it.
   */
  holds(value: Value): boolean | undefined {
    if (!this.isRoute(value)) return undefined;
    const { entry = "", op, inputs = [] } = this.words.tensorOf(value)?.producer ?? {};
    const bound = inputs.find((each) => each.kind === "plain");
    if (bound === undefined) return op === "all" ? undefined : true;
    const isNone = Number(bound.text) === 0 || (entry === "less" && Number(bound.text) === 1);
    if (!isNone || inputs[0] === bound) return undefined;
    return ["greater", "greater_equal"].includes(entry) || op === "ne"
      ? true
      : ["equal", "less", "less_equal"].includes(entry)
        ? false
        : undefined;
  }

  /**
   * Positions at which a condition of the round holds, as `nonzero` or `where` give them: one row
   * per dim of the condition, or all rows as a matrix.
   */
  places(value: Value, isMatrix: boolean, { context, span }: At): Value | undefined {
    const condition = this.words.tensorOf(value);
    if (condition === undefined || !this.isRoute(value)) return undefined;
    if (this.factsOf(condition) === undefined) return undefined;
    this.words.experts.sayEqualLoads(context, span);
    const dims = (condition.shape ?? []).map((_, dim) => dim);
    if (isMatrix) return { kind: "host", type: this.type, data: { condition, dims, isMatrix } };
    const items = dims.map(
      (dim): Value => ({
        ...{ kind: "host", type: this.type },
        data: { condition, dims: [dim], isMatrix: false },
      }),
    );
    return { kind: "tuple", items };
  }

  /**
   * Positions that an indexing key picks for the round's expert: a row of positions, or a mask.
   * `undefined` for other keys.
   */
  asRows(key: Value, at: At): readonly PlaceRow[] | undefined {
    if (isPlaceRow(key)) return [key];
    const found = this.places(key, false, at);
    if (found?.kind !== "tuple") return undefined;
    return found.items
      .filter(isPlaceRow)
      .map((row) => ({ ...row, data: { ...row.data, isOfMask: true } }));
  }

  /**
   * `places // k`: token positions, for a flat condition that holds k consecutive choices per
   * token.
   */
  tokensOf(row: PlaceRow, choices: number, at: At): Value | undefined {
    const { condition, dims } = row.data;
    const [size, ...others] = (condition.shape ?? []).map(provisional);
    if (size === undefined || others.length > 0 || size % choices !== 0) return undefined;
    const value = this.words.object(condition);
    const made = this.run("reshape", [value], { shape: [size / choices, choices] }, at);
    const tensor = this.words.tensorOf(made);
    return tensor && { ...row, data: { ...row.data, condition: tensor, dims } };
  }

  /** Elements of a tensor at positions along consecutive dims, starting at `dim`. */
  take(value: Value, rows: readonly PlaceRow[], dim: number, at: At): Value {
    const shape = this.shapeOf(value);
    const { condition, dims, sizes, key } = this.orderOf(rows);
    const covered = dims.map((each) => dim + rows.findIndex((row) => row.data.dims[0] === each));
    const others = shape.map((_, each) => each).filter((each) => !covered.includes(each));
    const front = this.run("permute", [value], { dims: [...covered, ...others] }, at, isInOrder);
    const tokens = product(sizes);
    const rest = others.map((each) => shape[each] ?? 1);
    const plan = this.planOf(rows, sizes);
    const grouped = this.shaped(front, [...inGroups(plan, tokens), ...rest], at);
    const slots = this.run("expert_dispatch", [grouped, this.routesOf(rows, at)], plan, at);
    const made = this.shaped(slots, [plan.g * plan.slots, ...rest], at);
    const back = [
      ...others.filter((each) => each < dim),
      -1,
      ...others.filter((each) => each > dim),
    ];
    const order = back.map((each) => (each < 0 ? 0 : others.indexOf(each) + 1));
    const result = this.run("permute", [made], { dims: order }, at, isInOrder);
    const [from, to] = [this.words.tensorOf(value), this.words.tensorOf(result)];
    if (from !== undefined && to !== undefined) this.picked.set(to, { of: from, condition, key });
    return result;
  }

  /** A tensor with rows added at the positions of their tokens. */
  add(value: Value, rows: readonly PlaceRow[], made: Value, at: At): Value {
    const whole = this.gathered(this.shapeOf(value), rows, made, at);
    if (!this.isZero(value)) return this.run("add", [value, whole], {}, at);
    this.words.experts.noteFilled(this.words.tensorOf(value), this.words.tensorOf(whole));
    return whole;
  }

  /**
   * Rows scattered to the positions of their tokens in a tensor of the given shape; 0 elsewhere.
   */
  private gathered(
    shape: readonly number[],
    rows: readonly PlaceRow[],
    made: Value,
    at: At,
  ): Value {
    const { dims, sizes } = this.orderOf(rows);
    const rest = shape.slice(sizes.length);
    const plan = this.planOf(rows, sizes);
    const slots = plan.g === 1 ? [plan.slots] : [plan.g, plan.slots];
    const grouped = this.shaped(made, [...slots, ...rest], at);
    const tokens = this.run("expert_combine", [grouped, this.routesOf(rows, at)], plan, at);
    const whole = this.shaped(tokens, [...sizes, ...rest], at);
    const order = rows.map(({ data }) => dims.indexOf(data.dims[0] ?? 0));
    const behind = rest.map((_, each) => each + sizes.length);
    return this.run("permute", [whole], { dims: [...order, ...behind] }, at, isInOrder);
  }

  /**
   * `y[places] = value`: a sum if the value is what was gathered there plus something. Otherwise
   * each position must be written exactly once, so that old elements do not matter.
   */
  set(self: HostObject, rows: readonly PlaceRow[], value: Value, at: At): Value | undefined {
    const [base, tensor] = [this.words.tensorOf(self), this.words.tensorOf(value)];
    const { condition, key, sizes } = this.orderOf(rows);
    const maker = tensor?.producer;
    const addends = maker?.entry === "add" ? maker.inputs : [];
    const own = addends.find((each) => {
      const from = each.kind === "tensor" ? this.picked.get(each) : undefined;
      return from?.of === base && from?.condition === condition && from?.key === key;
    });
    const other = addends.find((each) => each !== own);
    if (own?.kind === "tensor" && other?.kind === "tensor" && maker !== undefined) {
      this.words.experts.takeBack(maker);
      this.words.experts.takeBack(own.producer);
      return this.add(self, rows, this.words.object(other), at);
    }
    const isOnce = this.factsOf(condition)?.choices === product(sizes);
    if (!isOnce || tensor === undefined) return undefined;
    const whole = this.gathered(this.shapeOf(self), rows, value, at);
    this.words.experts.noteFilled(base, this.words.tensorOf(whole));
    return whole;
  }

  /**
   * Condition dims that the rows index, with sizes and a key. Rows of `nonzero` are sorted by size,
   * longest first; rows of a mask keep their order.
   */
  private orderOf(rows: readonly PlaceRow[]) {
    const [first] = rows;
    if (first === undefined) throw new Error("no places");
    const { condition } = first.data;
    const shape = (condition.shape ?? []).map(provisional);
    const named = rows.map(({ data }) => data.dims[0] ?? 0);
    const dims = first.data.isOfMask
      ? named
      : [...named].sort((a, b) => (shape[b] ?? 1) - (shape[a] ?? 1));
    const sizes = dims.map((dim) => shape[dim] ?? 1);
    return { condition, shape, dims, sizes, key: `${dims}` };
  }

  /** Routing mask over the rows' dims: 1 for tokens of the round's expert, else 0. */
  private routesOf(rows: readonly PlaceRow[], at: At): Value {
    const { condition, shape, dims, sizes, key } = this.orderOf(rows);
    const known = this.routes.get(condition) ?? new Map<string, Value>();
    this.routes.set(condition, known);
    const route = known.get(key);
    if (route !== undefined) return route;
    const value: Value = this.words.object(condition);
    const others = shape.map((_, dim) => dim).filter((dim) => !dims.includes(dim));
    const summed = others.length === 0 ? value : this.run("sum", [value], { dim: others }, at);
    const kept = shape.map((_, dim) => dim).filter((dim) => dims.includes(dim));
    const order = dims.map((dim) => kept.indexOf(dim));
    const ordered = this.run("permute", [summed], { dims: order }, at, isInOrder);
    const made = this.shaped(ordered, inGroups(this.planOf(rows, sizes), product(sizes)), at);
    known.set(key, made);
    return made;
  }

  private planOf(rows: readonly PlaceRow[], sizes: readonly number[]) {
    const [first] = rows;
    const facts = first && this.factsOf(first.data.condition);
    if (facts === undefined) return { g: 1, slots: 1 };
    // Positions over tokens × choices are grouped by tokens.
    const all = product(sizes);
    const { groups, slots } = rowPlan(all === facts.choices ? (sizes[0] ?? 1) : all, facts);
    return { g: groups, slots };
  }

  /** A tensor reshaped, or itself when it already has the shape. */
  private shaped(value: Value, shape: readonly number[], at: At): Value {
    const isSo = this.shapeOf(value).join() === shape.join();
    return isSo ? value : this.run("reshape", [value], { shape }, at);
  }

  private isZero(value: Value): boolean {
    const { constant } = this.words.tensorOf(value) ?? {};
    return constant?.kind === "fill" && constant.value === 0;
  }

  private shapeOf(value: Value): readonly number[] {
    return (this.words.tensorOf(value)?.shape ?? []).map(provisional);
  }

  private run(
    name: string,
    operands: readonly Value[],
    attributes: Readonly<Record<string, number | readonly number[]>>,
    at: At,
    isIdle: (attributes: readonly number[]) => boolean = () => false,
  ): Value {
    const [first = none] = operands;
    if (isIdle(Object.values(attributes).flat())) return first;
    return callEntry(this.words, name, operands, attributes, at);
  }
}

/** Shape of tokens split into groups; a single group adds no dim. */
function inGroups({ g }: { readonly g: number }, tokens: number): readonly number[] {
  return g === 1 ? [tokens] : [g, tokens / g];
}

function isInOrder(dims: readonly number[]): boolean {
  return dims.every((dim, at) => dim === at);
}
