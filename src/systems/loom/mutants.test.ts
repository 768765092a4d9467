import fc from "fast-check";
import { expect, test } from "vitest";
import { type Compiled, compile, exportGraph } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { boxesWithout } from "#core/indexspace";
import { boxesByIndex } from "#core/mesh";
import { flatSteps, fold, indexRangesOf, type SpmdProgram, unroll } from "#core/program";
import { checkLoom } from "./check-loom.ts";
import { caseTexts, runs } from "./loom.testing.ts";
import { mutatedTexts } from "./mutants.testing.ts";

const plans = fc
  .tuple(fc.constantFrom(2, 3, 4), fc.constantFrom("i0", "i1", "i2"), fc.constantFrom("i0", "i1"))
  .map(([size, first, second]) => {
    const cuts = first === second ? `${first}=("a", "b")` : `${first}="a", ${second}="b"`;
    return `mesh = Mesh(a=${size}, b=2)\nstrategy("*", ${cuts})\n`;
  });

const cleanTexts = fc.constantFrom(
  ...caseTexts.filter(({ isClean }) => isClean).map(({ text }) => text),
);

/** Operands that a device's program reads although the device does not hold them. */
function unheld({ program }: Compiled): readonly string[] {
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "local") return [];
    const held = step.inputs.map((id) => heldOf(program, id));
    return indexRangesOf(program, step).flatMap(({ device, inputs }) =>
      inputs.flatMap(({ box }, at) => {
        const lacking = boxesWithout([box], held[at]?.get(device) ?? []);
        return lacking.length === 0 ? [] : [`${step.operator} ${at} on ${device}`];
      }),
    );
  });
}

function heldOf({ values, graph }: SpmdProgram, id: string) {
  const value = values.find((each) => each.id === id);
  const shape = graph.tensors.find((tensor) => tensor.id === value?.tensor)?.shape;
  if (value === undefined || shape === undefined) throw new Error(`no value ${id}`);
  const { layout, held = boxesByIndex(layout, shape) } = value;
  return new Map(layout.mesh.devices.map((device, at) => [device, held[at] ?? []]));
}

test("no graph and no plan beside it make the compiler throw; what is read is held", () => {
  let checked = 0;
  fc.assert(
    fc.property(fc.oneof(mutatedTexts, cleanTexts), plans, (text, planText) => {
      const compiled = compile(text, { planText });
      expect(unroll(fold(compiled.program))).toEqual(compiled.program);
      if (hasErrors(checkLoom(text).diagnostics)) return;
      const isWritten = compiled.diagnostics.every(({ code }) => {
        return code !== "loom/partial-output";
      });
      if (!isWritten || compiled.diagnostics.some(({ code }) => code === "loom/mixed-signs"))
        return;
      checked++;
      expect(unheld(compiled)).toEqual([]);
    }),
    runs(300),
  );
  expect(checked).toBeGreaterThan(40);
});

test("what is written with the shards of a plan passes the checks of the application dialect", () => {
  let sharded = 0;
  fc.assert(
    fc.property(fc.oneof(mutatedTexts, cleanTexts), plans, (text, planText) => {
      const dialects = ["op", "app"] as const;
      if (dialects.every((dialect) => hasErrors(checkLoom(text, { dialect }).diagnostics))) return;
      const written = exportGraph(compile(text, { planText }), { dialect: "app" }).text;
      const { issues, graph } = checkLoom(written, { dialect: "app" });
      expect(issues.map(({ summary }) => summary)).toEqual([]);
      const shards = graph?.nodes.filter(({ kind }) => kind === "Application") ?? [];
      const operations = graph?.nodes.filter(({ kind }) => kind === "Operation") ?? [];
      if (shards.length > operations.length) sharded++;
    }),
    runs(300),
  );
  expect(sharded).toBeGreaterThan(10);
});
