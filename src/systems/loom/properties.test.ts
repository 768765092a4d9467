import fc from "fast-check";
import { expect, test } from "vitest";
import { hasErrors } from "#core/diagnostics";
import { checkLoom, type LoomCheck } from "./check-loom.ts";
import { caseTexts, runs } from "./loom.testing.ts";
import { mutatedTexts } from "./mutants.testing.ts";
import { inUuidOrder, isUuid, uuidFrom } from "./uuid.ts";
import { writeLoom } from "./write-loom.ts";

const jsonCases = caseTexts.filter(({ id }) => !/placeholder|trailing-comma/.test(id));

/** Mutated cases, each checked in the dialect that it asks for. */
const mutants = mutatedTexts.map((text) => ({ text, checked: checkLoom(text) }));

/** Violations of a check's own rules; empty when it keeps them. */
function contradictions(
  text: string,
  { issues, diagnostics, stages }: LoomCheck,
): readonly string[] {
  const failed = stages.filter(({ status }) => status === "failed").length;
  const spans = diagnostics.flatMap(({ span, related = [] }) => [
    ...(span === undefined ? [] : [span]),
    ...related.map((each) => each.span),
  ]);
  const strays = spans.filter(({ from, to }) => from < 0 || from > to || to > text.length);
  return [
    ...(issues.length > 0 && !hasErrors(diagnostics) ? ["an issue without an error"] : []),
    ...(failed === (issues.length > 0 ? 1 : 0) ? [] : ["the stages do not fit the issues"]),
    ...(strays.length > 0 ? ["a place outside the text"] : []),
  ];
}

test("no graph makes the checker throw, and what it says fits together", () => {
  const stages = new Set<string>();
  fc.assert(
    fc.property(mutants, ({ text, checked }) => {
      for (const { constraint } of checked.issues) stages.add(constraint);
      expect(contradictions(text, checked)).toEqual([]);
    }),
    runs(1500),
  );
  expect(stages.size).toBe(11);
});

test("what is written of a broken graph is read with the same issues", () => {
  let readable = 0;
  fc.assert(
    fc.property(mutants, ({ checked: { graph, issues, dialect } }) => {
      if (graph === undefined) return;
      readable++;
      const written = writeLoom(graph);
      const again = checkLoom(written, { dialect });
      const words = (list: typeof issues) => list.map(({ summary }) => summary);
      expect(words(again.issues)).toEqual(words(issues));
      if (again.graph !== undefined) expect(writeLoom(again.graph)).toBe(written);
    }),
    runs(600),
  );
  expect(readable).toBeGreaterThan(60);
});

test("no text makes the checker throw", () => {
  fc.assert(
    fc.property(
      fc.nat(caseTexts.length - 1),
      fc.nat(),
      fc.nat(60),
      fc.string(),
      (at, from, length, other) => {
        const text = caseTexts[at]?.text ?? "";
        const start = from % (text.length + 1);
        const wounded = text.slice(0, start) + other + text.slice(start + length);
        const { diagnostics } = checkLoom(wounded);
        for (const { span } of diagnostics)
          expect(span?.to ?? 0).toBeLessThanOrEqual(wounded.length);
      },
    ),
    runs(120),
  );
});

test("the order of nodes does not change what is found", () => {
  for (const { text, dialect, dtypes } of jsonCases) {
    const options = { ...(dialect && { dialect }), ...(dtypes && { dtypes }) };
    const plain = JSON.parse(text);
    if (!Array.isArray(plain.nodes)) continue;
    const turned = JSON.stringify({ ...plain, nodes: plain.nodes.toReversed() });
    const words = (checked: string) =>
      checkLoom(checked, options).issues.map(({ summary }) => summary);
    expect(words(turned)).toEqual(words(text));
  }
});

test("ids made from texts are UUIDs that differ, and Java's order is total", () => {
  const ids = Array.from({ length: 500 }, (_, at) => uuidFrom(`node ${at}`));
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(500);
  const sorted = inUuidOrder(ids.map((id) => ({ id })));
  expect(inUuidOrder(sorted.toReversed())).toEqual(sorted);
  const begun = ["0", "8", "f", "7"].map((digit) => ({ id: `${digit}${ids[0]?.slice(1)}` }));
  expect(inUuidOrder(begun).map(({ id }) => id[0])).toEqual(["8", "f", "0", "7"]);
});
