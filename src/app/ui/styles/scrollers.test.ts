import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ui = join(import.meta.dirname, "..");

/**
 * Scroll containers that need not be positioned. A saved page has no words for screen readers
 * alone; popovers and dialogs are positioned already; on the board the canvas contains those words,
 * and its foot and minimap stay in sight.
 */
const excepted = /^one-page\/|-pop$|\.sheet-dialog\b|\.bscroll$/;

/**
 * `file selector { declarations }` for all rules, those within `@media` and `@supports` included.
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
