import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerTo, commandNames, plainAnswer } from "#cli";
import { markFloats } from "./cli/commands/mark-floats.ts";
import { type Case, compare } from "./conformance.testing.ts";

/** Cases that are wrong, or right only in the system that they come from: set, id, reason. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync("conformance/exceptions.json", "utf8"),
);

/** Sets that belong to capabilities still growing: at least so many of their cases hold. */
const growing: Readonly<Record<string, number>> = {};

const sets = readdirSync("conformance")
  .filter((file) => file.endsWith(".json") && file !== "exceptions.json")
  .map((file) => file.replace(/\.json$/, ""))
  .filter((set) => casesOf(set).length > 0);

function casesOf(set: string): readonly Case[] {
  const { cases = [] } = JSON.parse(markFloats(readFileSync(`conformance/${set}.json`, "utf8")));
  return cases;
}

/**
 * What is wrong with the answer to one case, in one line; `undefined` when it holds. How long it
 * took is for the benchmarks: a machine may do other things beside.
 */
function faultOf({ id, request, expected }: Case): string | undefined {
  const answer = plainAnswer(answerTo(request.command, request.args), request.args);
  const problems = compare(request, expected, JSON.parse(JSON.stringify(answer)));
  return problems.length === 0 ? undefined : `${id}: ${problems.join("; ")}`;
}

test.each(sets)("the cases of %s hold, except those that are listed with a reason", (set) => {
  const cases = casesOf(set);
  const answered = cases.filter(({ request }) => commandNames.includes(request.command));
  const faults = answered.flatMap((each) => {
    const fault = faultOf(each);
    return fault === undefined ? [] : [{ id: each.id, fault }];
  });
  const holding = answered.length - faults.length;
  const waiting = cases.length - answered.length;
  const later = waiting === 0 ? "" : `, ${waiting} wait for their command`;
  process.stdout.write(`conformance ${set}: ${holding} of ${answered.length} hold${later}\n`);
  const listed = exceptions[set] ?? {};
  const unlisted = faults.filter(({ id }) => !Object.hasOwn(listed, id));
  if (growing[set] === undefined) expect(unlisted.map(({ fault }) => fault)).toEqual([]);
  else expect(holding).toBeGreaterThanOrEqual(growing[set]);
  const failing = faults.map(({ id }) => id);
  const outdated = answered.filter(({ id }) => Object.hasOwn(listed, id) && !failing.includes(id));
  expect(outdated.map(({ id }) => id)).toEqual([]);
  expect(Object.keys(listed).length).toBeLessThanOrEqual(cases.length * 0.02);
});

test("every exception names a case and gives its reason", () => {
  for (const [set, listed] of Object.entries(exceptions)) {
    const ids = new Set(casesOf(set).map(({ id }) => id));
    for (const [id, reason] of Object.entries(listed)) {
      expect(ids).toContain(id);
      expect(reason.length).toBeGreaterThan(20);
    }
  }
});
