import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `a + b > *`: whatever comes or goes beside anything could be meant. */
const anythingBeside = /[+~][^,{}]*[\s>+~]\*\s*[,{]/;

test("no rule says how just anything beside something looks", () => {
  const all = readdirSync("src/app", { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".css"));
  expect(files.length).toBeGreaterThan(10);
  const faults = files.filter((file) =>
    anythingBeside.test(readFileSync(`src/app/${file}`, "utf8")),
  );
  // A browser that meets such a rule styles the whole page again when a row is added anywhere.
  expect(faults).toEqual([]);
});
