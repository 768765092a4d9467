import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { Compiled } from "#compile";
import { compile } from "#compile";
import type { Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { readDocument } from "#systems";
import { applyGesture } from "./gesture.ts";
import { throughHistory } from "./gesture-history.testing.ts";
import type { DimGesture } from "./gesture-kinds.ts";

interface Seed {
  readonly request: { readonly args: { readonly program?: string } };
}

/** The gallery, and texts from the documentation of nnScaler and MindSpore. */
const seeds: { readonly cases: readonly Seed[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);
const texts = [
  ...examples.map(({ program }) => program),
  ...seeds.cases.flatMap(({ request }) => request.args.program ?? []),
].filter((text) => text.length < 4_000 && !text.trimStart().startsWith("{"));

/** Indices of the texts that contain a pattern. */
function textsWith(piece: RegExp): readonly number[] {
  return texts.flatMap((text, at) => (piece.test(text) ? [at] : []));
}

/** The unchanged texts, each compiled once. */
const compiledOf = onceForEach((text) => compile(text));
const documentOf = onceForEach((text) => readDocument(text));
const fixedPartsOf = onceForEach((text) => outside(text, writable(text)));

function onceForEach<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const found = made.get(text) ?? make(text);
    made.set(text, found);
    return found;
  };
}

