import { expect, test } from "vitest";
import { valueBytes } from "#core/cost";
import { compile } from "./compile.ts";

/** 7.5e9 parameters in bf16 with Adam on 64 devices: the example of Rajbhandari et al. 2019. */
function step(zero: number) {
  return compile(`mesh = Mesh(dp=64)
x = Tensor((64, 75000), "bf16")
w = Parameter((75000, 100000), "bf16")
place(x, layout("dp", "None"))
y = matmul(x, w)
strategy(y, m="dp")
train(y, optimizer="adam", zero=${zero}, precision="megatron", gradients="bf16")
`);
}

const [all, piece] = [7.5e9, 7.5e9 / 64];

test("without ZeRO a parameter takes 16 bytes, as published: 120 GB in all", () => {
  const { memory } = step(0);
  expect(memory.parameterBytes).toBe(2 * all);
  expect(memory.optimizerBytes).toBe(12 * all);
  expect((memory.peakBytes - memory.activationBytes - memory.inputBytes) / all).toBeCloseTo(16, 3);
});

test.each`
  zero | parameters   | collectives
  ${1} | ${2 * all}   | ${["update reduce-scatter", "update all-gather"]}
  ${2} | ${2 * all}   | ${["backward reduce-scatter", "update all-gather"]}
  ${3} | ${2 * piece} | ${["forward all-gather", "backward all-gather", "backward reduce-scatter"]}
`("ZeRO $zero keeps $parameters bytes of parameters", ({ zero, parameters, collectives }) => {
  const { memory, program } = step(zero);
  expect(memory.parameterBytes).toBe(parameters);
  expect(memory.optimizerBytes).toBe(12 * piece);
  const steps = program.stages.flatMap((stage) => stage.steps);
  const found = steps.flatMap((each) =>
    each.kind === "collective" ? [`${each.phase} ${each.collective}`] : [],
  );
  expect(found).toEqual(collectives);
});

// Bytes of parameters, gradients and optimizer state on a device, by Rajbhandari et al. 2019,
// figure 1.
test.each`
  zero | gigabytes
  ${0} | ${120}
  ${1} | ${31.4}
  ${2} | ${16.6}
  ${3} | ${1.9}
`("ZeRO $zero leaves $gigabytes GB to each device", ({ zero, gigabytes }) => {
  const { memory, program } = step(zero);
  const bytes = valueBytes(program);
  const steps = program.stages.flatMap((stage) => stage.steps);
  const update = steps.find((each) => each.kind === "local" && each.phase === "update");
  const [, gradient = ""] = update?.kind === "local" ? update.inputs : [];
  const held = new Map([...bytes].map(([id, size]) => [String(id), size]));
  const all = memory.parameterBytes + memory.optimizerBytes + (held.get(gradient) ?? 0);
  // The gradient is whole until its update if neither it nor the parameter is cut.
  const whole = zero === 1 ? 2 * 7.5e9 - (held.get(gradient) ?? 0) : 0;
  expect(Math.abs((all + whole) / 1e9 / gigabytes - 1)).toBeLessThan(0.02);
});
