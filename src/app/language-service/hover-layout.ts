import { product } from "#core/arithmetic";
import type { Operator } from "#core/ir";
import { contains, insideOf, type TextPlace } from "#language/tokens";
import { type Facts, tensorNamed } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { targetName } from "./targets.ts";

/** The hover on an entry of a called `Layout`, or on a tuple of entries: its dim and sharding. */
export function layoutEntryHover(facts: Facts, { offset, token }: TextPlace): Hover | undefined {
  const found = entryAt(facts, offset);
  if (found === undefined || token === undefined) return undefined;
  const { spec, names, span } = found;
  const isTuple = /^\(/u.test(facts.source.slice(span.from, span.to));
  const isNone = token.kind === "string" && insideOf(facts.source, token).text === "None";
  const isBracket = token.kind === "punctuation" && isTuple;
  if (!isBracket && !isNone) return undefined;
  const map = names.map((name) => spec.aliasName.length - 1 - spec.aliasName.indexOf(name));
  if (isNone) {
    const where = isTuple ? "Nothing more cuts this dim" : "Nothing cuts this dim";
    const lines = [`${where}: -1 in the tensor_map.`, ...dimLine(found)];
    return { span: insideOf(facts.source, token).span, title: '"None"', lines };
  }
  return {
    span,
    title: `(${names.join(", ")})`,
    lines: [
      `${names.join(" × ")} cut one dim, ${names[0] ?? ""} outermost: (${map.join(", ")}) in the tensor_map.`,
      ...dimLine(found),
    ],
  };
}

interface FoundEntry {
  readonly spec: Spec;
  readonly names: readonly string[];
  readonly span: { readonly from: number; readonly to: number };
  readonly operandText: string;
  readonly dim: number;
  readonly size: number | undefined;
}

type Spec = Facts["document"]["trace"]["layouts"][number]["spec"];

/** The layout entry around an offset, in an operator's strategy or a placement. */
function entryAt(facts: Facts, offset: number): FoundEntry | undefined {
  const { document } = facts;
  for (const [traced, operator] of document.built.operatorOf) {
    const { strategy } = traced;
    if (strategy?.kind !== "layouts") continue;
    const lists = [
      { layouts: strategy.inputs, operands: operator.inputs, word: "Input" },
      { layouts: strategy.outputs ?? [], operands: operator.outputs, word: "Output" },
    ];
    for (const { layouts, operands, word } of lists) {
      for (const [at, layout] of layouts.entries()) {
        const found = entryIn(layout, offset);
        if (found === undefined) continue;
        const text = operandWords(operator, `${word} ${at}`, operands[at]?.tensor);
        const tensor = operands[at] && sizeOf(facts, operands[at].tensor, found.dim);
        return { ...found, operandText: text, size: tensor };
      }
    }
  }
  const place = document.trace.places.find(({ layout }) => contains(layout.span, offset));
  const spec = place?.spec;
  const found = spec && entryIn({ spec, dims: place.layout.dims }, offset);
  if (place === undefined || found === undefined) return undefined;
  const name = targetName(document, place.target);
  return { ...found, operandText: name, size: tensorNamed(facts, name)?.shape[found.dim] };
}

function entryIn(
  { spec, dims }: { readonly spec: Spec; readonly dims: readonly WrittenDim[] },
  offset: number,
): Pick<FoundEntry, "spec" | "names" | "span" | "dim"> | undefined {
  const dim = dims.findIndex(({ span }) => contains(span, offset));
  const entry = dims[dim];
  return entry && { spec, names: entry.axes.map(({ name }) => name), span: entry.span, dim };
}

type WrittenDim = Facts["document"]["trace"]["places"][number]["layout"]["dims"][number];

function sizeOf({ compiled }: Facts, tensor: string, dim: number): number | undefined {
  return compiled.graph.tensors.find(({ id }) => id === tensor)?.shape[dim];
}

function operandWords({ op }: Operator, operand: string, tensor: string | undefined): string {
  return `${operand} of ${op}${tensor === undefined ? "" : `, ${tensor}`}`;
}

/** Sharding of a dim: `Dim 1 of input 0 of MatMul, x, size 8: 4 pieces of 2.` */
function dimLine({ spec, names, operandText, dim, size }: FoundEntry): readonly string[] {
  const pieces = names.reduce(
    (product, name) => product * (spec.deviceMatrix[spec.aliasName.indexOf(name)] ?? 1),
    1,
  );
  const sized = size === undefined ? "" : `, size ${size}`;
  const each = size === undefined ? "" : ` of ${Math.ceil(size / pieces)}`;
  const cut = pieces === 1 ? "whole" : `${pieces} pieces${each}`;
  return [`Dim ${dim} of ${operandText}${sized}: ${cut}.`];
}

/**
 * Lines about an alias in a called Layout: the dim that it shards, and its place in the tensor_map.
 */
export function layoutEntryText(facts: Facts, offset: number): readonly string[] {
  const found = entryAt(facts, offset);
  return found === undefined ? [] : dimLine(found);
}

/** The hover on a size of a device matrix: its axis, and the axis' number in a tensor_map. */
export function matrixHover(facts: Facts, { offset, token }: TextPlace): Hover | undefined {
  if (token?.kind !== "number") return undefined;
  for (const { spec, matrix } of facts.document.trace.layouts) {
    const at = matrix?.items.findIndex(({ span }) => contains(span, offset)) ?? -1;
    if (at < 0) continue;
    const alias = spec.aliasName[at] ?? "";
    const devices = product(spec.deviceMatrix);
    return {
      span: token,
      title: `device_matrix[${at}] = ${spec.deviceMatrix[at] ?? 1}`,
      lines: [
        `The size of the axis ${alias}, which a tensor_map calls ${spec.aliasName.length - 1 - at}.`,
        `device_matrix (${spec.deviceMatrix.join(", ")}) arranges ${devices} devices, the last axis fastest.`,
      ],
    };
  }
  return undefined;
}

/** The hover on the alias `interleaved_parallel`, with the rules special to it. */
export function interleavedHover(facts: Facts, { token }: TextPlace): Hover | undefined {
  if (token?.kind !== "string") return undefined;
  const { span, text } = insideOf(facts.source, token);
  const layout = facts.document.trace.layouts.find(({ spec }) => spec.aliasName.includes(text));
  if (text !== "interleaved_parallel" || layout === undefined) return undefined;
  const { deviceMatrix } = layout.spec;
  const pieces = deviceMatrix.at(-1) ?? 1;
  const cards = product(deviceMatrix.slice(0, -1));
  return {
    span,
    title: `interleaved_parallel = ${pieces}`,
    lines: [
      `A virtual axis, always the last: ${cards} cards, each with ${pieces} pieces of its own.`,
      "The operator runs once per piece, so that one can be computed while another is sent; between the pieces of a card nothing is sent.",
      "Only rows of MatMul's first input may be cut by it: not the summed dim, not the second input, not a parameter.",
    ],
  };
}
