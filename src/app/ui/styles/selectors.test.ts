import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `a + b > *`: such a selector may match below any element whose sibling changes. */
const anythingBeside = /[+~][^,{}]*[\s>+~]\*\s*[,{]/;

test("no rule says how just anything beside something looks", () => {
  const all = readdirSync("src/app", { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".css"));
  expect(files.length).toBeGreaterThan(10);
  const faults = files.filter((file) =>
    anythingBeside.test(readFileSync(`src/app/${file}`, "utf8")),
  );
  // With such a rule, a browser restyles the whole page when a row is added anywhere.
  expect(faults).toEqual([]);
});
