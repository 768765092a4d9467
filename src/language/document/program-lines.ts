// The values and operators that each line of a text made: with them the text and the drawing point
// at each other.

import type { Span } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Frame, Value } from "#language/python";
import type { BuiltGraph } from "./graph/build-graph.ts";
import type { TracedOperator, TracedTensor } from "./trace/traced.ts";

/** A call in the text of a function of the text, in which operators ran; layers share it. */
export interface CallSite {
  readonly span: Span;
  /** The call that it stands in, by its place in the list; absent at the level of the module. */
  readonly caller?: number;
  /** Where the name of the function that it calls is defined, and that of the receiver's class. */
  readonly names: readonly Span[];
  /** What ran in the function itself, not in one that it called. */
  readonly operators: readonly OperatorId[];
}

/** What a statement bound, returned or came to, run by run. */
export interface StatementValue {
  readonly span: Span;
  /** The tensors in its value, once for each run that had some. */
  readonly runs: readonly (readonly TensorId[])[];
  /** The number of runs whose value had no tensor in it. */
  readonly without: number;
}

/** What the lines of a text made. */
export interface ProgramLines {
  readonly calls: readonly CallSite[];
  readonly values: readonly StatementValue[];
}

/**
 * The largest container whose items are listed behind its line; larger ones, and those that contain
 * themselves, are not.
 */
const mostHeld = 64;

/** Values of containers that are looked at for all lines of a text together. */
const mostLooked = 1_000_000;

interface Runs {
  readonly tensors: (readonly TracedTensor[])[];
  without: number;
}

/** Notes the values of statements while a program runs. */
export class StatementValues {
  private readonly bySpan = new Map<Span, Runs>();
  private readonly tensorOf: (value: Value) => TracedTensor | undefined;
  /** How many more values are looked at. */
  private left = mostLooked;

  constructor(tensorOf: (value: Value) => TracedTensor | undefined) {
    this.tensorOf = tensorOf;
  }

  note(value: Value, span: Span): void {
    const { tensors, looked } = tensorsIn(value, this.tensorOf, Math.min(mostHeld, this.left));
    this.left -= looked;
    const known = this.bySpan.get(span);
    if (known === undefined) {
      // Most lines run once, and a list that grows takes room for many.
      if (tensors.length > 0) this.bySpan.set(span, { tensors: [tensors], without: 0 });
      else if (value.kind === "none") this.bySpan.set(span, { tensors: [], without: 1 });
      return;
    }
    if (tensors.length === 0) known.without += 1;
    else known.tensors.push(tensors);
  }

  /** Drops what was noted: the text has run, and what it noted is read. */
  forget(): void {
    this.bySpan.clear();
  }

  /** The values of which all tensors are in the graph, in the order of the text. */
  read(idOf: (tensor: TracedTensor) => TensorId | undefined): readonly StatementValue[] {
    const read: StatementValue[] = [];
    for (const [span, { tensors, without }] of this.bySpan) {
      const found = tensors.map((run) => idsOf(run, idOf));
      const isWhole = found.every((ids) => ids !== undefined);
      const runs = isWhole ? found : found.filter((ids) => ids !== undefined);
      if (runs.length > 0) read.push({ span, runs, without });
    }
    return read.sort((a, b) => a.span.from - b.span.from);
  }
}

/** The ids of some tensors, if all have one. */
function idsOf(
  tensors: readonly TracedTensor[],
  idOf: (tensor: TracedTensor) => TensorId | undefined,
): readonly TensorId[] | undefined {
  const ids = tensors.map(idOf);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

/** The graph of a text that has run, and what its tensors are called in it. */
interface Ended {
  readonly built: Pick<BuiltGraph, "graph" | "operatorOf">;
  readonly names: ReadonlyMap<TracedTensor, string>;
}

/**
 * The operators and tensors that each line made, as far as they are in the graph. Computed on the
 * first call; the values are then dropped.
 */
export function linesOnce(values: StatementValues, ended: Ended): () => ProgramLines {
  let read: ProgramLines | undefined;
  return () => {
    if (read !== undefined) return read;
    read = programLines(values, ended);
    values.forget();
    return read;
  };
}

function programLines(values: StatementValues, { built, names }: Ended): ProgramLines {
  const known = new Map<string, TensorId>();
  for (const { name, id } of built.graph.tensors) known.set(name, id);
  const idOf = (tensor: TracedTensor) => known.get(names.get(tensor) ?? "");
  return { calls: callSites(built.operatorOf), values: values.read(idOf) };
}

/**
 * The tensors in a value, those in containers too, in their order; none where that takes more looks
 * than it may.
 */
function tensorsIn(
  value: Value,
  tensorOf: (value: Value) => TracedTensor | undefined,
  most: number,
): { readonly tensors: readonly TracedTensor[]; readonly looked: number } {
  const own = tensorOf(value);
  if (own !== undefined) return { tensors: [own], looked: 0 };
  if (value.kind !== "tuple" && value.kind !== "list" && value.kind !== "dict") return nothing;
  const found: TracedTensor[] = [];
  const open: Value[] = [value];
  let looked = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    looked += 1;
    const tensor = tensorOf(next);
    if (tensor !== undefined) found.push(tensor);
    else if (next.kind === "tuple" || next.kind === "list") open.push(...next.items.toReversed());
    else if (next.kind === "dict")
      open.push(...[...next.entries.values()].map((entry) => entry.value).toReversed());
    if (looked + open.length > most) return { tensors: [], looked };
  }
  return { tensors: found, looked };
}

const nothing = { tensors: [], looked: 0 };

/** The calls in which operators ran: the same call at the same place stands there once. */
function callSites(
  operatorOf: ReadonlyMap<TracedOperator, Pick<Operator, "id">>,
): readonly CallSite[] {
  const sites = new Sites();
  for (const [{ frames }, { id }] of operatorOf) sites.of(frames)?.operators.push(id);
  return sites.all;
}

interface Site extends CallSite {
  readonly operators: OperatorId[];
}

class Sites {
  readonly all: Site[] = [];
  private readonly places = new Map<string, number>();
  /** Of the function that runs on top of a stack. */
  private readonly ofFrame = new Map<Frame, number | undefined>();

  of(frames: readonly Frame[]): Site | undefined {
    const top = frames.at(-1);
    if (top === undefined) return undefined;
    const known = this.ofFrame.has(top)
      ? this.ofFrame.get(top)
      : frames.reduce<number | undefined>(
          (caller, frame) => this.placeOf(frame, caller),
          undefined,
        );
    this.ofFrame.set(top, known);
    return known === undefined ? undefined : this.all[known];
  }

  private placeOf(frame: Frame, caller: number | undefined): number | undefined {
    const { callSpan: span } = frame;
    if (span.from < 0) return caller;
    const names = namesIn(frame);
    const key = [caller, span.from, span.to, ...names.map(({ from }) => from)].join(" ");
    const place = this.places.get(key) ?? this.all.length;
    this.places.set(key, place);
    if (place === this.all.length)
      this.all.push({ span, ...(caller !== undefined && { caller }), names, operators: [] });
    return place;
  }
}

/** Where the function of a frame, and the class of its receiver, are named in the text. */
function namesIn({ callee, receiver }: Frame): readonly Span[] {
  const type = receiver?.kind === "instance" ? receiver.type.nameSpan : undefined;
  return [callee.nameSpan, type].flatMap((span) =>
    span === undefined || span.from < 0 ? [] : [span],
  );
}
