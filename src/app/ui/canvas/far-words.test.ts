import { expect, test } from "vitest";
import type { CanvasNode } from "#app/scene/graph";
import { svgColours } from "#app/scene/svg";
import { paintCount, paintName, shortOf } from "./far-words.ts";

const zooms = [0.24, 0.34, 0.42, 0.5];

test.each(zooms)("at %d a name is whole, cut where it can be told, or left out", (zoom) => {
  for (const name of ["h", "wte", "blocks[0…23]", "ln_f.weight.grad"]) {
    for (let room = 0; room < 400; room += 7) {
      const shown = shortOf(name, room, zoom);
      expect(shown.length * 0.61 * 11).toBeLessThanOrEqual(room * zoom + 1e-6);
      expect(shown === "" || shown === name || shown.length >= 3, shown).toBe(true);
    }
  }
});

test("what is cut still says whose it is, a weight or a bias, and of which series", () => {
  const letters = (count: number) => ((count + 0.01) * 0.61 * 11) / 0.5;
  expect(shortOf("ln_f.weight", letters(8), 0.5)).toBe("ln_f.we…");
  expect(shortOf("self_attention.bias", letters(9), 0.5)).toBe("self….bi…");
  expect(shortOf("blocks[0…23] backward", letters(9), 0.5)).toBe("blocks");
});

test.each(zooms)("at %d the name of a stack ends before its count", (zoom) => {
  const written: { text: string; x: number; align: string }[] = [];
  const pen = {
    textAlign: "left",
    fillText: (text: string, x: number) => written.push({ text, x, align: pen.textAlign }),
  };
  // Node and pen with only the members that painting uses.
  const node = {
    ...{ kind: "stack", id: "s", x: 10, y: 10, width: 300, height: 60, heat: 0 },
    stack: { label: "layer[0…79] backward", count: 80, each: "", all: "", bytes: 0, seconds: 0 },
  } as unknown as Extract<CanvasNode, { kind: "stack" }>;
  const scene = { lookup: noParts, zoom, roomBeside: () => ({ left: 0, right: 0 }) };
  paintName(pen as unknown as CanvasRenderingContext2D, node, scene, svgColours.light);
  paintCount(pen as unknown as CanvasRenderingContext2D, node, scene, svgColours.light);
  const count = written.find(({ align }) => align === "right");
  const letter = (0.61 * 11) / zoom;
  const from = (count?.x ?? 0) - (count?.text.length ?? 0) * letter;
  expect(count?.text).toBe("×80");
  for (const { text, x } of written.filter((each) => each !== count)) {
    expect(x + text.length * letter).toBeLessThanOrEqual(from);
  }
});

const noParts = {
  compiled: undefined,
  operators: new Map(),
  tensors: new Map(),
  views: new Map(),
};
