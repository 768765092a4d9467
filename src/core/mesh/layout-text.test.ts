import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalLayout,
  checkLayout,
  createMesh,
  parseLayout,
  parseMesh,
  printLayout,
  printMesh,
  sameLayout,
} from "./index.ts";
import { anyMesh, layoutAndShape, passedValue } from "./layouts.testing.ts";

const mesh = passedValue(parseMesh("dp=2,sp=4,mp=8,one=1,tp=6"));

test.each`
  text                        | canonical
  ${"dp,_,sp*mp"}             | ${"dp,_,sp*mp"}
  ${" dp , _ | mp "}          | ${"dp,_|mp"}
  ${"()"}                     | ${"()"}
  ${"()|mp,dp"}               | ${"()|dp,mp"}
  ${"mp:(1)2*mp:(2)4"}        | ${"mp"}
  ${"mp:(1)2*mp:(2)2"}        | ${"mp:(1)4"}
  ${"mp:(2)4*mp:(1)2"}        | ${"mp:(2)4*mp:(1)2"}
  ${"mp:(1)8"}                | ${"mp"}
  ${"one*dp,one:(1)1"}        | ${undefined}
  ${"dp*one"}                 | ${"dp*one"}
  ${"_|max(mp:(4)2,mp)"}      | ${undefined}
  ${"_|max(mp),sum(dp)"}      | ${"_|dp,max(mp)"}
  ${"_|mp:(2)4,mp:(1)2"}      | ${"_|mp"}
  ${"_|avg(mp:(2)4),mp:(1)2"} | ${"_|mp:(1)2,avg(mp:(2)4)"}
  ${"~2*dp,~2*~3"}            | ${"~2*dp,~6"}
  ${"dp{3,5},_"}              | ${"dp{3,5},_"}
  ${"tp:(1)2,tp:(2)3"}        | ${"tp:(1)2,tp:(2)3"}
`("$text is read and printed as $canonical", ({ text, canonical }) => {
  const layout = parseLayout(text, mesh);
  expect(layout.ok ? printLayout(layout.value) : undefined).toBe(canonical);
  if (canonical !== undefined) {
    expect(printLayout(passedValue(parseLayout(canonical, mesh)))).toBe(canonical);
  }
});

test.each`
  text                 | faults
  ${"qp,_"}            | ${["mesh/unknown-axis 0-2"]}
  ${"dp,dp"}           | ${["mesh/axis-used-twice 3-5"]}
  ${"one,one"}         | ${["mesh/axis-used-twice 4-7"]}
  ${"dp|dp"}           | ${["mesh/axis-used-twice 3-5"]}
  ${"mp:(1)4,mp:(2)4"} | ${["mesh/overlapping-sub-axes 8-15"]}
  ${"mp:(1)2,mp"}      | ${["mesh/overlapping-sub-axes 8-10"]}
  ${"tp:(1)2,tp:(1)3"} | ${["mesh/overlapping-sub-axes 8-15"]}
  ${"tp:(1)2,tp:(3)2"} | ${["mesh/overlapping-sub-axes 8-15"]}
  ${"mp:(1)3"}         | ${["mesh/bad-sub-axis 0-7"]}
  ${"mp:(2)1"}         | ${["mesh/bad-sub-axis 0-7"]}
  ${"mp:(0)2"}         | ${["mesh/bad-sub-axis 0-7"]}
  ${""}                | ${["mesh/layout-syntax 0-0"]}
  ${"dp*"}             | ${["mesh/layout-syntax 3-3"]}
  ${"dp,,_"}           | ${["mesh/layout-syntax 3-4"]}
  ${"_*dp"}            | ${["mesh/layout-syntax 1-2"]}
  ${"dp sp"}           | ${["mesh/layout-syntax 3-5"]}
  ${"mp:2"}            | ${["mesh/layout-syntax 3-4"]}
  ${"mp:(2"}           | ${["mesh/layout-syntax 5-5"]}
  ${"mp:(2)x"}         | ${["mesh/layout-syntax 6-7"]}
  ${"_|med(dp)"}       | ${["mesh/unknown-axis 2-5", "mesh/layout-syntax 5-6"]}
  ${"_|~2"}            | ${["mesh/layout-syntax 2-3"]}
  ${"_|max(dp"}        | ${["mesh/layout-syntax 8-8"]}
  ${"_|dp|sp"}         | ${["mesh/layout-syntax 4-5"]}
  ${"~1"}              | ${["mesh/layout-syntax 0-2"]}
  ${"~999,~999"}       | ${["mesh/too-many-pieces 5-9"]}
  ${"~999,~999"}       | ${["mesh/too-many-pieces 5-9"]}
  ${"dp{1,2,3}"}       | ${["mesh/bad-sizes 2-9"]}
  ${"dp{1,2"}          | ${["mesh/layout-syntax 6-6"]}
  ${"()x"}             | ${["mesh/layout-syntax 2-3"]}
  ${"qp,dp*,dp,dp"}    | ${["mesh/unknown-axis 0-2", "mesh/layout-syntax 6-7", "mesh/axis-used-twice 7-9", "mesh/axis-used-twice 10-12"]}
`("$text has the faults $faults", ({ text, faults }) => {
  const layout = parseLayout(text, mesh);
  const found = layout.diagnostics.map(({ code, span }) => `${code} ${span?.from}-${span?.to}`);
  expect(layout.ok).toBe(false);
  expect(found).toEqual(faults);
});

