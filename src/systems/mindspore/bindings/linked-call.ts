import type { Span } from "#core/diagnostics";
import { giveRank, rankByName, rankIn, type TensorBindings } from "#language/document/bindings";
import { itemsOf } from "#language/document/bindings/values";
import {
  type PlainOperand,
  type PrimitiveCall,
  provisional,
  type Recorder,
  type ShardStrategy,
  shapeOf,
  type TracedTensor,
} from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import { linkedAnnotation } from "../primitives/links-annotation.ts";
import type { PrimitiveSpec } from "../primitives/spec.ts";

/** A call of a primitive whose shapes follow from the links of its dims. */
export interface LinkedCall {
  readonly name: string;
  readonly links: PrimitiveSpec["links"];
  readonly dtype?: PrimitiveSpec["dtype"];
  readonly givesTuple?: PrimitiveSpec["givesTuple"];
  /** Operands by position: tensors, or numbers in place of tensors. */
  readonly operands: readonly Value[];
  readonly said: PrimitiveCall;
  readonly strategy: ShardStrategy | undefined;
}

/**
 * Records a call of a primitive that the operator library lacks; the shapes of its results follow
 * from its links. `undefined` if the links are not known because an argument is not.
 */
export function callLinked(
  { recorder, tensors }: { readonly recorder: Recorder; readonly tensors: TensorBindings },
  { name, links: linksOf, dtype, givesTuple, operands, said, strategy }: LinkedCall,
  context: Context,
  span: Span,
): Value | undefined {
  const inputs = operands.map((value) => tensors.operand(value, context, { asTensor: true, span }));
  for (const [index, input] of inputs.entries())
    if (input.kind === "tensor" && input.shape === undefined)
      giveRank(input, rankAsked(name, strategy, index) ?? rankByName(name.toLowerCase()));
  const text = openFlattened(name, inputs);
  const shapes = inputs.map((input) =>
    input.kind !== "tensor"
      ? []
      : text === undefined
        ? shapeOf(input)
        : (input.shape ?? []).map(provisional),
  );
  const added = said.attributes.map(({ name: key, value }) => [key, value] as const);
  const call = {
    op: name,
    shapes,
    attributes: { ...said.arguments, ...Object.fromEntries(added) },
  };
  const links = linksOf(call);
  if (typeof links === "string") return context.raise("ValueError", links, span);
  if (links === undefined) return undefined;
  const isTensor = (input: number) => inputs[input]?.kind === "tensor";
  const results = recorder.call(
    {
      op: name,
      stem: stemOf(name),
      annotations: [{ text: text ?? linkedAnnotation(links, call, isTensor) }],
      inputs,
      integers: {},
      linear: [],
      reducesInside: true,
      primitive: said,
      ...(links.outputs.every(({ length }) => length === 0) && { givesScalars: true }),
      ...(strategy !== undefined && { strategy }),
      span,
    },
    context,
  );
  if (dtype !== undefined) {
    for (const tensor of results) Object.assign(tensor, { dtype, dtypeText: dtype });
  }
  if (givesTuple === true)
    return { kind: "tuple", items: results.map((each) => tensors.object(each)) };
  return tensors.result(results);
}

/**
 * The rank that a strategy implies for an operand; the first tuple of `OneHot` has one entry per
 * dim of the result.
 */
function rankAsked(name: string, strategy: ShardStrategy | undefined, index: number) {
  const rank = rankIn(strategy, index);
  return rank !== undefined && index === 0 && name.startsWith("OneHot") ? rank - 1 : rank;
}

/**
 * The annotation of `Flatten` for a tensor with open sizes: all dims after the first are joined.
 */
function openFlattened(
  name: string,
  [x]: readonly (TracedTensor | PlainOperand)[],
): string | undefined {
  if (name !== "Flatten" || x?.kind !== "tensor" || x.shape === undefined) return undefined;
  if (x.shape.every((size) => typeof size === "number") || x.shape.length < 2) return undefined;
  const behind = x.shape.slice(1).map((_, dim) => `b${dim}`);
  const joined = behind.length === 1 ? behind[0] : `(${behind.join(" ")})`;
  return `a ${behind.join(" ")} -> a ${joined}`;
}

/** The stem of a primitive's name: `strided_slice` of `StridedSlice`. */
function stemOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").toLowerCase();
}

/**
 * The operands of a call in order of its parameters, with lists spread out where the primitive
 * takes several.
 */
export function operandsOf(
  spec: PrimitiveSpec,
  bound: ReadonlyMap<string, Argument>,
  isTensor: (value: Value) => boolean,
): readonly Value[] {
  const values = operandNames(spec, bound, isTensor).flatMap((name) => {
    const value = bound.get(name)?.value;
    if (value === undefined) return [];
    return spec.takesLists === true ? membersOf(value, isTensor) : [value];
  });
  const [first] = values;
  if (spec.isVariadic !== true || (first?.kind !== "tuple" && first?.kind !== "list"))
    return values;
  return first.items;
}

/** The tensors of a list; one operand for a tensor, or a list of numbers in its place. */
function membersOf(value: Value, isTensor: (value: Value) => boolean): readonly Value[] {
  const items = itemsOf(value) ?? [];
  return items.some(isTensor) ? items : [value];
}

/** Number of tensors given for each parameter of a call, by name; 0 for omitted ones. */
export function operandCounts(
  spec: PrimitiveSpec,
  bound: ReadonlyMap<string, Argument>,
  isTensor: (value: Value) => boolean,
): Readonly<Record<string, number>> {
  const given = operandNames(spec, bound, isTensor);
  return Object.fromEntries(
    spec.tensors.map((name) => {
      const value = given.includes(name) ? bound.get(name)?.value : undefined;
      return [name, value === undefined ? 0 : membersOf(value, isTensor).length] as const;
    }),
  );
}

/** The parameters of a call that received tensors, or numbers in their place. */
export function operandNames(
  { called, tensors, held = [] }: PrimitiveSpec,
  bound: ReadonlyMap<string, Argument>,
  isTensor: (value: Value) => boolean,
): readonly string[] {
  return called.filter((name) => {
    const value = bound.get(name)?.value;
    if (value === undefined || value.kind === "none" || !tensors.includes(name)) return false;
    const isNumber = value.kind === "int" || value.kind === "float";
    return !held.includes(name) || isNumber || isTensor(value);
  });
}
