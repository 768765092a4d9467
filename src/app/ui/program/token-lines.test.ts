import { expect, test } from "vitest";
import { createMesh } from "#core/mesh";
import { tokensOf } from "#language/tokens";
import { classOf, runsOf } from "./token-lines.ts";

const created = createMesh([
  { name: "dp", size: 2 },
  { name: "mp", size: 2 },
]);
const axes = created.ok
  ? { mesh: { mesh: created.value, status: "set" as const, sizeSpans: {} } }
  : undefined;

/** Each coloured run as `text:class`. */
function shown(source: string, words?: Parameters<typeof runsOf>[2]): string {
  return runsOf(source, axes, words)
    .map((run) => `${source.slice(run.from, run.to)}:${classOf(run)}`)
    .join(" ");
}

test.each`
  source                      | runs
  ${"mesh = Mesh(dp=2, q=3)"} | ${"dp:t-axis a1"}
  ${"f(dp=2)"}                | ${""}
  ${'strategy(h, b="mp")'}    | ${'":t-string mp:t-axis a2 ":t-string'}
  ${'x = "mpx"  # dp'}        | ${'"mpx":t-string # dp:t-comment'}
  ${"return 1"}               | ${"return:t-keyword"}
`("$source shows $runs, with the grammar and before it has come", ({ source, runs }) => {
  expect(shown(source, { tokenize: tokensOf })).toBe(runs);
  expect(shown(source)).toBe(runs);
});

const source = "# annotation: b k+ -> b\n";
const words = {
  source,
  words: [
    { from: 14, to: 15, kind: "identifier", axis: "dp" },
    { from: 16, to: 17, kind: "identifier" },
    { from: 22, to: 23, kind: "identifier", axis: "dp" },
  ],
} as const;

test("identifiers that an axis cuts lie over the comment that they stand in", () => {
  expect(shown(source, { words })).toBe(
    "# annotation: :t-comment b:t-cut a1  :t-comment + -> :t-comment b:t-cut a1",
  );
});

test("while the text is edited its words move along, and those at the edit wait", () => {
  const longer = source.replace("k+", "kk+");
  expect(shown(longer, { words })).toContain("b:t-cut a1  kk+ -> :t-comment b:t-cut a1");
  expect(shown(`x = 1\n${source}`, { words })).toContain("b:t-cut a1");
  expect(shown(source.replace(" b k", " c k"), { words })).toBe(
    "# annotation: c :t-comment + -> :t-comment b:t-cut a1",
  );
});
