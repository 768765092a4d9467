import type { Diagnostic } from "#core/diagnostics";
import type { Graph, Tensor, TensorId } from "#core/ir";
import { type Leaves, narrowOf, type Precision } from "#execute/engine";
import type { DrawRule, Leaf, ValueKind } from "#execute/reference";

/** The reader's own numbers for an input or parameter, in place of drawn ones. */
export interface OwnNumbers {
  readonly tensor: string;
  /** Row-major, one per cell of the tensor. */
  readonly numbers: ArrayLike<number>;
}

/** Whole numbers up to here are exact in a single. */
const largestWhole = 2 ** 24;

/**
 * Leaves with own numbers in place of drawn ones, if their count is that of the run's tensor.
 *
 * @param isSingle whether the engine computes in singles: numbers are rounded to those, for both
 * runs
 */
export function withOwn(
  graph: Graph,
  leaves: Leaves,
  own: readonly OwnNumbers[],
  isSingle: boolean,
): Leaves {
  if (own.length === 0) return leaves;
  const all = new Map<TensorId, Leaf>(leaves);
  for (const { tensor, numbers } of given(graph, leaves, own)) {
    const values = Float64Array.from(numbers);
    if (isSingle)
      for (let at = 0; at < values.length; at += 1) values[at] = Math.fround(values[at] as number);
    all.set(tensor.id, { values });
  }
  return all;
}

/** The reasons why the given numbers cannot be used: their tensors do not accept them. */
export function ownFaults(
  graph: Graph,
  leaves: Leaves,
  own: readonly OwnNumbers[],
  { values, precision }: { readonly values: ValueKind; readonly precision?: Precision },
): readonly Diagnostic[] {
  return given(graph, leaves, own).flatMap(({ tensor, leaf, numbers }): readonly Diagnostic[] => {
    const type = precision === "own" && values === "floats" ? narrowOf(tensor.dtype) : undefined;
    const against = (each: number) =>
      type !== undefined && Math.abs(each) >= type.overflow
        ? `it is too large for ${type.name}`
        : reasonAgainst(each, leaf.draw?.rule, values);
    const bad = firstOf(numbers, against);
    const why = bad === undefined ? undefined : against(bad);
    if (bad === undefined || why === undefined) return [];
    const message = `"${tensor.name}" cannot be given the number ${bad}: ${why}`;
    return [{ code: "execute/own-number", severity: "error", message }];
  });
}

/** First number for which `against` gives a reason; `undefined` if there is none. */
function firstOf(
  numbers: ArrayLike<number>,
  against: (number: number) => string | undefined,
): number | undefined {
  for (let at = 0; at < numbers.length; at += 1) {
    const each = numbers[at] as number;
    if (against(each) !== undefined) return each;
  }
  return undefined;
}

/**
 * Remark about own numbers that a run ignores: it has no such tensor, or a tensor of another size.
 */
export function ownLeftAside(
  graph: Graph,
  leaves: Leaves,
  own: readonly OwnNumbers[],
): readonly Diagnostic[] {
  const used = new Set(given(graph, leaves, own).map(({ tensor }) => tensor.name));
  return own
    .filter(({ tensor }) => !used.has(tensor))
    .map(({ tensor: name, numbers }): Diagnostic => {
      const tensor = graph.tensors.find((each) => each.name === name);
      const cells = tensor && leaves.get(tensor.id)?.values.length;
      const has =
        cells === undefined
          ? `the run has no input or parameter "${name}"`
          : `in this run "${name}" has ${cells} cells (${tensor?.shape.join("×")})`;
      const message = `the ${numbers.length} numbers given for "${name}" are left aside: ${has}`;
      return { code: "execute/own-left-aside", severity: "warning", message };
    });
}

interface Given extends Pick<OwnNumbers, "numbers"> {
  readonly tensor: Tensor;
  readonly leaf: Leaf;
}

/** Own numbers with their tensors, if their counts agree. */
function given(graph: Graph, leaves: Leaves, own: readonly OwnNumbers[]): readonly Given[] {
  return own.flatMap(({ tensor: name, numbers }): readonly Given[] => {
    const tensor = graph.tensors.find((each) => each.name === name && leaves.has(each.id));
    const leaf = tensor && leaves.get(tensor.id);
    if (tensor === undefined || leaf === undefined || tensor.role === "gradient") return [];
    return leaf.values.length === numbers.length ? [{ tensor, leaf, numbers }] : [];
  });
}

function reasonAgainst(
  number: number,
  rule: DrawRule | undefined,
  values: ValueKind,
): string | undefined {
  const isWhole = Number.isInteger(number);
  const isInfinite = Math.abs(number) === Number.POSITIVE_INFINITY;
  if (!isInfinite && !Number.isFinite(Math.fround(number))) return "it is too large for a single";
  if (rule?.kind === "index" && rule.isOpen) {
    if (!isWhole) return "its type has whole numbers alone";
  } else if (rule?.kind === "index" && !(isWhole && number >= 0 && number < rule.below)) {
    return `it is read as an index from 0 to ${rule.below - 1}`;
  }
  if ((rule?.kind === "positive" || rule?.kind === "count") && number <= 0) {
    return "its logarithm or root is taken, so it has to be above 0";
  }
  if (rule?.kind === "fraction" && (number < 0 || number > 1)) {
    return "it is read as a probability, from 0 to 1";
  }
  if (values === "floats") return undefined;
  if (!isWhole) return "the run is on integers, where every cell has to agree bit for bit";
  return Math.abs(number) > largestWhole
    ? `integers are exact up to ${largestWhole} only`
    : undefined;
}
