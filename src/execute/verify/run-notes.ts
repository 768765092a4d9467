import type { Diagnostic } from "#core/diagnostics";
import { bytesOf, type Graph, type Operator, type TensorId } from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { SpmdProgram } from "#core/program";
import type { InjectedFault, Precision } from "#execute/engine";
import type { ReferenceRun, ValueKind, WholeTensor } from "#execute/reference";
import type { LayersKept } from "#execute/smaller";
import type { ResolvedBodies } from "./resolve-bodies.ts";
import type { RunWork } from "./run-work.ts";

/** The most tensors that a note names before it counts the rest. */
const mostNamed = 8;

/** The refusal of a run for its work, with the total and the limit in points. */
export function tooLarge(
  { points, elements, blocks, messages }: RunWork,
  total: number,
  most: number,
): Diagnostic {
  const counts = `${points} index points, ${elements} elements in ${blocks} blocks of devices, and ${messages} pairs of devices that talk`;
  return {
    code: "execute/too-large",
    severity: "error",
    message: `a run is checked element by element on every device, which is too much here (${counts}; together the work of ${Math.round(total)} points, where ${most} are allowed): use smaller sizes or fewer devices`,
  };
}

/**
 * The refusal of a run for its time at the measured pace, with the total and the limit in seconds.
 */
export function tooLong(seconds: number, most: number): Diagnostic {
  return {
    code: "execute/too-large",
    severity: "error",
    message: `at the pace that was measured here the run would take about ${Math.ceil(seconds)} s, and it is given ${most} s: use smaller sizes or fewer devices`,
  };
}

