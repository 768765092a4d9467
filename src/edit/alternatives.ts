import type { Compiled, CompileOptions } from "#compile";
import { compileDocument } from "#compile";
import { applyEdits } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import { axisNames, type Layout } from "#core/mesh";
import type { Redistribution, ValueId } from "#core/program";
import type { Document } from "#language/document";
import { placeEdits } from "#language/document/edit";
import { readDocument, readGraph } from "#systems";
import { type Cuts, cutsOf, cutsWith, type OperandCuts } from "./alternative-cuts.ts";
import { type Change, carryChange, strategyChange } from "./alternative-edits.ts";

/** Another text that may reduce a redistribution, with a label for its change. */
export interface AlternativeText {
  readonly label: string;
  readonly source: string;
  /** The changed plan text of a graph. */
  readonly planText?: string;
}

/**
 * Texts that may avoid a redistribution, most direct first. Readers take the tensor's present
 * layout, its maker produces the readers' layout, the tensor is placed in that layout, its partial
 * sums are passed on or scattered, or one mesh axis less takes part. Each text changes one strategy
 * (of all equal blocks at once) or one `place`; whether it is cheaper is only known once it is
 * weighed.
 */
export function alternativeTexts(
  source: string,
  redistribution: number,
  options: CompileOptions = {},
): readonly AlternativeText[] {
  const read = readGraph(source, options);
  if (read === undefined) return alternativesIn(readDocument(source), redistribution);
  return alternativesIn(read.document, redistribution).map((text) => {
    return { label: text.label, source, planText: text.source };
  });
}

function alternativesIn(document: Document, redistribution: number): readonly AlternativeText[] {
  const { source } = document;
  const compiled = compileDocument(document);
  const found = compiled.program.redistributions.find(({ index }) => index === redistribution);
  const edge = found && edgeOf(compiled, found);
  if (edge === undefined) return [];
  const work: Work = { document, compiled, edge };
  const changes = [
    ...readersFollow(work),
    ...makerFollows(work),
    ...placed(work),
    ...carried(work),
    ...withoutAnAxis(work),
  ];
  const texts = changes.map(({ label, edits }) => ({ label, source: applyEdits(source, edits) }));
  const distinct = new Map(
    texts.filter((text) => text.source !== source).map((text) => [text.source, text]),
  );
  return [...distinct.values()].slice(0, mostOf(compiled));
}

/** Most texts to weigh: each compiles the whole text, so large programs get fewer. */
function mostOf({ graph }: Compiled): number {
  return Math.min(16, Math.max(4, Math.floor(3000 / Math.max(1, graph.operators.length))));
}

/** A redistribution, with the operators at both ends. */
interface Edge {
  readonly tensor: TensorId;
  readonly from: Layout;
  readonly to: Layout;
  /** Operators that read the tensor in layout `to`, or whose gradients do. */
  readonly readers: readonly { readonly operator: Operator; readonly operand: OperandCuts }[];
  readonly maker: { readonly operator: Operator; readonly operand: OperandCuts } | undefined;
}

/** A redistribution for which cheaper edits of the text are sought. */
export interface Work {
  readonly document: Document;
  readonly compiled: Compiled;
  readonly edge: Edge;
}

/** The two ends of a redistribution; `undefined` if its values are not known. */
export function edgeOf(compiled: Compiled, found: Redistribution): Edge | undefined {
  const { values, graph } = compiled.program;
  const layoutOf = (value: ValueId) => values.find(({ id }) => id === value)?.layout;
  const [from, to] = [layoutOf(found.input), layoutOf(found.output)];
  if (from === undefined || to === undefined) return undefined;
  const all = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const readers = found.reasons.flatMap((reason) => {
    if (reason.kind !== "operand") return [];
    const running = all.get(reason.operator);
    const operand = running?.inputs[reason.operand];
    const operator = running && writtenOf(compiled, running);
    return operator === undefined || operand === undefined ? [] : [{ operator, operand }];
  });
  const producer = graph.tensors.find(({ id }) => id === found.tensor)?.producer;
  const running = producer === undefined ? undefined : all.get(producer);
  const operand = running?.outputs.find(({ tensor }) => tensor === found.tensor);
  const operator = running && writtenOf(compiled, running);
  const maker = operator && operand && { operator, operand };
  return { tensor: found.tensor, from, to, readers: distinctReaders(readers), maker };
}

/**
 * The text's operator that an operator of a training step belongs to; an operator of the text
 * itself.
 */
function writtenOf(compiled: Compiled, running: Operator): Operator | undefined {
  const id: OperatorId = running.of ?? running.id;
  return compiled.graph.operators.find((operator) => operator.id === id);
}

