import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { compile } from "#compile";
import { createDeferredStore } from "./deferred-store.ts";
import type { Drawing } from "./drawing.ts";

const line = "h = gelu(h)\n";
const [first, second, third] = [drawingOf(1), drawingOf(2), drawingOf(3)];

function drawingOf(operators: number): Drawing {
  const drawn = compile(`mesh = Mesh(dp=2)\nh = Tensor((8, 8))\n${line.repeat(operators)}`);
  return { of: drawn, drawn };
}

/** A store, a store that follows it, and the callbacks that wait for a frame. */
function followed() {
  const store = createStore(() => ({ drawing: first, hovered: 0, waiting: 0 }));
  let painted: (() => void) | undefined;
  const { seen, follow } = createDeferredStore(store, {
    afterPaint: (then) => {
      painted = then;
      return () => {
        painted = undefined;
      };
    },
    count: (by) => store.setState(({ waiting }) => ({ waiting: waiting + by })),
  });
  return { store, seen, end: follow(), paint: () => painted?.() };
}

test("all that is no new plan is seen at once", () => {
  const { store, seen } = followed();
  store.setState({ hovered: 3 });
  expect(seen.getState()).toBe(store.getState());
  expect(store.getState().waiting).toBe(0);
});

test("a new plan is seen after the next frame, together with what came meanwhile", () => {
  const { store, seen, paint } = followed();
  store.setState({ drawing: second });
  store.setState({ drawing: third, hovered: 5 });
  expect(seen.getState()).toMatchObject({ drawing: first, hovered: 0 });
  expect(store.getState().waiting).toBe(1);
  paint();
  expect(seen.getState()).toMatchObject({ drawing: third, hovered: 5 });
  expect(store.getState().waiting).toBe(0);
  store.setState({ hovered: 6 });
  expect(seen.getState().hovered).toBe(6);
});

test("one that waits when the panel goes is counted no more", () => {
  const { store, seen, end, paint } = followed();
  store.setState({ drawing: second });
  end();
  paint();
  expect(store.getState().waiting).toBe(0);
  store.setState({ hovered: 7 });
  expect(seen.getState().hovered).toBe(0);
});
