import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "./loom.testing.ts";
import { type Successors, simpleCycles } from "./simple-cycles.ts";

/** A graph from text such as `a:bc b:a`. */
function edges(text: string): Successors {
  const named = new Map(
    text.split(" ").map((part) => {
      const [vertex = "", after = ""] = part.split(":");
      return [vertex, [...after]] as const;
    }),
  );
  return named;
}

function found(successors: Successors, limit = 1000): readonly string[] {
  return simpleCycles(successors, limit).map((cycle) => cycle.join(""));
}

test.each`
  graph                 | cycles
  ${"a:b b:c c:"}       | ${[]}
  ${"a:a"}              | ${["a"]}
  ${"a:b b:a"}          | ${["ab"]}
  ${"a:bc b:a c:a"}     | ${["ab", "ac"]}
  ${"a:b b:c c:ab d:a"} | ${["abc", "bc"]}
  ${"a:bc b:c c:ab"}    | ${["abc", "ac", "bc"]}
`("the cycles of $graph are $cycles", ({ graph, cycles }) => {
  expect(found(edges(graph))).toEqual(cycles);
});

/** Every simple cycle from its least vertex, found by walking all paths. */
function walked(successors: Successors): readonly string[] {
  const walk = (path: string): readonly string[] => {
    const start = path[0] ?? "";
    return [...(successors.get(path.at(-1) ?? "") ?? [])].flatMap((next) => {
      if (next === start) return [path];
      return next < start || path.includes(next) ? [] : walk(path + next);
    });
  };
  return [...successors.keys()].flatMap(walk);
}

test("every simple cycle is found once, from its first vertex", () => {
  const graphs = fc
    .array(fc.uniqueArray(fc.constantFrom(..."abcdef")), { minLength: 6, maxLength: 6 })
    .map((lists): Successors => new Map(lists.map((list, at) => ["abcdef"[at] ?? "", list])));
  fc.assert(
    fc.property(graphs, (successors) => {
      expect([...found(successors)].sort()).toEqual([...walked(successors)].sort());
    }),
    runs(150),
  );
});

test("a dense graph stops at the limit, a long ring needs no stack", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => String(at));
  const dense = names.slice(0, 30);
  expect(simpleCycles(new Map(dense.map((name) => [name, dense])), 64).length).toBe(64);
  const ring = new Map(names.map((name, at) => [name, [names[at + 1] ?? "0"]]));
  expect(simpleCycles(ring, 64).map(({ length }) => length)).toEqual([20_000]);
});
