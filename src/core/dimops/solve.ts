import type { DimAnno, Identifier, OpAnno } from "./annotation.ts";
import {
  type Argument,
  describeArgument,
  describeValue,
  integerOf,
  type Kwargs,
  keywordOf,
} from "./argument.ts";
import { type Fault, mismatch, raised } from "./fault.ts";
import { identifiersOf } from "./parse.ts";
import { decimalValue } from "./parse-shape.ts";
import { printAnnotation, printDim, printShape } from "./print.ts";

/** The state of binding an annotation to its arguments. */
interface Solving {
  readonly annotation: OpAnno;
  readonly inputs: readonly Argument[];
  readonly kwargs: Kwargs;
  /** Sizes given by dims that are one identifier; the first one found counts. */
  readonly shown: Map<string, Shown>;
  /** Lengths fixed so far; numbers from the beginning. */
  readonly sizes: Map<string, number>;
  readonly faults: Fault[];
}

/** The words for a dim in a message, written only for a message. */
type DimWords = () => string;

interface Shown {
  readonly size: number;
  readonly place: DimWords;
  readonly identifier: Identifier;
}

/** One annotated dim of a tensor argument with its size. */
interface Site {
  readonly dim: DimAnno;
  readonly size: number;
  readonly place: DimWords;
}

/**
 * Finds the length of every identifier in the inputs, or all reasons for failure.
 *
 * A dim that is a single identifier gives that identifier its size. An identifier in a bracket is
 * looked up among earlier dims and numbers, then keyword arguments, then single dims of all inputs.
 * One missing length is the remaining factor of the dim (dimops.md §2, steps 3 and 4).
 */
export function solveSizes(
  annotation: OpAnno,
  inputs: readonly Argument[],
  kwargs: Kwargs,
): { readonly sizes: ReadonlyMap<string, number>; readonly faults: readonly Fault[] } {
  const quick = sizesOfSingles(annotation, inputs);
  if (quick !== undefined) return { sizes: quick, faults: [] };
  const numbers = identifiersOf(annotation).filter(({ kind }) => kind === "number");
  const sizes = new Map(numbers.map(({ name }) => [name, decimalValue(name)]));
  const solving = { annotation, inputs, kwargs, shown: new Map(), sizes, faults: [] };
  const sites = checkRanks(solving);
  for (const site of sites) showSize(solving, site);
  if (solving.faults.length === 0) fixSizes(solving, sites);
  return solving;
}

/**
 * Fast path for most calls: every dim is one identifier, none is a number, and all fit. `undefined`
 * for other calls.
 */
function sizesOfSingles(
  { inputs, outputs }: OpAnno,
  given: readonly Argument[],
): ReadonlyMap<string, number> | undefined {
  const sizes = new Map<string, number>();
  for (let input = 0; input < inputs.length; input++) {
    const [shape, argument] = [inputs[input], given[input]];
    if (shape === undefined || shape.ignored || argument?.kind !== "tensor") return undefined;
    if (shape.dims.length !== argument.shape.length) return undefined;
    for (let at = 0; at < shape.dims.length; at++) {
      const { identifiers } = shape.dims[at] ?? { identifiers: [] };
      const [identifier] = identifiers;
      const size = argument.shape[at];
      if (identifier === undefined || size === undefined || identifiers.length > 1)
        return undefined;
      const known = sizes.get(identifier.name);
      if (identifier.kind === "number" || (known !== undefined && known !== size)) return undefined;
      if (known === undefined) sizes.set(identifier.name, size);
    }
  }
  const hasNumber = outputs.some(({ dims }) =>
    dims.some(({ identifiers }) => identifiers.some(({ kind }) => kind === "number")),
  );
  return hasNumber ? undefined : sizes;
}

function checkRanks(solving: Solving): readonly Site[] {
  const { annotation, inputs, faults } = solving;
  return annotation.inputs.flatMap((shape, input) => {
    const argument = inputs[input];
    if (argument?.kind !== "tensor" || shape.ignored) return [];
    const tensor = () => describeArgument(inputs, input);
    if (shape.dims.length !== argument.shape.length) {
      const has = `${tensor()} has the shape ${describeShape(argument.shape)}`;
      const message = `${has}, but its annotation "${printShape(shape)}" wants rank ${shape.dims.length}`;
      faults.push(mismatch({ code: "dimops/rank-mismatch", message, span: shape.span }));
      return [];
    }
    return shape.dims.map((dim, index): Site => {
      const place = () => `dim ${index} of ${tensor()}`;
      return { dim, size: argument.shape[index] ?? 0, place };
    });
  });
}

function describeShape(shape: readonly number[]): string {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
}

