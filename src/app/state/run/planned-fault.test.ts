import { expect, test } from "vitest";
import { compile } from "#compile";
import { flatSteps } from "#core/program";
import { stepFaults } from "#execute/engine";
import { faultIn, plannedFault } from "./planned-fault.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((4, 8))
w = Parameter((8, 4))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
z = relu(y)
v = softmax(z)
strategy(v, n="mp")
`;
const compiled = compile(text);

function collectives() {
  return flatSteps(compiled.program).flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [at] : [],
  );
}

test("every fault of a plan comes back from what a link says of it", () => {
  expect(collectives().length).toBeGreaterThan(1);
  for (const how of stepFaults) {
    for (const step of collectives()) {
      const fault = { step, how };
      expect(faultIn(compiled, plannedFault(compiled, fault))).toEqual(fault);
    }
  }
  const w = compiled.program.graph.tensors.find(({ name }) => name === "w");
  if (w === undefined) throw new Error("no w");
  const cut = { tensor: w.id, how: "cut" } as const;
  expect(faultIn(compiled, plannedFault(compiled, cut))).toEqual(cut);
});

test("where steps have other numbers it is the same collective of the same tensor, or nothing", () => {
  const [first = 0] = collectives();
  const planned = plannedFault(compiled, { step: first, how: "drop" });
  expect(faultIn(compiled, { ...planned, step: 99 })).toEqual({ step: first, how: "drop" });
  expect(faultIn(compiled, { ...planned, tensor: "gone" })).toBeUndefined();
  expect(faultIn(compiled, { ...planned, how: "melt" })).toBeUndefined();
  expect(faultIn(compiled, { how: "cut", tensor: "y" })).toBeUndefined();
});