/** A gesture as numbers, which are mapped to a text's own tensors, dims and axes. */
const draws = fc.record({
  text: fc.oneof(
    { weight: 3, arbitrary: fc.nat(texts.length - 1) },
    { weight: 2, arbitrary: fc.constantFrom(...textsWith(/\.shard\(\s*\(*[a-z]\w*\(/)) },
    { weight: 1, arbitrary: fc.constantFrom(...textsWith(/\.shard\(\s*\(*\d/)) },
    { weight: 1, arbitrary: fc.constantFrom(...textsWith(/graph\.partition\(/)) },
  ),
  tensor: fc.nat(1_000),
  dim: fc.nat(10),
  axis: fc.nat(10),
  kind: fc.constantFrom("split", "split", "unsplit", "whole", "move"),
});

interface Drawn {
  readonly text: string;
  readonly compiled: Compiled;
  readonly gesture: DimGesture;
}

type Numbers = typeof draws extends fc.Arbitrary<infer T> ? T : never;

function drawn(numbers: Numbers): Drawn | undefined {
  const text = texts[numbers.text] ?? "";
  const compiled = compiledOf(text);
  const gesture = drawnOn(compiled, numbers);
  return gesture && { text, compiled, gesture };
}

function drawnOn(compiled: Compiled, { tensor, dim, axis, kind }: Numbers): DimGesture | undefined {
  const { axes } = compiled.mesh.mesh;
  const { tensors } = compiled.graph;
  const chosen = tensors[tensor % Math.max(1, tensors.length)];
  if (chosen === undefined || chosen.shape.length === 0 || axes.length === 0) return undefined;
  const on = dim % chosen.shape.length;
  // Only an axis that splits the dim can be removed.
  const there = axesOn(compiled, chosen.id, on);
  const names = kind === "unsplit" && there.length > 0 ? there : axes.map(({ name }) => name);
  const name = names[axis % names.length] ?? "";
  return { kind, tensor: chosen.id, dim: on, ...(kind !== "whole" && { axis: name }) };
}

/** Axes of a tensor's dim: as placed by the text, else as its operator leaves it. */
function axesOn({ tensors, plan }: Compiled, tensor: TensorId, dim: number): readonly string[] {
  const placed = plan.placements.get(tensor);
  const view = tensors.find((candidate) => candidate.tensor === tensor);
  const layout = placed?.status === "set" ? placed.layout : view?.layout;
  const parts = layout?.dims[dim]?.parts ?? [];
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** Axes that should split the dim afterwards. */
function intended(before: readonly string[], { kind, axis = "" }: DimGesture): readonly string[] {
  if (kind === "whole") return [];
  if (kind === "unsplit") return before.filter((name) => name !== axis);
  return [...before, axis];
}

/** Spans where a gesture may write: statements and entries about splits. */
function writable(text: string): readonly Span[] {
  const { trace, strategyCalls } = documentOf(text);
  const shards = trace.operators.flatMap(({ strategy }) => {
    if (strategy === undefined) return [];
    if (strategy.kind === "tuples") return [strategy.span];
    const layouts = [...strategy.inputs, ...(strategy.outputs ?? [])];
    return [strategy.span, ...layouts.flatMap(({ dims }) => dims.map(({ span }) => span))];
  });
  const configs = [...text.matchAll(/\b(?:dict\s*\(|\{)[^(){}]*\bnum\b[^(){}]*[)}]/g)];
  return [
    ...[...strategyCalls.values()].map(({ span }) => span),
    ...trace.places.flatMap(({ span, layout }) => [span, ...layout.dims.map((dim) => dim.span)]),
    ...shards,
    ...trace.partitions.map(({ span }) => span),
    ...configs.map(({ index, 0: found }) => ({ from: index, to: index + found.length })),
  ];
}

/** The text outside some spans, in pieces from first to last. */
function outside(text: string, places: readonly Span[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    if (from >= at) pieces.push(text.slice(at, from));
    at = Math.max(at, to);
  }
  return [...pieces, text.slice(at)];
}

/** Whether a text contains all pieces in order, with at most one more line after the last. */
function keeps(after: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  let at = after.startsWith(first) ? first.length : -1;
  for (const [index, piece] of rest.entries()) {
    // A text may end in a writable span, with nothing after it.
    const isLast = index === rest.length - 1;
    const found = isLast ? after.lastIndexOf(piece) : after.indexOf(piece, Math.max(0, at));
    at = at < 0 || found < at ? -1 : found + piece.length;
  }
  return at >= 0 && /^\n?([^\n]+\n)?$/.test(after.slice(at));
}

/**
 * Kind of the span that a gesture changed: a native statement, an entry of a `.shard(…)`, or a
 * policy's config.
 */
function writtenIn(before: string, after: string): string {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  const { trace } = documentOf(before);
  const holds = (span: Span) => span.from <= from && from < span.to;
  const told = trace.operators.find(({ strategy }) => strategy && holds(strategy.span))?.strategy;
  if (told !== undefined) return told.kind;
  const isOurs = [...trace.strategies, ...trace.places].some(({ span }) => holds(span));
  if (isOurs) return "statement";
  return from < before.trimEnd().length ? "policy" : "new line";
}

const numRuns = process.env.SOAK ? 5_000 : 160;

test("a gesture touches only what says how things are split, reads back as it was meant, and is undone", () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(draws, (numbers) => {
      const found = drawn(numbers);
      if (found === undefined) return;
      const { text, compiled, gesture } = found;
      const outcome = applyGesture(text, gesture);
      if (!outcome.ok) {
        expect(outcome.reason).not.toBe("");
        return;
      }
      expect(keeps(outcome.source, fixedPartsOf(text))).toBe(true);
      const after = compile(outcome.source);
      const before = axesOn(compiled, gesture.tensor, gesture.dim);
      expect(axesOn(after, gesture.tensor, gesture.dim)).toEqual(intended(before, gesture));
      const log = throughHistory([text, outcome.source]);
      expect(log).toEqual({ undone: [text], redone: [outcome.source] });
      const place = writtenIn(text, outcome.source);
      for (const each of [place, gesture.kind]) counts[each] = (counts[each] ?? 0) + 1;
    }),
    { seed: 3, numRuns },
  );
  const kinds = ["split", "unsplit", "whole", "move"];
  for (const place of ["statement", "new line", "tuples", "layouts", "policy", ...kinds]) {
    expect(counts[place] ?? 0, place).toBeGreaterThanOrEqual(numRuns / 100);
  }
});

test("many gestures on one text are undone one after another, and redone", () => {
  const chains = fc.tuple(
    fc.nat(texts.length - 1),
    fc.array(draws, { minLength: 6, maxLength: 6 }),
  );
  fc.assert(
    fc.property(chains, ([at, numbers]) => {
      const chain = [texts[at] ?? ""];
      for (const each of numbers) {
        const last = chain.at(-1) ?? "";
        const found = drawnOn(compile(last), each);
        const outcome = found && applyGesture(last, found);
        if (outcome?.ok === true) chain.push(outcome.source);
      }
      const log = throughHistory(chain);
      expect(log.undone).toEqual(chain.slice(0, -1).toReversed());
      expect(log.redone).toEqual(chain.slice(1));
    }),
    { seed: 4, numRuns: numRuns / 40 },
  );
});