function showSize({ shown, faults }: Solving, { dim, size, place }: Site): void {
  const [identifier, ...others] = dim.identifiers;
  if (identifier === undefined || others.length > 0) return;
  const first = shown.get(identifier.name);
  if (first === undefined) shown.set(identifier.name, { size, place, identifier });
  else if (first.size !== size) faults.push(sizeConflict(identifier, first, size, place));
}

// Dims that share an identifier with a faulty one are passed over: their faults would repeat it.
function fixSizes(solving: Solving, sites: readonly Site[]): void {
  const tainted = new Set<string>();
  for (const site of sites) {
    const names = site.dim.identifiers.filter(({ kind }) => kind !== "number");
    if (names.some(({ name }) => tainted.has(name))) continue;
    const fault =
      site.dim.identifiers.length === 1 ? fixSingle(solving, site) : fixBracket(solving, site);
    if (fault === undefined) continue;
    solving.faults.push(fault);
    for (const { name } of names) tainted.add(name);
  }
}

function fixSingle({ sizes }: Solving, { dim, size, place }: Site): Fault | undefined {
  const identifier = dim.identifiers[0];
  if (identifier === undefined) return undefined;
  const known = sizes.get(identifier.name);
  sizes.set(identifier.name, known ?? size);
  return known === undefined || known === size
    ? undefined
    : otherSize(identifier, known, size, place);
}

function fixBracket(solving: Solving, site: Site): Fault | undefined {
  const unknown: Identifier[] = [];
  let product = 1;
  for (const identifier of site.dim.identifiers) {
    const length = lookUp(solving, identifier);
    if (typeof length === "object") return length;
    if (length === undefined) unknown.push(identifier);
    else {
      product *= length;
      solving.sizes.set(identifier.name, length);
    }
  }
  const [hidden, ...others] = unknown;
  if (hidden === undefined) return product === site.size ? undefined : otherProduct(site, product);
  if (others.length > 0) return cannotInfer(solving.annotation, site.dim, unknown);
  if (product === 0) return divisionByZero(site);
  if (site.size % product !== 0) return indivisible(site, product);
  solving.sizes.set(hidden.name, site.size / product + 0);
  return undefined;
}

function lookUp(solving: Solving, { name, span }: Identifier): number | undefined | Fault {
  const fixed = solving.sizes.get(name);
  if (fixed !== undefined) return fixed;
  const argument = keywordOf(solving.kwargs, name);
  if (argument === undefined) return solving.shown.get(name)?.size;
  const message = `argument "${name}" must be an integer, but is ${describeValue(argument)}`;
  const fault = () => raised("ValueError", { code: "dimops/size-not-integer", message, span });
  return integerOf(argument) ?? fault();
}

function sizeConflict(identifier: Identifier, first: Shown, size: number, place: DimWords): Fault {
  const { name, span } = identifier;
  return raised("RuntimeError", {
    code: "dimops/size-conflict",
    message: `identifier "${name}" is ${first.size} in ${first.place()} but ${size} in ${place()}`,
    span,
    related: [{ message: `"${name}" is ${first.size} here`, span: first.identifier.span }],
  });
}

function otherSize({ name, kind, span }: Identifier, known: number, size: number, place: DimWords) {
  const wanted = kind === "number" ? `"${name}" is annotated` : `identifier "${name}" is ${known}`;
  const message = `${wanted}, but ${place()} is ${size}`;
  return mismatch({ code: "dimops/size-mismatch", message, span });
}

function otherProduct({ dim, size, place }: Site, product: number): Fault {
  return mismatch({
    code: "dimops/product-mismatch",
    message: `"${printDim(dim)}" is ${product}, but ${place()} is ${size}`,
    span: dim.span,
  });
}

function cannotInfer(annotation: OpAnno, dim: DimAnno, unknown: readonly Identifier[]): Fault {
  const names = [...new Set(unknown.map(({ name }) => `"${name}"`))].join(" and ");
  return raised("AssertionError", {
    code: "dimops/cannot-infer",
    message:
      `cannot infer hidden dim "${printDim(dim)}" of "${printAnnotation(annotation)}": ` +
      `nothing gives the size of ${names}`,
    span: dim.span,
  });
}

function divisionByZero({ dim, size, place }: Site): Fault {
  return raised("ZeroDivisionError", {
    code: "dimops/division-by-zero",
    message: `${place()} is ${size}, and the known sizes of "${printDim(dim)}" make 0`,
    span: dim.span,
  });
}

function indivisible({ dim, size, place }: Site, product: number): Fault {
  return raised("AssertionError", {
    code: "dimops/indivisible-size",
    message: `${place()}, "${printDim(dim)}", does not divide: ${size} % ${product} != 0`,
    span: dim.span,
  });
}
