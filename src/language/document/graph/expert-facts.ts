import { fieldOf } from "#core/records";
import { knownSize } from "../trace/size.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/**
 * Sizes of a routing choice: the number of experts, and of choices (tokens × experts per token).
 */
export interface ExpertFacts {
  readonly experts: number;
  readonly choices: number;
  /** Size of the one-hot dim; more than `experts` when some classes belong to no expert. */
  readonly places: number;
}

/** Most operators between a tensor and the choice it depends on. */
const farthest = 24;

/**
 * Routing choice that a tensor depends on: the nearest preceding top-k or one-hot operator.
 * `undefined` without one.
 *
 * @param wholeOf maps a tensor of one round to the tensor of all rounds
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
 * Choice behind a one-hot operator. A class that no choice can name belongs to no expert: programs
 * append one after the experts for tokens that no expert gets.
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

/**
 * Choice whose indices a tensor holds, directly or through operators that keep elements; else
 * `undefined`.
 */
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

/** Choice behind a concatenation, if all parts choose among the same number of experts. */
function choiceOfAll({ inputs }: TracedOperator): ExpertFacts | undefined {
  const parts = inputs.map((each) => (each.kind === "tensor" ? choiceOf(each) : undefined));
  const [first] = parts;
  return parts.every((each) => each?.experts === first?.experts) ? first : undefined;
}

/** Operators that move elements without changing their values. */
const moving: ReadonlySet<string> = new Set([
  ...["cast", "identity", "permute", "reshape", "slice", "squeeze", "transpose", "unsqueeze"],
]);

/** Number of elements of a tensor; `undefined` with an open size. */
function elementsOf(tensor: TracedTensor | undefined): number | undefined {
  const sizes = tensor?.shape?.map(knownSize);
  return sizes?.reduce<number | undefined>(
    (all, size) => (all === undefined || size === undefined ? undefined : all * size),
    1,
  );
}

/** Arrangement of expert rows: number of token groups, and rows per expert in each group. */
export interface RowPlan {
  readonly groups: number;
  readonly slots: number;
}

/**
 * Arrangement with the most groups such that every expert gets the same integer number of rows per
 * group, because the group dim can be split. One group if there is none.
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
