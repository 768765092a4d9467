import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { crossoverText, fasterText } from "#app/scene/text";
import { createReshardPlanner, planReshard } from "#core/reshard";
import type { StepsGesture } from "#edit";
import { applyGesture } from "#edit";
import { edgesIn } from "#systems/system";
import { comparePolicies } from "./compare-policies.ts";
import { compile } from "./compile.ts";
import type { EdgeComparison } from "./compiled.ts";
import { edgePrograms } from "./reshard-edges.testing.ts";
import { createSystemSteps } from "./system-answers.ts";

const planner = createReshardPlanner();

/** Sequences for the first redistribution of a text. */
function compared(text: string): EdgeComparison | undefined {
  const { program } = compile(text);
  const [first] = program.redistributions;
  return first && comparePolicies(program, first, planner);
}

function secondsOf({ ours, outcomes }: EdgeComparison, policy: string) {
  const own = ours.find(({ isDefault }) => isDefault)?.seconds ?? 0;
  const theirs = outcomes.find((outcome) => outcome.policy === policy);
  return { own, theirs: theirs?.kind === "planned" ? theirs.seconds : undefined };
}

/** A text with its tensors `copies` times as large, by an uncut leading dim. */
function swap(copies: number): string {
  return `mesh = Mesh(x=4, y=2)
t = Tensor((${copies}, 16, 16, 16), "f32")
# annotation: n a b c -> n a b c
def keep(x):
    return x
u = keep(t)
place(t, layout("None", "y", "None", "x"))
strategy(u, b=("x", "y"))
`;
}

test("just below the size that is named another system is faster by the model, just above ours is", () => {
  const small = compared(swap(1));
  if (small === undefined) throw new Error("nothing is redistributed");
  const named = small.outcomes.flatMap((outcome) =>
    outcome.kind === "planned" && outcome.faster !== undefined
      ? [[outcome.policy, outcome.faster] as const]
      : [],
  );
  expect(named.map(([policy]) => policy)).toEqual(["shardy", "dtensor", "mindspore", "nnscaler"]);
  for (const [policy, { above, until }] of named) {
    expect(above).toBe(0);
    const copies = until / small.tensorBytes;
    const [below, beyond] = [Math.ceil(copies) - 1, Math.floor(copies) + 1];
    for (const [count, isOurs] of [
      [below, false],
      [beyond, true],
    ] as const) {
      const here = compared(swap(count));
      const { own, theirs } = secondsOf(here ?? small, policy);
      expect(own < (theirs ?? 0), `${policy} at ${count}`).toBe(isOurs);
      const outcome = here?.outcomes.find((each) => each.policy === policy);
      const said = outcome?.kind === "planned" ? crossoverText(outcome) : undefined;
      expect(said?.startsWith("Ours is faster from ") ?? false).toBe(!isOurs);
      const head = here && fasterText(here)?.toLowerCase();
      expect(head?.includes(policy) ?? false).toBe(!isOurs);
    }
  }
});

