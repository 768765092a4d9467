import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * A construct of a system's programs, and the test rows that compare it with the system's own
 * answer.
 */
interface Construct {
  readonly system: string;
  readonly group: string;
  readonly construct: string;
  /** Tests and tables of recorded answers, each with a text found in the construct's rows. */
  readonly rows: readonly { readonly file: string; readonly holds: string }[];
}

const constructs: readonly Construct[] = JSON.parse(
  readFileSync("src/systems/constructs.json", "utf8"),
);

const groups = [...new Set(constructs.map(({ system, group }) => `${system}: ${group}`))];

test.each(groups)("every construct of %s has its rows, so that none goes unnoticed", (name) => {
  const own = constructs.filter(({ system, group }) => `${system}: ${group}` === name);
  const lost = own.flatMap(({ construct, rows }) =>
    rows
      .filter(({ file, holds }) => !readFileSync(file, "utf8").includes(holds))
      .map(({ file, holds }) => `${construct}: ${file} has no row with ${holds}`),
  );
  expect(lost).toEqual([]);
  expect(own.filter(({ rows }) => rows.length === 0)).toEqual([]);
});

test("no construct stands twice", () => {
  const names = constructs.map((each) => `${each.system} ${each.group} ${each.construct}`);
  expect(new Set(names).size).toBe(names.length);
});
