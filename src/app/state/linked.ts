// The operators and tensors made at each place of a text, and the reverse mapping.

import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Selection } from "./view-slice.ts";

/** Operators and tensors that belong to a place of the text or to a mark on the canvas. */
export interface Parts {
  readonly operators: ReadonlySet<OperatorId>;
  readonly tensors: ReadonlySet<TensorId>;
  /** Indices of redistributions. */
  readonly redistributions: ReadonlySet<number>;
}

/** The part under the pointer, in one highlight colour everywhere; neither undone nor stored. */
export interface Linked extends Parts {
  /**
   * Source of the pointing. A part pointed at in the text or in a list dims the rest of the canvas;
   * a part pointed at outside the text is marked in the text.
   */
  readonly by: "text" | "drawing" | "list";
  /** The part's name in the text. */
  readonly name: string;
  /** The span of the text that represents the whole part, if there is one. */
  readonly word?: Span;
}

/** A span of the text, with the operators and tensors made there. */
interface Place {
  readonly span: Span;
  readonly operators: readonly OperatorId[];
  readonly tensors: readonly TensorId[];
}

interface Links {
  readonly places: readonly Place[];
  /** Index of the call in which each operator of the text ran. */
  readonly callOf: ReadonlyMap<OperatorId, number>;
  readonly byId: ReadonlyMap<OperatorId, Operator>;
  /** The operators that training adds for each operator of the text. */
  readonly derived: ReadonlyMap<OperatorId, readonly Operator[]>;
}

const known = new WeakMap<Compiled, Links>();

function linksOf(compiled: Compiled): Links {
  const links = known.get(compiled) ?? readLinks(compiled);
  known.set(compiled, links);
  return links;
}

function readLinks(compiled: Compiled): Links {
  const { graph, lines, program } = compiled;
  const calls = lines?.calls ?? [];
  const callOf = new Map(
    calls.flatMap(({ operators }, call) => operators.map((id) => [id, call] as const)),
  );
  const derived = new Map<OperatorId, Operator[]>();
  for (const operator of program.graph.operators) {
    if (operator.of === undefined || operator.phase === "update") continue;
    const others = derived.get(operator.of) ?? [];
    others.push(operator);
    derived.set(operator.of, others);
  }
  const byId = new Map(
    [...program.graph.operators, ...graph.operators].map((each) => [each.id, each]),
  );
  return { places: placesOf(compiled), callOf, byId, derived };
}

function placesOf({ graph, lines }: Compiled): readonly Place[] {
  const found = new Map<string, { span: Span; operators: OperatorId[]; tensors: TensorId[] }>();
  const placeAt = (span: Span) => {
    const key = `${span.from} ${span.to}`;
    const place = found.get(key) ?? { span, operators: [], tensors: [] };
    found.set(key, place);
    return place;
  };
  const calls = lines?.calls ?? [];
  for (const { operators, ...call } of calls) {
    for (let at: Pick<typeof call, "span" | "names" | "caller"> | undefined = call; at; ) {
      for (const span of [at.span, ...at.names]) placeAt(span).operators.push(...operators);
      at = at.caller === undefined ? undefined : calls[at.caller];
    }
  }
  for (const { id, span } of graph.operators)
    if (span !== undefined) placeAt(span).operators.push(id);
  const readers = new Map<TensorId, OperatorId[]>();
  for (const { id, inputs } of graph.operators)
    for (const { tensor } of inputs) readers.set(tensor, [...(readers.get(tensor) ?? []), id]);
  for (const { id, span, producer, role } of graph.tensors) {
    if (span === undefined || producer !== undefined) continue;
    const place = placeAt(span);
    place.tensors.push(id);
    if (role === "parameter") place.operators.push(...(readers.get(id) ?? []));
  }
  for (const { span, operators, tensors } of lines?.plan ?? []) {
    placeAt(span).operators.push(...operators);
    placeAt(span).tensors.push(...tensors);
  }
  return [...found.values()];
}

/**
 * The parts made at an offset of the text: by the innermost call around it, else by its whole line.
 * A line that runs in several layers made something in each.
 */
export function linkedAt(compiled: Compiled, offset: number): Linked | undefined {
  const links = linksOf(compiled);
  const { source } = compiled;
  const around = links.places.filter(({ span }) => span.from <= offset && offset < span.to);
  const word = around.reduce<Place | undefined>(
    (least, each) => (least === undefined || sizeOf(each) < sizeOf(least) ? each : least),
    undefined,
  );
  const line = lineAround(source, offset);
  const places = word === undefined ? links.places.filter(({ span }) => isOn(span, line)) : [word];
  const parts = partsOf(compiled, places);
  if (parts.operators.size === 0 && parts.tensors.size === 0) return undefined;
  const text = source.slice(...(word === undefined ? ends(line) : ends(word.span)));
  return {
    ...{ ...parts, by: "text", name: shortened(text) },
    ...(word !== undefined && { word: word.span }),
  };
}

