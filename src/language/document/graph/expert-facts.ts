import { fieldOf } from "#core/records";
import { knownSize } from "../trace/size.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Sizes of a choice of experts: the number of experts, and of choices in all. */
export interface ExpertFacts {
  readonly experts: number;
  readonly choices: number;
  /** How many places stand for them: more than experts where some stand for none. */
  readonly places: number;
}

/** How far behind a tensor the choice may lie that it follows from. */
const farthest = 24;

/**
 * The choice of experts that a tensor follows from: the nearest operator behind it that picks the
 * best ones, or that spreads indices over a number of classes.
 *
 * @param wholeOf from a tensor of one round to the tensor of all rounds
 */
export function expertFacts(
  tensor: TracedTensor,
  wholeOf: (tensor: TracedTensor) => TracedTensor = (same) => same,
): ExpertFacts | undefined {
  let level: readonly TracedTensor[] = [tensor];
  const seen = new Set<TracedOperator>();
  for (let far = 0; far < farthest && level.length > 0; far += 1) {
    const makers = level.flatMap((each) => wholeOf(each).producer ?? []);
    for (const maker of makers) {
      const facts = factsOf(maker);
      if (facts !== undefined) return facts;
    }
    const fresh = makers.filter((maker) => !seen.has(maker));
    for (const maker of fresh) seen.add(maker);
    level = fresh.flatMap(({ inputs }) =>
      inputs.filter((input) => input.kind === "tensor" && input.isUnknown !== true),
    ) as readonly TracedTensor[];
  }
  return undefined;
}

function factsOf({ entry, inputs, outputs, attributes }: TracedOperator): ExpertFacts | undefined {
  const [x] = inputs;
  if (x?.kind !== "tensor") return undefined;
  if (entry === "one_hot") return factsOfClasses(x, attributes ?? {});
  if (entry !== "top_k" && entry !== "argmax") return undefined;
  const dim = Number(fieldOf(attributes ?? {}, "dim") ?? -1);
  const size = x.shape?.at(dim);
  const experts = size === undefined ? undefined : knownSize(size);
  const choices = elementsOf(outputs[0]);
  if (experts === undefined || choices === undefined) return undefined;
  return { experts, choices, places: experts };
}

/**
 * Indices spread over classes. A class that no choice can name is of no expert: programs add one
 * behind the experts for tokens that none of them gets.
 */
function factsOfClasses(
  indices: TracedTensor,
  attributes: NonNullable<TracedOperator["attributes"]>,
): ExpertFacts | undefined {
  const classes = Number(fieldOf(attributes, "num_classes"));
  const choices = elementsOf(indices);
  if (!(classes > 0) || choices === undefined) return undefined;
  const among = choiceOf(indices)?.experts ?? classes;
  return { experts: Math.min(among, classes), choices, places: classes };
}

/** The choice that indices are, as they were made or only written in another way. */
function choiceOf(indices: TracedTensor): ExpertFacts | undefined {
  let maker = indices.producer;
  for (let far = 0; far < farthest && maker !== undefined; far += 1) {
    if (maker.entry === "concat") return choiceOfAll(maker);
    if (!moving.has(maker.entry ?? "")) return factsOf(maker);
    const [from] = maker.inputs;
    maker = from?.kind === "tensor" ? from.producer : undefined;
  }
  return undefined;
}

/** The choice of which several parts are, each among the same experts. */
function choiceOfAll({ inputs }: TracedOperator): ExpertFacts | undefined {
  const parts = inputs.map((each) => (each.kind === "tensor" ? choiceOf(each) : undefined));
  const [first] = parts;
  return parts.every((each) => each?.experts === first?.experts) ? first : undefined;
}

/** Operators that keep every element as it is. */
const moving: ReadonlySet<string> = new Set([
  ...["cast", "identity", "permute", "reshape", "slice", "squeeze", "transpose", "unsqueeze"],
]);

/** How many elements a tensor has, where that is known. */
function elementsOf(tensor: TracedTensor | undefined): number | undefined {
  const sizes = tensor?.shape?.map(knownSize);
  return sizes?.reduce<number | undefined>(
    (all, size) => (all === undefined || size === undefined ? undefined : all * size),
    1,
  );
}

/** How rows of experts lie: so many groups of tokens, and of each so many rows for every expert. */
export interface RowPlan {
  readonly groups: number;
  readonly slots: number;
}

/**
 * The largest number of groups in which every expert gets the same whole number of rows, since
 * groups are the dim that can be cut; one group if there is none.
 */
export function rowPlan(
  tokens: number,
  { experts, choices }: Pick<ExpertFacts, "choices" | "experts">,
): RowPlan {
  const perToken = choices / tokens;
  const least = Number.isInteger(perToken) ? experts / divisor(experts, perToken) : tokens;
  if (tokens % least !== 0) return { groups: 1, slots: Math.ceil(choices / experts) };
  return { groups: tokens / least, slots: (least * perToken) / experts };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