test("a layout is its text read back, whatever it is made of", () => {
  const property = fc.property(layoutAndShape, ({ layout, shape }) => {
    const chunks = layout.dims.find((dim) => dim.chunks === "nested")?.chunks ?? "flat";
    const back = passedValue(parseLayout(printLayout(layout), layout.mesh, chunks));
    expect(checkLayout(layout, shape)).toEqual([]);
    expect(canonicalLayout(back)).toEqual(canonicalLayout(layout));
    expect(sameLayout(back, layout)).toBe(true);
  });
  fc.assert(property, { seed: 3, numRuns: process.env.SOAK ? 5000 : 300 });
});

test("no text makes the parser throw, and every refusal has a span inside the text", () => {
  const signs = [
    "dp",
    "mp",
    "qp",
    "_",
    "*",
    ",",
    "|",
    ":",
    "(",
    ")",
    "2",
    "{",
    "}",
    "~",
    " ",
    "max",
  ];
  const texts = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((part) => part.join(""));
  const property = fc.property(texts, (text) => {
    const layout = parseLayout(text, mesh);
    const spans = layout.diagnostics.map(({ span }) => span ?? { from: -1, to: -1 });
    expect(spans.every(({ from, to }) => 0 <= from && from <= to && to <= text.length)).toBe(true);
    expect(layout.ok).toBe(spans.length === 0);
  });
  fc.assert(property, { seed: 4, numRuns: process.env.SOAK ? 20_000 : 1000 });
});

test("a mesh is its text read back", () => {
  const property = fc.property(anyMesh, (any) => {
    expect(passedValue(parseMesh(printMesh(any)))).toEqual(any);
  });
  fc.assert(property, { seed: 5, numRuns: 100 });
});

test.each`
  text                   | printed
  ${"dp=2,mp=4"}         | ${"dp=2,mp=4"}
  ${"dp=2,mp=2@0,2,1,3"} | ${"dp=2,mp=2@0,2,1,3"}
  ${" dp = 2 @ 0 , 1"}   | ${"dp=2"}
  ${""}                  | ${""}
  ${"@5"}                | ${"@5"}
  ${"dp=2@0,1,2"}        | ${"mesh/device-count"}
  ${"dp=2@1,1"}          | ${"mesh/duplicate-device"}
  ${"dp=2,dp=2"}         | ${"mesh/duplicate-axis"}
  ${"dp=0"}              | ${"mesh/bad-axis-size"}
  ${"d(p=2"}             | ${"mesh/bad-axis-name"}
  ${"dp=1000,mp=1000"}   | ${"mesh/too-many-devices"}
`('the mesh "$text" reads as "$printed"', ({ text, printed }) => {
  const parsed = parseMesh(text);
  expect(parsed.ok ? printMesh(parsed.value) : parsed.diagnostics[0]?.code).toBe(printed);
});

test.each(["dp", "dp=x", "dp=2@", "dp=2@0,", "dp=2,"])('"%s" is written as no mesh', (text) => {
  expect(() => parseMesh(text)).toThrow(`"${text}" is no mesh`);
});

test("a device id below zero or between integers is refused", () => {
  const codes = createMesh([{ name: "x", size: 2 }], [-1, 0.5]).diagnostics.map(({ code }) => code);
  expect(codes).toEqual(["mesh/bad-device", "mesh/bad-device"]);
});
