import { type Graph, type Operator, operatorsById, type TensorId, tensorsById } from "#core/ir";
import { flatSteps, type SpmdProgram, valuesById } from "#core/program";
import type { LayersKept, StepKindCoverage } from "#execute/smaller";
import type { RunWork } from "./run-work.ts";

/** A size of the program, and the smaller one of the run. */
export interface ReducedSize {
  /** The name of the size, if an operator has one: `width`, `heads`. */
  readonly name?: string;
  readonly from: number;
  readonly to: number;
}

/** The cost of running a program unchanged. */
export interface WholeCost {
  /** Index points, unsharded and on all devices. */
  readonly operations: number;
  readonly bytes: number;
  /** The work, for an estimate by a measured pace. */
  readonly work: RunWork;
}

/** Bytes of a number on a processor. */
const numberBytes = 8;

/** The operations of a run on a processor; seconds follow only from a measured pace. */
export function wholeCost(work: RunWork): WholeCost {
  const { whole, devices } = work;
  const operations = whole.products + whole.others + devices.products + devices.others;
  return { operations, bytes: work.elements * numberBytes, work };
}

/** Parts of the program that a run left out. */
export interface ProgramReduction {
  readonly layers?: LayersKept;
  /** Distinct pairs of sizes. */
  readonly sizes: readonly ReducedSize[];
  readonly microbatches?: LayersKept;
  readonly whole: WholeCost;
}

/** Names of sizes in a sentence, the most telling first. */
const order = ["width", "tokens", "heads", "vocabulary", "channels", "batch", "width of a head"];
const mostNamed = 3;

/** The sizes of a graph that are smaller in another one, with their names. */
export function shrunkSizes(before: Graph, after: Graph): readonly ReducedSize[] {
  const shapes = new Map(after.tensors.map(({ id, shape }) => [id, shape]));
  const names = dimNames(before);
  const found = new Map<string, ReducedSize>();
  for (const { id, shape } of before.tensors) {
    for (const [dim, from] of shape.entries()) {
      const to = shapes.get(id)?.[dim] ?? from;
      const name = names.get(`${id} ${dim}`);
      const size = { from, to, ...(name !== undefined && { name }) };
      if (from !== to) found.set(`${name} ${from} ${to}`, size);
    }
  }
  const all = [...found.values()];
  const named = all.filter(({ name }) => name !== undefined);
  const isKnown = ({ from, to }: ReducedSize) =>
    named.some((each) => each.from === from && each.to === to);
  return [
    ...named.sort((a, b) => placeOf(a) - placeOf(b)),
    ...all.filter((each) => each.name === undefined && !isKnown(each)),
  ];
}

function placeOf({ name }: ReducedSize): number {
  const at = order.indexOf(name ?? "");
  return at < 0 ? order.length : at;
}

/** Names of dims, from the library operators that read them. */
function dimNames({ operators, tensors }: Graph): ReadonlyMap<string, string> {
  const ranks = new Map(tensors.map(({ id, shape }) => [id, shape.length]));
  const names = new Map<string, string>();
  for (const operator of operators) {
    for (const [tensor, dim, name] of namedDims(operator, (id) => ranks.get(id) ?? 0)) {
      const key = `${tensor} ${dim}`;
      if (!names.has(key)) names.set(key, name);
    }
  }
  return names;
}

type NamedDim = readonly [tensor: TensorId, dim: number, name: string];

function namedDims(
  { entry, inputs, outputs }: Operator,
  rankOf: (tensor: TensorId) => number,
): readonly NamedDim[] {
  const [first, second] = [inputs[0]?.tensor, inputs[1]?.tensor];
  const made = outputs[0]?.tensor;
  if (first === undefined || made === undefined) return [];
  switch (entry) {
    case "embedding":
      return second === undefined
        ? []
        : [
            [second, 0, "vocabulary"],
            [second, 1, "width"],
            [made, rankOf(made) - 1, "width"],
          ];
    case "layer_norm":
    case "rms_norm":
      return [[first, rankOf(first) - 1, "width"]];
    case "attention":
      return inputs.slice(0, 3).flatMap(({ tensor }): readonly NamedDim[] => {
        const rank = rankOf(tensor);
        const parts = ["batch", "heads", "tokens", "width of a head"];
        return rank === parts.length ? parts.map((name, dim) => [tensor, dim, name] as const) : [];
      });
    case "conv1d":
    case "conv2d":
    case "conv3d":
      return [
        [first, 0, "batch"],
        [first, 1, "channels"],
        [made, 1, "channels"],
      ];
    default:
      return [];
  }
}

