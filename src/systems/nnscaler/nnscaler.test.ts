import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assignmentOf } from "./assigned-levels.ts";
import { checkPattern } from "./bindings/register-op.ts";
import { knowsFunction } from "./known-functions.ts";

/** Every public function of PyTorch 2.13, by module, as nnScaler 0.8's parser resolves it. */
const mapping: readonly { module: string; known: string; unknown: string }[] = JSON.parse(
  readFileSync("src/systems/nnscaler/function-mapping.json", "utf8"),
);

test.each(mapping)("the functions of $module that nnScaler knows", ({ module, known, unknown }) => {
  const found = (names: string) =>
    names.split(" ").filter((name) => knowsFunction(`${module}.${name}`));
  expect(found(known)).toEqual(known.split(" "));
  expect(found(unknown)).toEqual([]);
});

test.each`
  pattern     | kind
  ${"import"} | ${undefined}
  ${"source"} | ${undefined}
  ${"copy"}   | ${"ValueError"}
`("code_impl_pattern=$pattern raises $kind", ({ pattern, kind }) => {
  expect(checkPattern(pattern)?.kind).toBe(kind);
});

/**
 * Pieces from text: `0 | 1 |` is one piece on device 0, one on device 1 and one without a device.
 */
function pieces(text: string) {
  return text.split("|").map((piece, index) => ({
    path: [index],
    devices: piece.trim() === "" ? [] : piece.trim().split(" ").map(Number),
  }));
}

/** Levels from text: `m4 x2` is four pieces of m, each in two copies. */
function levelsOf(text: string) {
  return text.split(" ").map((level) => {
    const [, identifier = "", count = "1"] = /^(\D)(\d+)$/u.exec(level) ?? [];
    return { count: Number(count), ...(identifier !== "x" && { identifier }) };
  });
}

// dimops.md §8: num = k × devices
test.each`
  levels     | text                       | devices         | order               | factors
  ${"m2"}    | ${"0 | 1"}                 | ${[0, 1]}       | ${[0, 1]}           | ${"m2"}
  ${"m2"}    | ${"1 | 0"}                 | ${[0, 1]}       | ${[1, 0]}           | ${"m2"}
  ${"m2"}    | ${" | "}                   | ${[0, 1]}       | ${[0, 1]}           | ${"m2"}
  ${"m2"}    | ${"1 | "}                  | ${[0, 1]}       | ${[1, 0]}           | ${"m2"}
  ${"m2"}    | ${" | "}                   | ${[0, 1, 2, 3]} | ${[0, 1, 2, 3]}     | ${"m2"}
  ${"m2"}    | ${"0 2 | 1 3"}             | ${[0, 1, 2, 3]} | ${[0, 2, 1, 3]}     | ${"m2"}
  ${"m4"}    | ${"0 | 0 | 1 | 1"}         | ${[0, 1]}       | ${[0, 1]}           | ${"m2 m~2"}
  ${"m4"}    | ${"0 | 1 | 0 | 1"}         | ${[0, 1]}       | ${[0, 1]}           | ${"m~2 m2"}
  ${"m4"}    | ${"1 | 1 | 0 | 0"}         | ${[0, 1]}       | ${[1, 0]}           | ${"m2 m~2"}
  ${"m4"}    | ${" | | | "}               | ${[0, 1]}       | ${[0, 1]}           | ${"m2 m~2"}
  ${"m6"}    | ${"0 | 0 | 0 | 1 | 1 | 1"} | ${[0, 1]}       | ${[0, 1]}           | ${"m2 m~3"}
  ${"m6"}    | ${"0 | 1 | 0 | 1 | 0 | 1"} | ${[0, 1]}       | ${[0, 1]}           | ${"m~3 m2"}
  ${"m4"}    | ${"3 | 3 | 3 | 3"}         | ${[3]}          | ${[3]}              | ${"m~4"}
  ${"m2 n2"} | ${"0 | 0 | 1 | 1"}         | ${[0, 1]}       | ${[0, 1]}           | ${"m2 n~2"}
  ${"m2 n2"} | ${"0 | 1 | 0 | 1"}         | ${[0, 1]}       | ${[0, 1]}           | ${"m~2 n2"}
  ${"m4"}    | ${"0 | 1 | 1 | 0"}         | ${[0, 1]}       | ${"unsayable"}      | ${undefined}
  ${"m2 x2"} | ${"0 | 0 | 1 | 1"}         | ${[0, 1]}       | ${"unsayable"}      | ${undefined}
  ${"m4"}    | ${"0 | 0 | 0 | 1"}         | ${[0, 1]}       | ${"uneven"}         | ${undefined}
  ${"m4"}    | ${"0 | 0 | 1 | "}          | ${[0, 1]}       | ${"uneven"}         | ${undefined}
  ${"m3"}    | ${" | | "}                 | ${[0, 1]}       | ${"uneven"}         | ${undefined}
  ${"m2"}    | ${"0 | 1"}                 | ${[0, 1, 2, 3]} | ${"uneven"}         | ${undefined}
  ${"m2"}    | ${"0 | 0"}                 | ${[0, 1]}       | ${"several"}        | ${undefined}
  ${"m2"}    | ${"0 | 7"}                 | ${[0, 1]}       | ${"unknown-device"} | ${undefined}
`(
  "pieces [$text] of $levels on devices $devices lie on $order by $factors",
  ({ levels, text, devices, order, factors }) => {
    const named = levelsOf(levels);
    const found = assignmentOf(named, pieces(text), devices);
    expect(typeof found === "string" ? found : found.devices).toEqual(order);
    const said = (all: Exclude<typeof found, string>["factors"]) =>
      all.map(({ level, count, isOnDevice }) => {
        const { identifier = "x" } = named[level] ?? {};
        return `${identifier}${isOnDevice ? "~" : ""}${count}`;
      });
    expect(typeof found === "string" ? undefined : said(found.factors).join(" ")).toBe(factors);
  },
);
