import { expect, test } from "vitest";
import { compile } from "#compile";
import type { Fix } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import { productNet } from "./product-net.testing.ts";

const layouts = (k: string, rows: string) =>
  `ops.MatMul().shard((layout("dp", (${k})), layout((${k}), "None")), (layout((${rows}), "None"),))`;
const batches = `ops.BatchMatMul().shard(((2, 1, 4), (2, 4, 1)), ((2, 4, 1),))`;

function warned(text: string) {
  return compile(text).diagnostics.filter(({ code }) => /scatters-|shares-/.test(code));
}

function applied(text: string, { edits }: Fix): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text);
}

const scatters = (text: string) =>
  flatSteps(compile(text).program).filter(
    (step) => step.kind === "collective" && step.collective === "reduce-scatter",
  ).length;

// engines/replay_mindspore.py compiles these and their rewritings, and replays them.
test.each`
  code                                 | at                      | wrong                                        | shapes
  ${"mindspore/scatters-out-of-order"} | ${'("dp", "mp", "sp")'} | ${layouts('"mp", "sp"', '"dp", "mp", "sp"')} | ${"x=(64, 32), w=(32, 16)"}
  ${"mindspore/scatters-dim-0"}        | ${"4"}                  | ${batches}                                   | ${"x=(8, 16, 64), w=(8, 64, 64)"}
`("$code is said at $at, and its rewriting takes it away", ({ code, at, wrong, shapes }) => {
  const text = productNet(wrong, shapes);
  const [warning, ...others] = warned(text);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code, severity: "warning" });
  expect(text.slice(warning?.span?.from, warning?.span?.to)).toBe(at);
  expect(scatters(text)).toBe(1);
  const [fix] = warning?.fixes ?? [];
  expect(fix).toBeDefined();
  if (fix === undefined) return;
  const mended = applied(text, fix);
  expect(compile(mended).diagnostics.filter(({ severity }) => severity !== "info")).toEqual(
    compile(text).diagnostics.filter(
      (each) => !/scatters-/.test(each.code) && each.severity !== "info",
    ),
  );
  expect(scatters(mended)).toBe(0);
});

test.each`
  what                                | product
  ${"a scatter in mesh order"}        | ${layouts('"sp", "mp"', '"dp", "sp", "mp"')}
  ${"sums out of order, added whole"} | ${'ops.MatMul().shard((layout("dp", ("mp", "sp")), layout(("mp", "sp"), "None")))'}
`("$what is computed rightly, and nothing is said", ({ product }) => {
  expect(warned(productNet(product, "x=(64, 32), w=(32, 16)"))).toEqual([]);
});

test("rows and columns that share the last axis are said where the strategy stands", () => {
  const product = 'ops.MatMul().shard((layout("mp", "None"), layout("None", "mp")))';
  const codes = warned(productNet(product, "x=(64, 32), w=(32, 16)")).map(({ code }) => code);
  expect(codes).toEqual(["mindspore/shares-last-axis"]);
});
