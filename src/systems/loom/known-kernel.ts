import {
  type Bound,
  bindAnnotation,
  type DimAnno,
  type OpAnno,
  parseAnnotation,
  printAnnotation,
  projectionsOf,
} from "#core/dimops";
import { type Box, lengthOf } from "#core/indexspace";
import { type Attributes, bindCall, type LibraryEntry, library, linearGroups } from "#core/ir";
import { loomAxes, tensorPlaces } from "./from-dimops.ts";
import type { OperandSlot } from "./operands.ts";
import { sameSteps } from "./to-dimops.ts";

/** The library operator that a Loom operation computes. */
export interface KnownKernel {
  readonly entry: LibraryEntry;
  /** The library's annotation, renamed to the operation's index axes. */
  readonly bound: Bound;
  /** Groups of tensor inputs in which the operator is jointly linear. */
  readonly linear: readonly (readonly number[])[];
}

/** Properties of an operation that decide its kernel. */
export interface KernelQuestion {
  /** Kernel name: `builtins:add`, `op:linear` and `matmul` name operators of the library. */
  readonly kernel: string;
  readonly attributes: Attributes;
  readonly index: Box;
  /** The names of the index axes. */
  readonly names: readonly string[];
  readonly slots: readonly OperandSlot[];
  /** Annotation stored in the operation's own `params`. */
  readonly kept: Bound | undefined;
}

/**
 * The library operator named by a kernel, if it reads and writes the same cells of the same shapes.
 * The comparison uses the operation's own annotation, else its projections.
 */
export function knownKernel(question: KernelQuestion): KnownKernel | undefined {
  const { kernel, kept, slots, attributes } = question;
  const entry = library.get(libraryName(kernel));
  if (entry === undefined) return undefined;
  const shapes = slots.flatMap(({ side, selection }) =>
    side === "inputs" ? [selection.range.map(lengthOf)] : [],
  );
  const inputs =
    kept?.inputs.map((input) => (input.kind === "tensor" ? input.shape : undefined)) ?? shapes;
  const isCallable = entry.variadic || inputs.length <= entry.tensors;
  if (shapes.length < entry.required || !isCallable) return undefined;
  const own = bindCall(entry, { inputs, attributes });
  if (!own.ok) return undefined;
  const bound = inNames(own.value.bound, question);
  if (bound === undefined) return undefined;
  const isTensor = (at: number) => inputs[at] !== undefined;
  const place = (at: number) => inputs.slice(0, at).filter((_, each) => isTensor(each)).length;
  const linear = linearGroups(entry, inputs).map((group) => group.map(place));
  return { entry, bound, linear };
}

/** Name of a kernel in the library: the part after the last colon. */
export function libraryName(kernel: string): string {
  return kernel.slice(kernel.lastIndexOf(":") + 1);
}

/**
 * The library's annotation if it equals the operation's own, else renamed to the operation's index.
 */
function inNames(own: Bound, { kept, index, names, slots }: KernelQuestion): Bound | undefined {
  if (kept !== undefined) {
    const isSame = printAnnotation(kept.annotation) === printAnnotation(own.annotation);
    return isSame ? kept : undefined;
  }
  for (const form of ["closed", "open"] as const) {
    const axes = loomAxes(own, form);
    if (!leadsAlike(own, axes, index, slots)) continue;
    const renamed = new Map(axes.map((axis, at) => [axis, names[at] ?? axis]));
    const others = [...own.sizes.keys()].filter((name) => !renamed.has(name));
    if (others.some((name) => names.includes(name))) return undefined;
    const parsed = parseAnnotation(printAnnotation(renamedAnnotation(own.annotation, renamed)));
    const bound = parsed.ok ? bindAnnotation(parsed.value, own.inputs, own.kwargs) : parsed;
    return bound.ok ? bound.value : undefined;
  }
  return undefined;
}

function leadsAlike(
  own: Bound,
  axes: readonly string[],
  index: Box,
  slots: readonly OperandSlot[],
): boolean {
  const isSized = axes.every((axis, at) => {
    const range = index[at];
    return range !== undefined && own.sizes.get(axis) === lengthOf(range);
  });
  if (axes.length !== index.length || !isSized) return false;
  const made = projectionsOf(own, axes);
  const places = tensorPlaces(own);
  return (
    places.length === slots.length &&
    places.every((place, at) => sameSteps(made[place] ?? [], slots[at]?.projection ?? []))
  );
}

function renamedAnnotation(
  { inputs, outputs }: OpAnno,
  names: ReadonlyMap<string, string>,
): OpAnno {
  const dim = (each: DimAnno): DimAnno => ({
    ...each,
    identifiers: each.identifiers.map((identifier) => {
      return { ...identifier, name: names.get(identifier.name) ?? identifier.name };
    }),
  });
  const rename = (shapes: OpAnno["inputs"]) =>
    shapes.map((shape) => ({ ...shape, dims: shape.dims.map(dim) }));
  return { inputs: rename(inputs), outputs: rename(outputs) };
}
