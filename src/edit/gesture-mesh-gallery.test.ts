import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { applyGesture } from "./gesture.ts";
import { throughHistory } from "./gesture-history.testing.ts";
import type { MeshGesture } from "./gesture-kinds.ts";

const texts = examples.map(({ program }) => program).filter((text) => /\bMesh\(/.test(text));

/** Mesh of each text, shared by all drawn gestures. */
const meshes = texts.map((text) => compile(text).mesh);

const draws = fc.record({
  text: fc.nat(texts.length - 1),
  kind: fc.constantFrom("add-axis", "resize-axis", "order-axes", "remove-axis", "set-hardware"),
  axis: fc.nat(7),
  power: fc.integer({ min: 1, max: 4 }),
});

type Drawn = typeof draws extends fc.Arbitrary<infer T> ? T : never;

/** A gesture on the mesh of a text, made from drawn numbers. */
function gestureOf({ kind, axis: at, power }: Drawn, names: readonly string[]): MeshGesture {
  const axis = names[at % Math.max(1, names.length)] ?? "";
  switch (kind) {
    case "add-axis":
      return { kind, axis: "added", size: 2 ** power };
    case "resize-axis":
      return { kind, axis, size: 2 ** power };
    case "order-axes":
      return { kind, axes: [...names.filter((name) => name !== axis), axis] };
    case "remove-axis":
      return { kind, axis };
    case "set-hardware":
      return { kind, hardware: "8xH100" };
  }
}

/** Span of the first text that differs from the second. */
function changedSpan(before: string, after: string): { from: number; to: number } {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - from;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail };
}

test("gestures on the meshes of the gallery change the call and nothing else, read as meant, and are undone", () => {
  const numRuns = process.env.SOAK === undefined ? 60 : 1_000;
  const done: string[] = [];
  fc.assert(
    fc.property(draws, (draw) => {
      const text = texts[draw.text] ?? "";
      const mesh = meshes[draw.text];
      if (mesh === undefined) throw new Error("a text without a mesh");
      const gesture = gestureOf(
        draw,
        mesh.mesh.axes.map(({ name }) => name),
      );
      const outcome = applyGesture(text, gesture);
      if (!outcome.ok) return expect(outcome.reason).not.toBe("");
      done.push(gesture.kind);
      const log = throughHistory([text, outcome.source]);
      expect(log).toEqual({ undone: [text], redone: [outcome.source] });
      const after = compile(outcome.source);
      if (gesture.kind === "resize-axis") {
        const resized = after.mesh.mesh.axes.find(({ name }) => name === gesture.axis);
        expect(resized?.size).toBe(gesture.size);
      }
      const { from, to } = changedSpan(text, outcome.source);
      if (gesture.kind === "remove-axis" || text === outcome.source) return;
      expect(from).toBeGreaterThanOrEqual(mesh.span?.from ?? 0);
      expect(to).toBeLessThanOrEqual(mesh.span?.to ?? 0);
    }),
    { seed: 1, numRuns },
  );
  expect(done.length).toBeGreaterThan(numRuns / 2);
  expect(new Set(done).size).toBe(5);
});
