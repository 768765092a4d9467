import { expect, test } from "vitest";
import { type Example, exampleGroups, examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { comparePolicies, compile } from "#compile";
import { createReshardPlanner } from "#core/reshard";
import { canvasPicture, stepPictures } from "../svg/pictures.ts";
import { planMarkdown } from "./plan-table.ts";
import { redistributionList } from "./redistribution-list.ts";
import { crossoverText, fasterText, ratioText } from "./sequences.ts";
import { unnamedRatios } from "./unnamed-ratios.testing.ts";

/** The words of a drawing, one entry per text element. */
function wordsIn(svg: string): readonly string[] {
  return [...svg.matchAll(/>([^<>]+)</g)].map(([, text = ""]) => text.trim()).filter(Boolean);
}

const planner = createReshardPlanner();

/** All texts about an example: on its card, in its pictures, its lists and beside its steps. */
function textsOf(example: Example): readonly string[] {
  const compiled = compile(example.program, { planText: example.plan ?? "" });
  const { program } = compiled;
  const look = { theme: "light" } as const;
  const compared = program.redistributions.slice(0, 6).flatMap((edge) => {
    const comparison = comparePolicies(program, edge, planner);
    const own = comparison.ours.find(({ isDefault }) => isDefault);
    const rows = comparison.outcomes.flatMap((outcome) => {
      if (outcome.kind === "declined") return [outcome.reason];
      const ratios = own && [
        ratioText(outcome.bytes, own.bytes, "bytes"),
        ratioText(outcome.seconds, own.seconds, "time"),
      ];
      return [outcome.why, crossoverText(outcome), ...(ratios ?? [])];
    });
    return [fasterText(comparison), ...rows].flatMap((text) => text ?? []);
  });
  const isSmall = program.graph.operators.length < 40;
  return [
    ...[example.title, example.note, exampleText(example)],
    ...redistributionList(program).flatMap(({ lines }) => lines.map(({ text }) => text)),
    ...planMarkdown(compiled).split("\n"),
    ...wordsIn(canvasPicture(compiled, look)),
    ...(isSmall ? stepPictures(compiled, look).flatMap(({ text }) => wordsIn(text)) : []),
    ...compared,
    ...compiled.diagnostics.map(({ message }) => message),
  ];
}

test("no text of the gallery names a ratio without what it counts", () => {
  const groups = exampleGroups.map(({ title }) => title);
  expect(groups.flatMap(unnamedRatios)).toEqual([]);
  let ratios = 0;
  for (const example of examples) {
    const texts = textsOf(example);
    ratios += texts.filter((text) => /^×[\d.]+ (bytes|steps|time)$/.test(text)).length;
    expect(texts.flatMap(unnamedRatios), example.name).toEqual([]);
  }
  expect(ratios).toBeGreaterThan(20);
});

test.each`
  text                                      | faults
  ${"Shardy, 2 steps, ×1.43"}               | ${["×1.43"]}
  ${"×1.43 bytes"}                          | ${[]}
  ${"×1.43 bytes, ×2 steps, ×0.85 time"}    | ${[]}
  ${"others send up to 8 times as much"}    | ${["8 times as much"]}
  ${"others send up to 8 times the bytes"}  | ${[]}
  ${"2x faster"}                            | ${["2x"]}
  ${"1.5× more"}                            | ${["1.5×"]}
  ${"3 times faster"}                       | ${["3 times faster"]}
  ${"512 × 4096"}                           | ${[]}
  ${"2 all-gather mp of h, 1 MB, 24 times"} | ${[]}
  ${"8xH100"}                               | ${[]}
  ${"1 all-gather mp of h, 1.05 MB, ×24"}   | ${["×24"]}
`("what is an unnamed ratio: $text", ({ text, faults }) => {
  expect(unnamedRatios(text)).toEqual(faults);
});
