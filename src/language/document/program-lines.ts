// Tensors and operators made by each line of a text, which link the text and the drawing in both
// directions.

import type { Span } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Frame, Value } from "#language/python";
import type { BuiltGraph } from "./graph/build-graph.ts";
import type { TracedOperator, TracedTensor } from "./trace/traced.ts";

/** A call of a text function in which operators ran; repeated calls at one place share it. */
export interface CallSite {
  readonly span: Span;
  /** Index of the enclosing call in the list; absent at module level. */
  readonly caller?: number;
  /** Spans of the called function's name and of the receiver's class name in their definitions. */
  readonly names: readonly Span[];
  /** Operators that ran directly in the function, not in functions it called. */
  readonly operators: readonly OperatorId[];
}

/** Tensors that a statement bound, returned or evaluated to, per run. */
export interface StatementValue {
  readonly span: Span;
  /** Tensors in the statement's value, one list per run that had some. */
  readonly runs: readonly (readonly TensorId[])[];
  /** Number of runs whose value had no tensor. */
  readonly without: number;
}

/** What the lines of a text made. */
export interface ProgramLines {
  readonly calls: readonly CallSite[];
  readonly values: readonly StatementValue[];
}

/** Largest container whose items are listed for a line; larger and cyclic ones are skipped. */
const mostHeld = 64;

/** Most container items examined for all lines of a text together. */
const mostLooked = 1_000_000;

interface Runs {
  readonly tensors: (readonly TracedTensor[])[];
  without: number;
}

/** Notes the values of statements while a program runs. */
export class StatementValues {
  private readonly bySpan = new Map<Span, Runs>();
  private readonly tensorOf: (value: Value) => TracedTensor | undefined;
  /** Container items that may still be examined. */
  private left = mostLooked;

  constructor(tensorOf: (value: Value) => TracedTensor | undefined) {
    this.tensorOf = tensorOf;
  }

  note(value: Value, span: Span): void {
    const { tensors, looked } = tensorsIn(value, this.tensorOf, Math.min(mostHeld, this.left));
    this.left -= looked;
    const known = this.bySpan.get(span);
    if (known === undefined) {
      // Array literal instead of `push`: most lines run once, and a grown array reserves room for many.
      if (tensors.length > 0) this.bySpan.set(span, { tensors: [tensors], without: 0 });
      else if (value.kind === "none") this.bySpan.set(span, { tensors: [], without: 1 });
      return;
    }
    if (tensors.length === 0) known.without += 1;
    else known.tensors.push(tensors);
  }

  /** Drops the noted values after they were read. */
  forget(): void {
    this.bySpan.clear();
  }

  /** Statement values in text order; runs with a tensor outside the graph are left out. */
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

/** Ids of some tensors; `undefined` when one has none. */
function idsOf(
  tensors: readonly TracedTensor[],
  idOf: (tensor: TracedTensor) => TensorId | undefined,
): readonly TensorId[] | undefined {
  const ids = tensors.map(idOf);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

/** Graph of a finished run, with the names of its tensors. */
interface Ended {
  readonly built: Pick<BuiltGraph, "graph" | "operatorOf">;
  readonly names: ReadonlyMap<TracedTensor, string>;
}

/**
 * Operators and tensors that each line made, as far as they are in the graph. Computed on the first
 * call; the noted values are then dropped.
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
 * Tensors in a value, including containers, in order. Empty when more than `most` values would be
 * examined.
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

/** Calls in which operators ran; repeated calls at one place are merged. */
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
  /** Call site by the innermost frame of a stack. */
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

/** Spans of the names of a frame's function and of its receiver's class in the text. */
function namesIn({ callee, receiver }: Frame): readonly Span[] {
  const type = receiver?.kind === "instance" ? receiver.type.nameSpan : undefined;
  return [callee.nameSpan, type].flatMap((span) =>
    span === undefined || span.from < 0 ? [] : [span],
  );
}