/** The refusal of a run for its memory, with the numbers; it says that the limit is assumed. */
export function tooMuchMemory(bytes: number, most: number): Diagnostic {
  return {
    code: "execute/too-much-memory",
    severity: "error",
    message: `the values of all devices take ${megabytes(bytes)} MB together, and a run is given ${megabytes(most)} MB, since nobody tells how much memory there is: use smaller sizes or fewer devices`,
  };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

/** The smaller sizes on which a refused run could start, in words. */
export function wouldFit(graph: Graph, smaller: Graph): Diagnostic {
  return {
    code: "execute/would-fit",
    severity: "info",
    message: givenSizes(graph, smaller),
  };
}

export function reducedSizes(
  graph: Graph,
  smaller: Graph,
  layers: LayersKept | undefined,
): Diagnostic {
  const sizes = givenSizes(graph, smaller);
  const parts = [
    ...(layers === undefined ? [] : [`${layers.kept} of ${layers.of} layers`]),
    ...(sizes === "" ? [] : [`smaller sizes that the plan cuts in the same way: ${sizes}`]),
  ];
  return {
    code: "execute/reduced-sizes",
    severity: "info",
    message: `the run used ${parts.join(", and ")}`,
  };
}

/** Sizes of the given tensors, from which all others follow. */
function givenSizes(graph: Graph, smaller: Graph): string {
  const shapes = new Map(smaller.tensors.map(({ id, shape }) => [id, shape]));
  const sizes = graph.tensors.flatMap(({ id, name, shape, producer, role }) => {
    const other = shapes.get(id) ?? shape;
    const isGiven = producer === undefined && (role === "input" || role === "parameter");
    return isGiven && String(shape) !== String(other) ? [`${name} as ${other.join("×")}`] : [];
  });
  const more = sizes.length > mostNamed ? ` and ${sizes.length - mostNamed} more` : "";
  return `${sizes.slice(0, mostNamed).join(", ")}${more}`;
}

export function otherStep(
  { graph }: Pick<SpmdProgram, "graph">,
  { sabotage }: { readonly sabotage?: InjectedFault },
): Diagnostic {
  const what =
    sabotage?.how === "cut"
      ? `"${graph.tensors.find(({ id }) => id === sabotage.tensor)?.name ?? sabotage.tensor}" is not part of the run`
      : `no step of the run is like step ${sabotage?.step}`;
  return {
    code: "execute/other-step",
    severity: "error",
    message: `${what}, which is on fewer layers and smaller sizes, so no fault can be put there`,
  };
}

export function noOtherCut(name: string): Diagnostic {
  return {
    code: "execute/no-other-cut",
    severity: "error",
    message: `"${name}" can be cut into equal parts along no other dim, so it cannot be cut along the wrong one`,
  };
}

export function assumedBody({ op, span }: Operator, reason: string | undefined): Diagnostic {
  const why = reason === undefined ? "without a known body" : `whose body cannot be run: ${reason}`;
  return {
    code: "execute/assumed-body",
    severity: "warning",
    message: `"${op}" is a function ${why}; it stands for the product of its operands, summed over what its result lacks`,
    ...(span !== undefined && { span }),
  };
}

/**
 * The note that backward passes know no bodies: they differentiate the annotation, also of a
 * function without a derivative.
 */
export function assumedGradients(
  { operators }: Graph,
  bodies: ResolvedBodies,
): readonly Diagnostic[] {
  const trained = new Set(
    operators.flatMap(({ of, phase }) => (of !== undefined && phase === "backward" ? [of] : [])),
  );
  const isAssumed = ({ id, entry, points }: Operator) =>
    bodies.has(id) || (entry === undefined && points === undefined);
  const functions = operators.filter((each) => trained.has(each.id) && isAssumed(each));
  const firsts = new Map(functions.toReversed().map((operator) => [operator.op, operator]));
  return [...firsts.values()].map(
    ({ op, span }): Diagnostic => ({
      code: "execute/assumed-gradient",
      severity: "warning",
      message: `the gradients of "${op}" are those of the product of its operands, not its own`,
      ...(span !== undefined && { span }),
    }),
  );
}

/**
 * The note about results that are 0 everywhere, in which no fault can show. Leaves of the graph are
 * left out, since their numbers are drawn or given.
 */
export function allZeros(
  { tensors }: Graph,
  wanted: ReadonlyMap<TensorId, WholeTensor>,
): readonly Diagnostic[] {
  const made = tensors.filter(({ producer }) => producer !== undefined);
  const zero = made.filter(({ id }) => isZero(wanted.get(id)));
  if (zero.length === 0) return [];
  const names = zero.slice(0, mostNamed).map(({ name }) => `"${name}"`);
  const more = zero.length > mostNamed ? ` and ${zero.length - mostNamed} more` : "";
  const of = `${zero.length} of ${made.length} results`;
  return [
    {
      code: "execute/all-zero",
      severity: "info",
      message: `${of} ${zero.length === 1 ? "is" : "are"} 0 everywhere on these numbers, so no fault can show there: ${names.join(", ")}${more}`,
    },
  ];
}

function isZero(whole: WholeTensor | undefined): boolean {
  return whole !== undefined && whole.values.length > 0 && whole.values.every((each) => each === 0);
}

export function inexact(): Diagnostic {
  return {
    code: "execute/not-exact",
    severity: "info",
    message:
      "the integers of this program grow beyond 2^53, so it ran on floats: each is held to the rounding that its sums may have",
  };
}

export function onWords(isSingle: boolean): Diagnostic {
  const most = isSingle ? "2^24" : "2^53";
  return {
    code: "execute/words",
    severity: "info",
    message: `the integers of this program grow beyond ${most}, so it ran on words of 32 bits, which wrap around: their sums are exact in every order, and every bit has to agree`,
  };
}

export function foundOnFloats(): Diagnostic {
  return {
    code: "execute/found-on-floats",
    severity: "info",
    message:
      "the integers were equal, but floats are not: the difference is one of the numbers themselves",
  };
}

/**
 * The note about tensors whose rounding has no bound, so that a run on floats proves little about
 * them.
 */
export function unbounded(
  { tensors }: Graph,
  { tensors: wholes }: ReferenceRun,
  overflowed: ReadonlyMap<TensorId, number> = new Map(),
): readonly Diagnostic[] {
  const loose = tensors.flatMap(({ id, name }) => {
    const errors = wholes.get(id)?.errors ?? new Float64Array(0);
    const count = errors.reduce(
      (sum, each) => sum + (each === Number.POSITIVE_INFINITY ? 1 : 0),
      -(overflowed.get(id) ?? 0),
    );
    return count <= 0 ? [] : [`${count} of "${name}"`];
  });
  if (loose.length === 0) return [];
  return [
    {
      code: "execute/no-bound",
      severity: "warning",
      message: `the rounding of some numbers has no bound (${listed(loose)}), so that the run says nothing of them`,
    },
  ];
}

/**
 * The note about tensors with numbers beyond the largest of their element type, which become
 * infinite.
 */
export function tooLargeForType(
  { tensors }: Graph,
  overflowed: ReadonlyMap<TensorId, number>,
): readonly Diagnostic[] {
  const large = tensors.flatMap(({ id, name, dtype }) => {
    const count = overflowed.get(id) ?? 0;
    return count === 0 ? [] : [`${count} of "${name}" for ${dtype}`];
  });
  if (large.length === 0) return [];
  return [
    {
      code: "execute/overflow",
      severity: "warning",
      message: `some numbers are too large for their element type (${listed(large)}), so that the run says nothing of them`,
    },
  ];
}

/** The note about element types of 8 bits: the program has them, but no run rounds to them. */
export function notRounded(
  { tensors }: Graph,
  { values, precision }: { readonly values: ValueKind; readonly precision?: Precision },
): readonly Diagnostic[] {
  if (values !== "floats" || precision !== "own") return [];
  const bytes = tensors.filter(({ dtype }) => isFloat(dtype) && bytesOf(dtype) === 1);
  if (bytes.length === 0) return [];
  const names = [...new Set(bytes.map(({ dtype }) => dtype))].sort().join(" and ");
  return [
    {
      code: "execute/not-rounded",
      severity: "warning",
      message: `results of ${names} were not rounded to it (a run knows bf16 and f16 alone): they are the engine's own floats`,
    },
  ];
}

/** The first few names, and the number of further tensors. */
function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${rest > 0 ? ` and of ${rest} more tensors` : ""}`;
}
