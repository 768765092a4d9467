import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lookProperties } from "./look-properties.ts";

const files = readdirSync("src/app/ui", { recursive: true, encoding: "utf8" });
const sheets = files
  .filter((file) => file.endsWith(".css"))
  .map((file) => readFileSync(`src/app/ui/${file}`, "utf8"))
  .join("\n");
const used = new Set([...sheets.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));

/** Families of custom properties that are defined by the tables of looks only. */
const families = /^--(?:text|card|input|badge|glyph|stack|chip|status|head|range)-/;

test("the style sheet takes from the tables of looks nothing but what they have", () => {
  const wanted = [...used].filter((name) => name !== undefined && families.test(name));
  const given = Object.keys(lookProperties);
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter((name) => !given.includes(name ?? ""))).toEqual([]);
});

test("the style sheet says nothing of the canvas a second time", () => {
  const canvas = readFileSync("src/app/ui/styles/canvas.css", "utf8");
  const cards = [...canvas.matchAll(/^\.(?:card|ten|sc|run-frame|edge)[^{]*\{([^}]*)\}/gm)];
  expect(cards.length).toBeGreaterThan(10);
  const written = cards.flatMap(([rule, body = ""]) =>
    /(?:font: \d|stroke-width: \d|border-radius: [1-9])/.test(body) ? [rule] : [],
  );
  expect(written).toEqual([]);
});
