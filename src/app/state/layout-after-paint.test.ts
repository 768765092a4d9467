import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { PlanDrawing } from "#app/scene/board";
import { compile } from "#compile";
import { compiledSlice } from "./compiled-slice.ts";

const text = "x = Tensor((8, 8))\ny = relu(x)\n";

/** A page that paints on request, and counts its layout requests. */
function opened(planDrawing: PlanDrawing) {
  const painted: (() => void)[] = [];
  const engine = {
    compile: async (source: string) => ({
      kind: "done" as const,
      value: { compiled: compile(source) },
    }),
  } as Pick<Engine, "compile"> as Engine;
  let placed = 0;
  type State = ReturnType<Parameters<typeof create>[1]>;
  const create = compiledSlice({ engine, afterPaint: (then) => painted.push(then) });
  const store = createStore<State>()((...api) => ({
    ...create(...api),
    ...{ document: { source: text, opening: 0 }, planDrawing, laidOut: undefined },
    openRuns: new Set<string>(),
    place: async () => {
      placed += 1;
    },
  }));
  const paint = () => {
    for (const then of painted.splice(0)) then();
  };
  return { store, paint, placed: () => placed };
}

test("by rows a plan is laid out as a graph once it is painted", async () => {
  const { store, paint, placed } = opened("rows");
  await store.getState().compileSource(text, undefined);
  expect([store.getState().compiled.kind, placed()]).toEqual(["ready", 0]);
  expect(store.getState().pending).toBe(1);
  paint();
  expect(placed()).toBe(1);
});

test("a graph is laid out at once", async () => {
  const { store, placed } = opened("graph");
  await store.getState().compileSource(text, undefined);
  expect(placed()).toBe(1);
});

test("of a text that is no more no layout is asked, and nothing waits for one", async () => {
  const { store, paint, placed } = opened("rows");
  await store.getState().compileSource(text, undefined);
  store.setState({ document: { source: `${text}#`, opening: 0 } });
  paint();
  expect([placed(), store.getState().pending]).toEqual([0, 0]);
});
