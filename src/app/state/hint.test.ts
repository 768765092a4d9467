import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { applyGesture } from "#edit";
import { hintOf } from "./hint.ts";

test.each(examples)(
  "$name: what the hint names can be done as it says, and saves bytes",
  (example) => {
    const { program, plan, hint: wanted } = example;
    const compiled = compile(program, plan === undefined ? {} : { planText: plan });
    const hint = hintOf(wanted, compiled);
    expect(hint === undefined).toBe(wanted === undefined);
    if (hint === undefined) return;
    const axis = compiled.mesh.mesh.axes[(hint.key ?? 0) - 1]?.name;
    expect(axis).toBe(hint.axis);
    const outcome = applyGesture(program, { kind: "split", ...hint.target, axis: hint.axis });
    expect(outcome.ok).toBe(true);
    if (!outcome.ok) return;
    expect(outcome.source).not.toBe(program);
    const after = compile(outcome.source);
    expect(after.cost.bytes).toBeLessThan(compiled.cost.bytes);
    expect(hintOf(wanted, after)).toBe(undefined);
  },
);

const [hinted] = examples.filter(({ hint }) => hint !== undefined);

/** The hint of the hinted example on another mesh. */
function onMesh(axes: string): ReturnType<typeof hintOf> {
  const program = hinted?.program.replace(/Mesh\(.*?\)/u, `Mesh(${axes})`) ?? "";
  return hintOf(hinted?.hint, compile(program));
}

test("the key is that of the axis in the mesh as it is, and there is none beyond the digits", () => {
  expect(onMesh("dp=2, mp=2")?.key).toBe(2);
  expect(onMesh("mp=2, dp=2")?.key).toBe(1);
  const others = Array.from({ length: 8 }, (_, at) => `a${at}=1`).join(", ");
  const last = onMesh(`${others}, dp=2, mp=2`);
  expect(last?.axis).toBe("mp");
  expect(last?.key).toBe(undefined);
});

test("without the axis, the tensor or anything to save there is no hint", () => {
  expect(onMesh("dp=2, tp=2")).toBe(undefined);
  const compiled = compile(hinted?.program ?? "");
  expect(hintOf({ tensor: "w9", dim: 0, axis: "mp" }, compiled)).toBe(undefined);
  expect(hintOf({ tensor: "w2", dim: 2, axis: "mp" }, compiled)).toBe(undefined);
  expect(hintOf(hinted?.hint, undefined)).toBe(undefined);
});
