import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  facesOnDisk,
  filesNaming,
  mayImport,
  pictureOf,
  readImports,
  roomsOnDisk,
} from "./architecture.testing.ts";
import { plantedProject } from "./planted.testing.ts";

const packageJson = JSON.stringify({ type: "module", imports: { "#*": "./src/*/index.ts" } });
const rooms = Object.keys(mayImport);

test("every import stays within the table, and there are no cycles", () => {
  const { faults, fileCount } = readImports(process.cwd());
  expect(faults).toEqual([]);
  expect(fileCount).toBeGreaterThan(40);
});

test("the table lists exactly the rooms that are there", () => {
  expect([...rooms].sort()).toEqual(roomsOnDisk("."));
});

test("every import that the table forbids is seen when it is planted, and no other", () => {
  const planted = rooms.flatMap((room) => {
    const others = rooms.filter((other) => other !== room);
    const imports = others.map((other, at) => `import { here as at${at} } from "#${other}";`);
    const uses = others.map((_, at) => `at${at}`);
    return [
      [`src/${room}/index.ts`, "export const here = 1;\n"],
      [`src/${room}/planted.ts`, `${imports.join("\n")}\nexport const all = [${uses}];\n`],
    ];
  });
  const files = { ...Object.fromEntries(planted), "package.json": packageJson };
  const { faults } = readImports(plantedProject(files));
  const forbidden = rooms.flatMap((room) =>
    rooms
      .filter((other) => other !== room && !mayImport[room]?.includes(other))
      .map((other) => `src/${room}/planted.ts imports #${other}: ${room} must not know ${other}`),
  );
  expect(faults).toEqual(forbidden.sort());
  expect(forbidden.length).toBeGreaterThan(rooms.length);
});

test("detours, cycles, unknown paths and packages in the wrong room are seen too", () => {
  const root = plantedProject({
    "package.json": packageJson,
    "node_modules/react/package.json": JSON.stringify({ name: "react", main: "index.js" }),
    "node_modules/react/index.js": "export const useState = 1;\n",
    "src/core/mesh/index.ts": 'export type { Mesh } from "./mesh.ts";\n',
    "src/core/mesh/mesh.ts":
      'import type { Part } from "./part.ts";\nexport interface Mesh { part: Part }\n',
    "src/core/mesh/part.ts":
      'import type { Mesh } from "./mesh.ts";\nexport interface Part { mesh: Mesh }\n',
    "src/core/cost/detour.ts":
      'import type { Mesh } from "../mesh/mesh.ts";\nexport type Detour = Mesh;\n',
    "src/core/cost/deep.ts":
      'import type { Mesh } from "#core/mesh/mesh";\nexport type Deep = Mesh;\n',
    "src/core/cost/node.ts": 'import { readFileSync } from "node:fs";\nreadFileSync("x");\n',
    "src/core/cost/react.ts": 'import { useState } from "react";\nuseState();\n',
  });
  const { faults } = readImports(root);
  expect(faults).toEqual([
    "src/core/cost/deep.ts imports #core/mesh/mesh: cannot be resolved",
    "src/core/cost/detour.ts imports ../mesh/mesh.ts: goes around the public face",
    "src/core/cost/node.ts imports fs: core/cost must not use node",
    "src/core/cost/react.ts imports react: core/cost must not use react",
    "src/core/mesh/mesh.ts imports ./part.ts: closes a cycle",
    "src/core/mesh/part.ts imports ./mesh.ts: closes a cycle",
  ]);
});

test("a face has at most 60 names", () => {
  const wide = facesOnDisk(".").filter(({ names }) => names > 60);
  expect(wide).toEqual([]);
  expect(facesOnDisk(".").length).toBeGreaterThan(rooms.length);
});

test("names of a face are counted, those of types and renamed ones too", () => {
  const root = plantedProject({
    "src/core/mesh/index.ts": `export { type Mesh, /** @internal */ meshOf, one as two } from "./mesh.ts";
export type { Axis } from "./axis.ts";
export const here = 1;
`,
    "src/core/mesh/inner/index.ts": 'export { x } from "./x.ts";\n',
  });
  expect(facesOnDisk(root)).toEqual([
    { path: "core/mesh/index.ts", names: 5 },
    { path: "core/mesh/inner/index.ts", names: 1 },
  ]);
});

test("the picture in docs/architecture.md is that of the table", () => {
  const page = readFileSync("docs/architecture.md", "utf8");
  expect(/```mermaid.*?```/s.exec(page)?.[0]).toBe(pictureOf(mayImport));
});

// The aim is 10 of each: whoever takes a name out lowers the number.
test.each`
  system               | most
  ${/mindspore/i}      | ${2}
  ${/nnscaler/i}       | ${8}
  ${/\bloom/i}         | ${0}
  ${/\b(py)?torch\b/i} | ${1}
`("at most $most files outside systems/ name $system", ({ system, most }) => {
  const files = filesNaming(".", system);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});

test("a file that names a system is seen where it stands outside", () => {
  const root = plantedProject({
    "package.json": packageJson,
    "src/core/mesh/index.ts": "// as Mindspore does\n",
    "src/core/mesh/mesh.test.ts": "// mindspore\n",
    "src/systems/mindspore/index.ts": "// mindspore\n",
  });
  expect(filesNaming(root, /mindspore/i)).toEqual(["core/mesh/index.ts"]);
});