/**
 * The extent of a run in words: `at 2 of 24 layers, width 256 of 2,048, cut alike; every one of the
 * 12 kinds of step was run`. `undefined` if all of it was run unchanged.
 */
export function coverWords(
  program: SpmdProgram,
  shrunk: ProgramReduction | undefined,
  covered: StepKindCoverage,
): string | undefined {
  if (shrunk === undefined) return undefined;
  const { layers, sizes, microbatches } = shrunk;
  const shown = shownSizes(sizes);
  const rest = sizes.length - shown.length;
  const isMore = shown.length > 0;
  const parts = [
    ...(layers === undefined ? [] : [`${figure(layers.kept)} of ${figure(layers.of)} layers`]),
    ...(microbatches === undefined
      ? []
      : [`${microbatches.kept} of ${figure(microbatches.of)} micro-batches`]),
    ...shown.map((size, at) => sizeWords(size, at === 0)),
    ...(rest > 0 && isMore ? [`${rest} more ${rest === 1 ? "size" : "sizes"} reduced`] : []),
  ];
  const missing = missingWords(program, covered);
  const kinds = `${kindsWords(covered)}${missing === undefined ? "" : ` (${missing})`}`;
  return `at ${parts.join(", ")}, cut alike; ${kinds}`;
}

function sizeWords({ name, from, to }: ReducedSize, isFirst: boolean): string {
  const what = name ?? (isFirst ? "sizes" : undefined);
  return `${what === undefined ? "" : `${what} `}${figure(to)} of ${figure(from)}`;
}

/** The sizes in a sentence: one of each name; without names the largest. */
function shownSizes(sizes: readonly ReducedSize[]): readonly ReducedSize[] {
  const named = sizes.filter(({ name }) => name !== undefined);
  const firsts = new Map([...named].reverse().map((each) => [each.name, each]));
  const told = named.filter((each) => firsts.get(each.name) === each);
  return (told.length > 0 ? told : [...sizes].sort((a, b) => b.from - a.from)).slice(0, mostNamed);
}

/** The most steps in a sentence. */
const mostSteps = 3;

/** The name of a step for a reader: `all-gather of h`, `y`. */
export function stepName(program: SpmdProgram, at: number): string {
  const step = flatSteps(program)[at];
  if (step === undefined) return `step ${at}`;
  if (step.kind === "local") {
    const operator = operatorsById(program.graph).get(step.operator);
    return operator === undefined ? step.operator : `${operator.op} "${operator.name}"`;
  }
  const value = valuesById(program).get(step.input);
  const tensor = value && tensorsById(program.graph).get(value.tensor);
  return `${step.collective} of "${tensor?.name ?? step.input}"`;
}

/** The kinds of step that were not run, each by its first step. */
function missingWords(program: SpmdProgram, { missing }: StepKindCoverage): string | undefined {
  if (missing.length === 0) return undefined;
  const names = missing.slice(0, mostSteps).map((at) => stepName(program, at));
  const rest = missing.length - names.length;
  return `not run: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** The number of kinds of step that were run, out of all. */
function kindsWords({ kinds, run }: StepKindCoverage): string {
  if (run === kinds)
    return kinds === 1
      ? "its one kind of step was run"
      : `every one of the ${figure(kinds)} kinds of step was run`;
  return `${figure(run)} of the ${figure(kinds)} kinds of step were run`;
}

function figure(size: number): string {
  return size.toLocaleString("en-US");
}
