import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { layoutGraph } from "#app/scene/graph";
import { compile } from "#compile";
import { outlineLines } from "./outline-lines.ts";

test.each(["two-matmuls", "transformer-stack", "zero"])(
  "the first lines of %s are those of all",
  (name) => {
    const example = examples.find((each) => each.name === name);
    const compiled = compile(example === undefined ? "" : exampleText(example));
    const layout = layoutGraph(compiled);
    const all = outlineLines(compiled, layout).map(({ key, text }) => `${key}: ${text()}`);
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all).size).toBe(all.length);
    for (const most of [0, 1, 7, all.length - 1, all.length, all.length + 5]) {
      const some = outlineLines(compiled, layout, most).map(({ key, text }) => `${key}: ${text()}`);
      expect(some).toEqual(all.slice(0, most));
    }
  },
);
