import type { Diagnostic } from "#core/diagnostics";
import type { ProgramRun } from "./run-program.ts";
import { shapeOf } from "./trace/bind-traced.ts";
import type { KnownLeaf, Memory } from "./trace/memory.ts";
import { reshapeFaults } from "./trace/reshape-size.ts";
import type { TracedOperator } from "./trace/traced.ts";

/** The remembered facts of a text, and the run of the text with them. */
export interface Known {
  readonly memory: Memory;
  readonly run: ProgramRun;
}

/** Ranks tried instead of a guessed rank. */
const otherRanks: readonly number[] = [1, 3, 4];

/**
 * Number of operand dims of size 1, which broadcast against anything and therefore prove nothing.
 */
export function ones(operator: TracedOperator | undefined): number {
  const inputs = operator?.inputs ?? [];
  const sizes = inputs.flatMap((each) => (each.kind === "tensor" ? shapeOf(each) : []));
  return sizes.filter((size) => size === 1).length;
}

/** The leaves (tensors without a producer) that an operator depends on. */
export function leavesOf({ leaves }: Memory, operator: TracedOperator): readonly KnownLeaf[] {
  const shapes = new Set<unknown>();
  const seen = new Set<TracedOperator>([operator]);
  for (const { inputs } of seen)
    for (const each of inputs) {
      if (each.kind !== "tensor") continue;
      if (each.producer === undefined) shapes.add(each.shape);
      else seen.add(each.producer);
    }
  // A remembered leaf shares its shape array with the tensor.
  return leaves.filter(({ shape }) => shapes.has(shape));
}

/**
 * Memories with other sizes and ranks of assumed inputs, suggested by the sizes met at the first
 * fault.
 */
export function othersFor({ memory, run }: Known, source: string): readonly Memory[] {
  const failed = failedIn(run, source);
  const met = failed === undefined ? [] : sizesOf(failed);
  const leaves = failed === undefined ? memory.leaves : leavesOf(memory, failed);
  return leaves
    .filter(({ role }) => role === "input")
    .flatMap((leaf) =>
      [...withSizes(leaf, met), ...withRanks(leaf)].map((other) => ({
        ...memory,
        leaves: memory.leaves.map((each) => (each === leaf ? other : each)),
      })),
    );
}

function withSizes(leaf: KnownLeaf, met: readonly number[]): readonly KnownLeaf[] {
  const { shape, defaults } = leaf;
  const open = shape.flatMap((size, dim) => (defaults[dim] === true ? [{ size, dim }] : []));
  return open
    .toReversed()
    .flatMap(({ size, dim }) =>
      wantedFor(size, met).map((wanted) => ({ ...leaf, shape: shape.with(dim, wanted) })),
    );
}

/** The leaf with other ranks; none if its rank is not a guess. */
function withRanks(leaf: KnownLeaf): readonly KnownLeaf[] {
  const { shape, defaults, isRankGuessed } = leaf;
  const [size, isDefault] = [shape[0], defaults[0]];
  if (!isRankGuessed || size === undefined || isDefault === undefined) return [];
  return otherRanks
    .filter((rank) => rank !== shape.length)
    .map((rank) => ({
      ...leaf,
      shape: Array.from({ length: rank }, (_, dim) => shape[dim] ?? size),
      defaults: Array.from({ length: rank }, (_, dim) => defaults[dim] ?? isDefault),
    }));
}

function sizesOf({ entry, inputs, outputs }: TracedOperator): readonly number[] {
  const tensors = entry === "reshape" ? [...inputs, ...outputs] : inputs;
  return [...new Set(tensors.flatMap((each) => (each.kind === "tensor" ? shapeOf(each) : [])))];
}

/**
 * Candidates for a size that meets other sizes: each of them, and the size scaled by the ratio of
 * two of them.
 */
function wantedFor(size: number, met: readonly number[]): readonly number[] {
  const scaled = met.flatMap((asked) => met.map((had) => (size * asked) / had));
  return [...new Set([...met, ...scaled])].filter(
    (each) => Number.isSafeInteger(each) && each > 1 && each !== size,
  );
}

/** The first operator whose sizes do not fit; `undefined` if all fit. */
export function failedIn(
  { trace, built, names }: ProgramRun,
  source: string,
): TracedOperator | undefined {
  const unbound = new Set(built.diagnostics.filter(isOfSizes).map(({ span }) => span));
  const reshaped = new Set(reshapeFaults(trace.operators, names, source).map(({ span }) => span));
  // All operators made by one call have its span; the one that was not bound has failed.
  return trace.operators.find((each) =>
    built.operatorOf.has(each)
      ? each.entry === "reshape" && reshaped.has(each.span)
      : unbound.has(each.span),
  );
}

/** Whether a diagnostic is about sizes that do not fit. */
export function isOfSizes({ code }: Diagnostic): boolean {
  return code.startsWith("dimops/");
}
