import { expect, test } from "vitest";
import { zoomed } from "./use-first-view.ts";

const whole = { width: 800, height: 300 };
const pane = { width: 640, height: 400 };
const box = { x: 600, y: 200, width: 100, height: 50 };

test("a zoom that is asked for centres a graph that fits, else what is selected", () => {
  expect(zoomed(whole, box, 0.5, pane)).toEqual({ x: 120, y: 125, zoom: 0.5 });
  expect(zoomed(whole, box, 1, pane)).toEqual({ x: 320 - 650, y: 50, zoom: 1 });
  expect(zoomed(whole, undefined, 2, pane)).toEqual({ x: 320 - 800, y: 200 - 300, zoom: 2 });
});
