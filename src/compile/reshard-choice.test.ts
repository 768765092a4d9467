import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf } from "#core/ir";
import { planReshard, type ReshardStep } from "#core/reshard";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { edgePrograms } from "./reshard-edges.testing.ts";
import { createSystemSteps, policyNames } from "./system-answers.ts";

const systems = createSystemSteps();

/** Redistributions of `t`: its edges, and the steps of each. */
function edgesOf({ program }: Compiled) {
  const tensor = program.graph.tensors.find(({ name }) => name === "t");
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const steps = program.stages.flatMap((stage) => stage.steps);
  return program.redistributions.flatMap((edge) => {
    const [from, to] = [layouts.get(edge.input), layouts.get(edge.output)];
    if (edge.tensor !== tensor?.id || from === undefined || to === undefined) return [];
    const own = steps.filter((step) => step.kind === "collective" && step.reshard === edge.index);
    const { shape, dtype } = tensor;
    return [
      { edge, from, to, shape, bytesPerElement: bytesOf(dtype), isInside: false, steps: own },
    ];
  });
}

/** A step's effect and cost, without its names. */
function told(step: object) {
  const { collective, axes, groups, moves, elements, bytes, seconds } = step as ReshardStep;
  return { collective, axes, groups, moves, elements, bytes, seconds };
}

/** Every possible sequence for an edge, by the word that chooses it. */
function sequencesOf(edge: ReturnType<typeof edgesOf>[number]) {
  const { front, points } = planReshard(edge.from, edge.to, edge.shape, edge);
  const ours = points.map(({ steps }, at) => [String(front[at]?.steps), steps] as const);
  const theirs = policyNames().map((name) => [name, systems(name, edge)] as const);
  return { ours, theirs };
}

test("[7.4] any point of our front and any system's own steps can be chosen, and run right", () => {
  const met = new Map<string, number>();
  const count = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(edgePrograms, ({ text }) => {
      const [edge, second] = edgesOf(compile(text));
      if (edge === undefined || second !== undefined) return;
      const { ours, theirs } = sequencesOf(edge);
      const check = (word: string, wanted: readonly ReshardStep[]) => {
        const chosen = compile(`${text}reshard(t, steps=${word})\n`);
        const [own] = edgesOf(chosen);
        expect(own?.steps.map(told), word).toEqual(wanted.map(told));
        expect(own?.edge.chosen?.declined, word).toBe(undefined);
        const seconds = wanted.reduce((sum, step) => sum + step.seconds, 0);
        const other = chosen.program.redistributions.reduce((sum, each) => sum + each.seconds, 0);
        expect(own?.edge.seconds).toBeCloseTo(seconds, 12);
        expect(chosen.cost.communicationSeconds).toBeCloseTo(other, 12);
        expect(chosen.cost.bytes).toBe(
          chosen.program.redistributions.reduce((sum, { bytes }) => sum + bytes, 0),
        );
        const run = runPlan(chosen.plan, chosen.program, { seed: 1, values: "integers" });
        expect(run.ok && run.value.equal, `${word}\n${text}`).toBe(true);
      };
      for (const [steps, wanted] of ours) {
        check(steps, wanted);
        count("ours");
      }
      if (ours.length > 1) count("fronts");
      for (const [name, found] of theirs) {
        const chosen = compile(`${text}reshard(t, steps="${name}")\n`);
        const declined = edgesOf(chosen)[0]?.edge.chosen?.declined;
        if (found.ok && declined === undefined) {
          check(`"${name}"`, found.value.steps);
          count(name);
          continue;
        }
        count("declined");
        expect(edgesOf(chosen)[0]?.steps.map(told)).toEqual(edge.steps.map(told));
        expect(chosen.diagnostics.map(({ code }) => code)).toContain("reshard/no-such-steps");
      }
    }),
    { numRuns: process.env.SOAK ? 1000 : 30, seed: 5 },
  );
  for (const what of ["ours", "fronts", "declined", ...policyNames()]) {
    expect(met.get(what) ?? 0, what).toBeGreaterThan(what === "fronts" ? 0 : 4);
  }
});
