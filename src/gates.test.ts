import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { plantedProject, runTool } from "./planted.testing.ts";

const packageJson = JSON.stringify({
  name: "planted",
  type: "module",
  imports: { "#*": "./src/*/index.ts" },
});

test("the compiler refuses a core that touches the page, the UI, or a module's inside", () => {
  const root = plantedProject(
    {
      "package.json": packageJson,
      "src/app/ui/index.ts": "export const panel = 1;\n",
      "src/core/mesh/index.ts": 'export { size } from "./mesh.ts";\n',
      "src/core/mesh/mesh.ts": "export const size = 1;\n",
      "src/core/planted/page.ts": "export const title = document.title;\n",
      "src/core/planted/upward.ts": 'import { panel } from "#app/ui";\nexport const up = panel;\n',
      "src/core/planted/inside.ts":
        'import { size } from "#core/mesh/mesh";\nexport const inside = size;\n',
      "src/core/planted/forgotten.ts": `
        function unreachable(value: never): never { throw new Error(String(value)); }
        export function name(kind: "a" | "b"): string {
          switch (kind) { case "a": return "a"; default: return unreachable(kind); }
        }`,
      "src/core/planted/index.ts": "export const list: readonly number[] = [];\n",
      "src/core/planted/hole.ts":
        'import { list } from "#core/planted";\nexport const n: number = list[0];\n',
    },
    ["tsconfig.base.json", "tsconfig.core.json"],
  );
  const { status, output } = runTool("tsc", ["-p", "tsconfig.core.json"], root);
  expect(status).not.toBe(0);
  expect(output).toMatch(/page\.ts.*TS2584/);
  expect(output).toMatch(/upward\.ts.*TS6307/);
  expect(output).toMatch(/inside\.ts.*TS2307/);
  expect(output).toMatch(/forgotten\.ts.*TS2345/);
  expect(output).toMatch(/hole\.ts.*TS2322/);
});

test("the linter refuses what the style guide forbids, each by its own rule", () => {
  const long = Array.from({ length: 70 }, (_, at) => `  sum += ${at};`).join("\n");
  const planted: Readonly<Record<string, string>> = {
    noExplicitAny: "export function f(x: any): string {\n  return String(x);\n}\n",
    noNonNullAssertion: "export function f(x?: string): number {\n  return x!.length;\n}\n",
    noDefaultExport: "export default 1;\n",
    noEnum: "export enum Kind {\n  One,\n}\n",
    noReExportAll: 'export * from "./other";\n',
    noConsole: 'console.log("x");\n',
    noUnusedVariables: "const unused = 1;\nexport {};\n",
    noExcessiveLinesPerFunction: `export function f(sum: number): number {\n${long}\n  return sum;\n}\n`,
    noFloatingPromises: "async function f(): Promise<void> {}\nf();\nexport { f };\n",
    format: "export const   x = 'y'\n",
  };
  const files = Object.entries(planted).map(([rule, text]) => [`src/${rule}.ts`, text]);
  const root = plantedProject(Object.fromEntries(files), ["biome.json", ".gitignore"]);
  const { status, output } = runTool(
    "biome",
    ["ci", "--colors=off", "--max-diagnostics=200"],
    root,
  );
  expect(status).not.toBe(0);
  for (const rule of Object.keys(planted)) {
    expect(output).toMatch(new RegExp(`src/${rule}\\.ts\\S* (lint/\\w+/)?${rule}\\b`));
  }
});

test("knip refuses a file, an export and a package that nothing uses", () => {
  const root = plantedProject(
    {
      "package.json": JSON.stringify({
        ...JSON.parse(packageJson),
        dependencies: { fflate: "*", zustand: "*" },
      }),
      "src/cli/main.ts":
        'import "zustand";\nimport { used } from "#core/planted";\nexport { used as main };\n',
      "src/core/planted/index.ts": "export const used = 1;\nexport const idle = 2;\n",
      "src/core/planted/unread.ts": "export const unread = 1;\n",
    },
    ["knip.json", "tsconfig.json", "tsconfig.base.json"],
  );
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const { status, output } = runTool("knip", ["--reporter=compact"], root);
  expect(status).not.toBe(0);
  expect(output).toMatch(/unread\.ts/);
  expect(output).toMatch(/\bidle\b/);
  expect(output).toMatch(/\bfflate\b/);
  expect(output).not.toMatch(/\bused\b.*index|\bzustand\b/);
});

test("every test that is left out of a quick run for its length is there under that name", () => {
  const long: readonly string[] = JSON.parse(readFileSync("src/long-tests.json", "utf8"));
  expect(long.filter((file) => !existsSync(file))).toEqual([]);
  expect(long.length).toBeLessThan(10);
});
