import { expect, test } from "vitest";
import { printLayout, slicesOf } from "#core/mesh";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { programOf } from "./gallery.testing.ts";

/** The gallery's higher-order net, without sizes, with `out` as its result's layout. */
const net = (out: string) =>
  programOf("mindspore-higher-order")
    .replace('layout(("mp", "sp", "dp"), "None")', out)
    .replace(/^shapes.*\n/m, "");

function layouts(compiled: Compiled): Readonly<Record<string, string>> {
  return Object.fromEntries(
    compiled.tensors.map(({ tensor, layout }) => [tensor, printLayout(layout)]),
  );
}

function collectives(compiled: Compiled): readonly string[] {
  return compiled.program.stages
    .flatMap(({ steps }) => steps)
    .flatMap((step) =>
      step.kind === "collective" ? [`${step.collective} ${step.axes.join(",")}`] : [],
    );
}

test("the higher-order net scatters its sum over dim 0", () => {
  const compiled = compile(net('layout(("mp", "sp", "dp"), "None")'));
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(layouts(compiled)).toEqual({ x: "mp,sp*dp", w: "sp*dp,_", y: "mp*sp*dp,_" });
  expect(collectives(compiled)).toHaveLength(1);
  expect(collectives(compiled)[0]).toContain("reduce-scatter");
  const y = compiled.tensors.find(({ tensor }) => tensor === "y");
  const rows = y && slicesOf(y.layout, [8, 8]).map(({ ranges }) => ranges[0]?.start);
  // mindspore.md §7c: ranks 0…7 hold rows 0 4 2 6 1 5 3 7
  expect(rows).toEqual([0, 4, 2, 6, 1, 5, 3, 7]);
});

test("without a scatter the sum is combined in place", () => {
  const compiled = compile(net('layout("mp", "None")'));
  expect(layouts(compiled).y).toBe("mp,_");
  expect(collectives(compiled)[0]).toContain("all-reduce");
});

test.each`
  out
  ${'layout(("mp", "dp", "sp"), "None")'}
  ${'layout("mp", ("sp", "dp"))'}
  ${'layout("None", "None")'}
`("the out_strategy $out is refused", ({ out }) => {
  const errors = compile(net(out)).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, upstream }) => `${code} ${upstream}`)).toEqual([
    "mindspore/strategy-refused RuntimeError",
  ]);
});