/** A part of a drawing as a highlight; `undefined` if the part does not exist. */
export function linkedParts(compiled: Compiled, parts: Selection): Linked | undefined {
  const { operator, tensor = movedBy(compiled, parts), redistribution } = parts;
  const { graph } = compiled.program;
  const name =
    graph.operators.find(({ id }) => id === operator)?.name ??
    graph.tensors.find(({ id }) => id === tensor)?.name;
  if (name === undefined) return undefined;
  return {
    by: "drawing",
    name,
    operators: new Set(operator === undefined ? [] : [operator]),
    tensors: new Set(tensor === undefined || redistribution !== undefined ? [] : [tensor]),
    redistributions: new Set(redistribution === undefined ? [] : [redistribution]),
  };
}

/** The tensor of a redistribution. */
function movedBy({ program }: Compiled, { redistribution }: Selection): TensorId | undefined {
  return program.redistributions.find(({ index }) => index === redistribution)?.tensor;
}

/**
 * Several operators of the text with their derived parts, as a highlight; all others are dimmed.
 */
export function linkedOperators(
  compiled: Compiled,
  name: string,
  operators: readonly OperatorId[],
): Linked {
  const span = { from: 0, to: 0 };
  return { ...partsOf(compiled, [{ span, operators, tensors: [] }]), by: "list", name };
}

/**
 * The operators made at places, with their results, their redistributions and the operators that
 * training adds for them; tensors of those places are included.
 */
function partsOf(compiled: Compiled, places: readonly Place[]): Parts {
  const { byId, derived } = linksOf(compiled);
  const written = places.flatMap((place) => place.operators);
  const operators = new Set(
    written.flatMap((id) => [id, ...(derived.get(id) ?? []).map((each) => each.id)]),
  );
  const made = [...operators].flatMap((id) => byId.get(id)?.outputs ?? []);
  const tensors = new Set([
    ...places.flatMap((place) => place.tensors),
    ...made.map(({ tensor }) => tensor),
  ]);
  const redistributions = compiled.program.redistributions.filter(({ reasons }) =>
    reasons.some((reason) => "operator" in reason && operators.has(reason.operator)),
  );
  return {
    operators,
    tensors,
    redistributions: new Set(redistributions.map(({ index }) => index)),
  };
}

/**
 * The spans of the text that made a part: its own first, then the calls that led there, the
 * outermost last. A training operator has the spans of its forward operator.
 */
export function textPlacesOf(compiled: Compiled, parts: Selection): readonly Span[] {
  const { byId, callOf } = linksOf(compiled);
  const calls = compiled.lines?.calls ?? [];
  const id = parts.tensor ?? movedBy(compiled, parts);
  const tensor =
    id === undefined ? undefined : compiled.program.graph.tensors.find((each) => each.id === id);
  const asked = parts.operator ?? tensor?.producer;
  const operator = asked === undefined ? undefined : byId.get(asked);
  if (operator === undefined) return tensor?.span === undefined ? [] : [tensor.span];
  const own = operator.of === undefined ? operator : (byId.get(operator.of) ?? operator);
  const spans = own.span === undefined ? [] : [own.span];
  let call = callOf.get(own.id);
  while (call !== undefined) {
    const site: (typeof calls)[number] | undefined = calls[call];
    if (site !== undefined) spans.push(site.span);
    call = site?.caller;
  }
  return spans;
}

/** The spans of all highlighted parts, without duplicates, in text order. */
export function linkedPlaces(
  compiled: Compiled,
  { operators, tensors, redistributions }: Parts,
): readonly Span[] {
  const made = new Set(
    [...operators]
      .flatMap((id) => linksOf(compiled).byId.get(id)?.outputs ?? [])
      .map(({ tensor }) => tensor),
  );
  const parts: readonly Selection[] = [
    ...[...operators].map((operator) => ({ operator })),
    ...[...tensors].flatMap((tensor) => (made.has(tensor) ? [] : [{ tensor }])),
    ...(operators.size > 0
      ? []
      : [...redistributions].map((redistribution) => ({ redistribution }))),
  ];
  const found = new Map<string, Span>();
  for (const part of parts)
    for (const span of textPlacesOf(compiled, part)) found.set(`${span.from} ${span.to}`, span);
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** The operators whose innermost span contains a span of the text. */
export function operatorsAt(compiled: Compiled, span: Span): readonly OperatorId[] {
  const around = compiled.graph.operators.filter(
    (each) => each.span !== undefined && each.span.from <= span.from && span.to <= each.span.to,
  );
  const least = Math.min(...around.map((each) => lengthOf(each.span)));
  return around.filter((each) => lengthOf(each.span) === least).map(({ id }) => id);
}

function lengthOf(span: Span | undefined): number {
  return span === undefined ? Number.POSITIVE_INFINITY : span.to - span.from;
}

function sizeOf({ span }: Place): number {
  return span.to - span.from;
}

function lineAround(source: string, offset: number): Span {
  const end = source.indexOf("\n", offset);
  return { from: source.lastIndexOf("\n", offset - 1) + 1, to: end < 0 ? source.length : end };
}

/** Whether a span begins or ends on a line. */
function isOn({ from, to }: Span, line: Span): boolean {
  return (line.from <= from && from <= line.to) || (line.from < to && to <= line.to);
}

function ends({ from, to }: Span): [number, number] {
  return [from, to];
}

const longestName = 32;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= longestName ? line : `${line.slice(0, longestName - 1)}…`;
}
