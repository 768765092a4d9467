import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { readDocument } from "#language/document";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { applyGesture } from "./gesture.ts";
import type { DimGesture } from "./gesture-kinds.ts";

interface Seed {
  readonly request: { readonly args: { readonly program?: string } };
}

/** The gallery, and pasted texts of the documents of nnScaler and MindSpore. */
const seeds: { readonly cases: readonly Seed[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);
const texts = [
  ...examples.map(({ program }) => program),
  ...seeds.cases.flatMap(({ request }) => request.args.program ?? []),
].filter((text) => text.length < 4_000 && !text.trimStart().startsWith("{"));

/** A gesture as numbers, which every text turns into one of its own tensors, dims and axes. */
const draws = fc.record({
  text: fc.nat(texts.length - 1),
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

function drawn({
  text: at,
  tensor,
  dim,
  axis,
  kind,
}: typeof draws extends fc.Arbitrary<infer T> ? T : never): Drawn | undefined {
  const text = texts[at] ?? "";
  const compiled = compile(text);
  const { axes } = compiled.mesh.mesh;
  const { tensors } = compiled.graph;
  const chosen = tensors[tensor % Math.max(1, tensors.length)];
  if (chosen === undefined || chosen.shape.length === 0 || axes.length === 0) return undefined;
  const on = dim % chosen.shape.length;
  // What takes an axis off needs one that is there.
  const there = axesOn(compiled, chosen.id, on);
  const names = kind === "unsplit" && there.length > 0 ? there : axes.map(({ name }) => name);
  const name = names[axis % names.length] ?? "";
  const gesture = { kind, tensor: chosen.id, dim: on, ...(kind !== "whole" && { axis: name }) };
  return { text, compiled, gesture };
}

/** Where the text places a tensor that counts, else how its operator leaves it. */
function axesOn({ tensors, plan }: Compiled, tensor: TensorId, dim: number): readonly string[] {
  const placed = plan.placements.get(tensor);
  const view = tensors.find((candidate) => candidate.tensor === tensor);
  const layout = placed?.status === "set" ? placed.layout : view?.layout;
  const parts = layout?.dims[dim]?.parts ?? [];
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** What the dim should be split over afterwards. */
function intended(before: readonly string[], { kind, axis = "" }: DimGesture): readonly string[] {
  if (kind === "whole") return [];
  if (kind === "unsplit") return before.filter((name) => name !== axis);
  return [...before, axis];
}

/** Where a gesture may write: statements and entries that say how something is split. */
function writable(text: string): readonly Span[] {
  const { trace, strategyCalls } = readDocument(text);
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

/** What stands outside the places, in pieces from the first to the last. */
function outside(text: string, places: readonly Span[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    if (from >= at) pieces.push(text.slice(at, from));
    at = Math.max(at, to);
  }
  return [...pieces, text.slice(at)];
}

/** Whether all pieces stand in a text in their order, and behind the last at most one more line. */
function keeps(after: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  let at = after.startsWith(first) ? first.length : -1;
  for (const piece of rest) {
    const found = at < 0 ? -1 : after.indexOf(piece, at);
    at = found < 0 ? -1 : found + piece.length;
  }
  return at >= 0 && /^\n?([^\n]+\n)?$/.test(after.slice(at));
}

const patience = { timeout: 900_000 };
const settings = { seed: 3, numRuns: process.env.SOAK ? 5_000 : 1_000 };

test(
  "a gesture touches only what says how things are split, and reads back as it was meant",
  patience,
  () => {
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
        expect(keeps(outcome.source, outside(text, writable(text)))).toBe(true);
        const after = compile(outcome.source);
        const before = axesOn(compiled, gesture.tensor, gesture.dim);
        expect(axesOn(after, gesture.tensor, gesture.dim)).toEqual(intended(before, gesture));
      }),
      settings,
    );
  },
);
