import { expect, test } from "vitest";
import type { Contributor } from "#app/scene/text";
import { commWords } from "./comm-words.ts";

/** Contributors from texts such as `all-gather tp 3 6e9`. */
function parts(...said: readonly string[]): readonly Contributor[] {
  return said.map((each) => {
    const [collective = "", axes = "", count, bytes] = each.split(" ");
    const tags = axes.split("+").map((text) => ({ text, hue: 1 as const }));
    const base = { seconds: 0, redistributions: [] };
    return {
      ...{ ...base, collective: collective as Contributor["collective"], axes: tags },
      ...{ count: Number(count), bytes: Number(bytes) },
    };
  });
}

const textOf = (...said: readonly string[]) =>
  commWords(parts(...said))
    .map(({ axes, text }) => [...axes.map((axis) => axis.text), text].join(" "))
    .join(", ");

test("few collectives are counted", () => {
  expect(textOf("all-gather tp 2 6e9", "all-gather dp 3 1e9")).toBe("5 all-gather");
  expect(textOf("all-gather tp 2 6e9", "all-reduce dp 3 1e9")).toBe("2 all-gather, 3 all-reduce");
});

test("many are told by what is received over which axes, and nothing of it is cut", () => {
  const many = ["all-gather tp 394 6.1e9", "reduce-scatter dp 198 1e9", "all-reduce tp 190 1e6"];
  expect(textOf(...many)).toBe("tp 6.10 GB, dp 1.00 GB");
  const wide = ["all-gather tensor+data 394 9e9", "reduce-scatter pipeline 198 8e9"];
  expect(textOf(...wide, ...many)).toBe("tensor data 9.00 GB, 3 more");
  for (const said of [many, wide, [...many, ...wide]]) {
    expect(textOf(...said).length).toBeLessThanOrEqual(34);
  }
});