test("the same holds for random edges, whatever their front", () => {
  const crossings = { above: 0, until: 0 };
  const systems = createSystemSteps();
  fc.assert(
    fc.property(edgePrograms, ({ text }) => {
      const { program } = compile(text);
      const found = program.redistributions.find(({ tensor }) => tensor === "t");
      const edge = found && edgesIn(program)(found);
      if (found === undefined || edge === undefined) return;
      const { from, to, shape, isWritten: isInside } = edge;
      const { outcomes, tensorBytes } = comparePolicies(program, found, planner);
      /**
       * Relative saving of the own plan over the system's, with elements of `scale` times the
       * bytes.
       */
      const gain = (policy: string, scale: number) => {
        const bytesPerElement = edge.bytesPerElement * scale;
        const theirs = systems(policy, { from, to, shape, bytesPerElement, isInside });
        const ours = planReshard(from, to, shape, { bytesPerElement });
        return theirs.ok ? theirs.value.seconds / ours.seconds - 1 : Number.NaN;
      };
      for (const outcome of outcomes) {
        if (outcome.kind === "declined") continue;
        const { policy, faster } = outcome;
        expect(faster !== undefined, text).toBe(gain(policy, 1) < -1e-9);
        if (faster === undefined) continue;
        const [above, until] = [faster.above / tensorBytes, faster.until / tensorBytes];
        if (Number.isFinite(until)) {
          crossings.until += 1;
          expect(gain(policy, until * (1 - 1e-4)), text).toBeLessThan(0);
          expect(gain(policy, until * (1 + 1e-4)), text).toBeGreaterThan(0);
        } else expect(gain(policy, 2 ** 30), text).toBeLessThanOrEqual(1e-9);
        if (above > 0) {
          crossings.above += 1;
          expect(gain(policy, above * (1 - 1e-4)), text).toBeGreaterThan(0);
          expect(gain(policy, above * (1 + 1e-4)), text).toBeLessThan(0);
        } else expect(gain(policy, 2 ** -30), text).toBeLessThanOrEqual(1e-9);
      }
    }),
    { numRuns: process.env.SOAK ? 600 : 60, seed: 8 },
  );
  expect(crossings.until).toBeGreaterThan(3);
});

test("the title of the card holds at the size of its program", () => {
  const text = examples.find(({ name }) => name === "jax-reshard")?.program ?? "";
  const comparison = compared(text);
  const planned = comparison?.outcomes.filter((outcome) => outcome.kind === "planned") ?? [];
  const own = comparison?.ours.find(({ isDefault }) => isDefault);
  expect(own?.steps.map(({ collective }) => collective)).toEqual(["all-to-all"]);
  expect(comparison && fasterText(comparison)).toBe(undefined);
  const ratios = planned.map(({ bytes }) => bytes / (own?.bytes ?? 0));
  expect(Math.max(...ratios)).toBe(8);
  expect(planned.every(({ seconds }) => seconds > (own?.seconds ?? 0))).toBe(true);
});

const base = `mesh = Mesh(x=4, y=2)
t = Tensor((16, 16, 16), "f32")  # what moves
u = neg(t)
place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`;

function chosen(source: string, steps: StepsGesture["steps"], redistribution = 0): string {
  const outcome = applyGesture(source, { kind: "choose-steps", redistribution, steps });
  return outcome.ok ? outcome.source : outcome.reason;
}

test("a choice adds a line, changes it in place, and the default takes it out", () => {
  const shardy = chosen(base, "shardy");
  expect(shardy).toBe(`${base}reshard(t, steps="shardy")\n`);
  expect(chosen(shardy, "nnscaler")).toBe(`${base}reshard(t, steps="nnscaler")\n`);
  expect(chosen(shardy, "default")).toBe(base);
  expect(chosen(base, "default")).toBe(base);
  const commented = `${base}reshard(t, steps="shardy")  # as JAX\nv = exp(u)\n`;
  expect(chosen(commented, "default")).toBe(`${base}# as JAX\nv = exp(u)\n`);
});

test("a line that speaks of more than the tensor stays, and one of its own goes before it", () => {
  const all = `${base}reshard("*", steps="shardy")\n`;
  expect(chosen(all, "mindspore")).toBe(`${all}reshard(t, steps="mindspore")\n`);
  expect(chosen(all, "default")).toBe(`${all}reshard(t, steps=1)\n`);
});

test("a tensor with several targets is chosen for by layout", () => {
  const fanned = `mesh = Mesh(x=2, y=2)
t = Tensor((8, 8), "f32")
place(t, layout(("x", "y"), "None"))
u = neg(t)
v = exp(t)
strategy(u, b=("y", "x"))
strategy(v, b=("x", "y"))
`;
  expect(chosen(fanned, "mindspore", 1)).toBe(
    `${fanned}reshard(t, steps="mindspore", to=layout("None", ("x", "y")))\n`,
  );
});

test("what cannot be followed is refused with the reason", () => {
  expect(chosen(base, 3)).toBe("no edit of the text alone makes t take these steps");
  expect(chosen(base, "shardy", 9)).toBe("that redistribution is no longer part of the program");
});