function distinctReaders(readers: Edge["readers"]): Edge["readers"] {
  return [...new Map(readers.map((reader) => [reader.operator.id, reader])).values()];
}

/** Changes in which one reader cuts its index axes by the tensor's present layout. */
export function readersFollow({ document, compiled, edge }: Work): readonly Change[] {
  return edge.readers.flatMap(({ operator, operand }) =>
    changeTo(document, compiled, operator, operand, edge.from),
  );
}

/** Changes in which the maker cuts its index axes by the layout in which the tensor is read. */
export function makerFollows({ document, compiled, edge }: Work): readonly Change[] {
  if (edge.maker === undefined) return [];
  const { operator, operand } = edge.maker;
  return changeTo(document, compiled, operator, operand, edge.to);
}

function changeTo(
  document: Document,
  compiled: Compiled,
  operator: Operator,
  operand: OperandCuts,
  layout: Layout,
): readonly Change[] {
  const now = cutsOf(compiled, operator.id);
  const axes = layout.dims.map(({ parts }) => axisNames(parts, compiled.mesh.mesh));
  if (now === undefined || axes.some((list) => list === undefined)) return [];
  const wanted = cutsWith(
    now,
    operand,
    axes.map((list) => list ?? []),
  );
  return wanted === undefined ? [] : strategyChange(document, compiled, operator, now, wanted);
}

/** Changes that place the tensor in the readers' layout, or scatter a sum along one of its dims. */
export function placed({ document, compiled, edge }: Work): readonly Change[] {
  const tensor = compiled.graph.tensors.find(({ id }) => id === edge.tensor);
  const wanted = edge.to.dims.map(({ parts }) => axisNames(parts, compiled.mesh.mesh));
  if (tensor === undefined || wanted.some((axes) => axes === undefined)) return [];
  const lists = wanted.map((axes) => axes ?? []);
  const summed = edge.from.partials.flatMap(({ part }) =>
    part.kind === "axis" ? [part.axis] : [],
  );
  const free = summed.filter((axis) => lists.every((axes) => !axes.includes(axis)));
  const asRead = tensor.producer === undefined ? [lists] : [];
  const inPieces =
    free.length === 0
      ? []
      : lists.map((_, at) => lists.map((axes, dim) => (dim === at ? [...axes, ...free] : axes)));
  return [...asRead, ...inPieces].map((dims) => ({
    label: `Place ${tensor.name} as ${layoutWords(dims, tensor.dimNames)}`,
    edits: placeEdits(document, tensor, dims),
  }));
}

export function layoutWords(
  dims: readonly (readonly string[])[],
  names: readonly string[],
): string {
  const words = dims.map((axes, dim) => {
    const name = names[dim] ?? String(dim);
    if (axes.length === 0) return name;
    return axes.length === 1 ? `${name}@${axes[0]}` : `${name}@(${axes.join(",")})`;
  });
  return `[${words.join(", ")}]`;
}

/** Changes in which a linear reader takes the partial sums and passes them on. */
export function carried({ document, compiled, edge }: Work): readonly Change[] {
  const summed = edge.from.partials.flatMap(({ part }) =>
    part.kind === "axis" ? [part.axis] : [],
  );
  if (summed.length === 0) return [];
  return edge.readers.flatMap(({ operator }) =>
    operator.linear.length === 0 ? [] : carryChange(document, compiled, operator, summed),
  );
}

/** Changes in which a mesh axis of the redistribution no longer cuts a reader, or the maker. */
export function withoutAnAxis({ document, compiled, edge }: Work): readonly Change[] {
  const ends = [...edge.readers, ...(edge.maker === undefined ? [] : [edge.maker])];
  return ends.flatMap(({ operator }) => {
    const now = cutsOf(compiled, operator.id);
    if (now === undefined) return [];
    return takingPart(edge).flatMap((axis) =>
      strategyChange(document, compiled, operator, now, without(now, axis)),
    );
  });
}

export function takingPart({ from, to }: Edge): readonly string[] {
  const axesOf = ({ dims, partials }: Layout) =>
    [...dims.flatMap(({ parts }) => parts), ...partials.map(({ part }) => part)].flatMap((part) =>
      part.kind === "axis" ? [part.axis] : [],
    );
  const [before, after] = [axesOf(from), axesOf(to)];
  return [...new Set([...before, ...after])];
}

function without(cuts: Cuts, axis: string): Cuts {
  return Object.fromEntries(
    Object.entries(cuts).map(([name, axes]) => [name, axes.filter((each) => each !== axis)]),
  );
}
