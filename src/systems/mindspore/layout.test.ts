import { expect, test } from "vitest";
import { callLayout, constructLayout, type Plain } from "./layout.ts";

/** JavaScript data as Python values: an array is a tuple, `{list: […]}` a list, `null` is None. */
function plain(value: unknown): Plain {
  if (typeof value === "number") return { kind: "int", value };
  if (typeof value === "string") return { kind: "str", value };
  if (Array.isArray(value)) return { kind: "tuple", items: value.map(plain) };
  if (typeof value === "object" && value !== null && "list" in value && Array.isArray(value.list)) {
    return { kind: "list", items: value.list.map(plain) };
  }
  return { kind: "other", type: value === null ? "NoneType" : "float" };
}

function verdict(matrix: unknown, alias: unknown, ranks?: unknown): string {
  const made = constructLayout(
    plain(matrix),
    plain(alias),
    ranks === undefined ? undefined : plain(ranks),
  );
  return made.ok ? "ok" : made.fault.kind;
}

// mindspore.md §1.1, in the order of its checks
test.each`
  matrix              | alias                             | ranks                        | expected
  ${[2, 2]}           | ${["dp", "mp"]}                   | ${undefined}                 | ${"ok"}
  ${{ list: [2, 2] }} | ${["dp", "mp"]}                   | ${undefined}                 | ${"TypeError"}
  ${[2, 2]}           | ${{ list: ["dp", "mp"] }}         | ${undefined}                 | ${"TypeError"}
  ${[2, 2]}           | ${["dp"]}                         | ${undefined}                 | ${"ValueError"}
  ${[2, "2"]}         | ${["dp", "mp"]}                   | ${undefined}                 | ${"TypeError"}
  ${[2, null]}        | ${["dp", "mp"]}                   | ${undefined}                 | ${"TypeError"}
  ${[2, "2"]}         | ${["dp"]}                         | ${undefined}                 | ${"ValueError"}
  ${[2, "2"]}         | ${["dp", ""]}                     | ${undefined}                 | ${"TypeError"}
  ${[2, 2]}           | ${["dp", 3]}                      | ${undefined}                 | ${"TypeError"}
  ${[2, 2]}           | ${["", 3]}                        | ${undefined}                 | ${"ValueError"}
  ${[2, 2]}           | ${[3, ""]}                        | ${undefined}                 | ${"TypeError"}
  ${[2, 2]}           | ${["dp", "dp"]}                   | ${[0, 1, 2, 3]}              | ${"ValueError"}
  ${[2, 2]}           | ${["interleaved_parallel", "dp"]} | ${[0, 1, 2, 3]}              | ${"ValueError"}
  ${[2, 2]}           | ${["dp", ""]}                     | ${undefined}                 | ${"ValueError"}
  ${[2, 2]}           | ${["dp", "None"]}                 | ${undefined}                 | ${"ValueError"}
  ${[2, 2]}           | ${["dp", "dp"]}                   | ${undefined}                 | ${"ValueError"}
  ${[2, 2]}           | ${["interleaved_parallel", "dp"]} | ${undefined}                 | ${"ValueError"}
  ${[2, 2]}           | ${["dp", "interleaved_parallel"]} | ${undefined}                 | ${"ok"}
  ${[2]}              | ${["dp"]}                         | ${[0, 1]}                    | ${"TypeError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [0, "1"] }}        | ${"TypeError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [{ list: [0] }] }} | ${"TypeError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [0, "1", 2] }}     | ${"TypeError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [0, 1, 2] }}       | ${"ValueError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [1, 1] }}          | ${"ok"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [-1, 0] }}         | ${"ok"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [] }}              | ${"ValueError"}
  ${[2]}              | ${["dp"]}                         | ${{ list: [1, 0] }}          | ${"ok"}
  ${[]}               | ${[]}                             | ${undefined}                 | ${"TypeError"}
  ${[0, -2]}          | ${["dp", "mp"]}                   | ${undefined}                 | ${"ok"}
`("Layout($matrix, $alias, $ranks): $expected", ({ matrix, alias, ranks, expected }) => {
  expect(verdict(matrix, alias, ranks)).toBe(expected);
});

function mapOf(...entries: readonly unknown[]): unknown {
  const made = constructLayout(plain([2, 2, 2]), plain(["dp", "sp", "mp"]));
  if (!made.ok) throw new Error("no layout");
  const called = callLayout(made.value, entries.map(plain));
  return called.ok ? called.value : called.fault.kind;
}

// mindspore.md §1.2
test.each`
  entries                       | map
  ${["dp", "mp"]}               | ${[2, 0]}
  ${["mp", ["sp", "dp"]]}       | ${[0, [1, 2]]}
  ${[["sp", "dp"], "None"]}     | ${[[1, 2], -1]}
  ${[["sp", "None"]]}           | ${[[1, -1]]}
  ${[["None", "sp"]]}           | ${[[-1, 1]]}
  ${[["dp", "None", "mp"]]}     | ${[[2, -1, 0]]}
  ${["None", "None", "None"]}   | ${[-1, -1, -1]}
  ${[["None", "None"], "None"]} | ${[[-1, -1], -1]}
  ${[["dp"]]}                   | ${[[2]]}
  ${[[]]}                       | ${[[]]}
  ${[]}                         | ${[]}
  ${["tp"]}                     | ${"ValueError"}
  ${["dp", ["mp", "dp"]]}       | ${"ValueError"}
  ${["dp", "dp"]}               | ${"ValueError"}
  ${[["mp", "mp"]]}             | ${"ValueError"}
  ${[null]}                     | ${"ValueError"}
  ${[1]}                        | ${"ValueError"}
  ${[{ list: ["dp"] }]}         | ${"ValueError"}
  ${[[["dp"]]]}                 | ${"ValueError"}
`("layout$entries has the tensor map $map", ({ entries, map }) => {
  expect(mapOf(...entries)).toEqual(map);
});
