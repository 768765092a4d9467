import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ui = join(import.meta.dirname, "..");

/**
 * Scrollers without `position`: the one-page viewer, which has no visually hidden texts; popovers
 * and dialogs, which are positioned anyway; and the board, whose page inside holds them, while its
 * foot and minimap must stay in view.
 */
const excepted = /^one-page\/|-pop$|\.sheet-dialog\b|\.bscroll$/;

/**
 * All rules as `file selector { declarations }`, including those inside `@media` and `@supports`.
 */
const rules = readdirSync(ui, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css"))
  .flatMap((name) => {
    const text = readFileSync(join(ui, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    return [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
      where: `${name} ${selector.trim()}`,
      body,
    }));
  });

test("what scrolls holds what is said to readers of screens alone, else that lengthens the page", () => {
  const scrollers = rules.filter(({ body }) => /overflow[-xy]*:[^;]*\b(auto|scroll)\b/.test(body));
  expect(scrollers.length).toBeGreaterThan(40);
  const loose = scrollers
    .filter(({ body }) => !/(^|\s)position:\s*(relative|absolute|fixed|sticky)/.test(body))
    .map(({ where }) => where)
    .filter((where) => !excepted.test(where));
  expect(loose).toEqual([]);
});
