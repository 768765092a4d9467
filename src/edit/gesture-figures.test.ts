import { expect, test } from "vitest";
import { compile } from "#compile";
import type { MachineFigures } from "#core/cost/machines";
import { applyGesture } from "./gesture.ts";
import type { MeshGesture } from "./gesture-kinds.ts";

const body = `x = Tensor((64, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
h = matmul(x, w)
strategy(h, k="tp")
`;

function edited(source: string, gesture: MeshGesture): string {
  const outcome = applyGesture(source, gesture);
  return outcome.ok ? outcome.source : outcome.reason;
}

const set = (chip: MachineFigures["chip"], links: MachineFigures["links"] = {}): MeshGesture => ({
  kind: "set-figures",
  figures: { chip, links },
});

const named = (chip: MachineFigures["chip"], links: MachineFigures["links"] = {}): MeshGesture => ({
  kind: "set-figures",
  figures: { chip, links, name: "Mine" },
});

const described = { memoryBytes: 32e9, memoryBandwidth: 1e12 };
const nothing =
  '{"flops": 100e12, "memory": 32e9, "memory_bandwidth": 1e12, "within": {"bandwidth": 64e9, "latency": 2e-6}}';

const linked = 'Mesh(dp=2, tp=4, hardware="8xH100", links={"tp": {"bandwidth": 50e9}})';

test.each([
  [
    'Mesh(dp=2, tp=4, hardware="8xH100")',
    set({ flops: 8e14 }, { tp: { fabric: "ring" } }),
    'Mesh(dp=2, tp=4, hardware="8xH100", chip={"flops": 800e12}, links={"tp": {"fabric": "ring"}})',
  ],
  ["Mesh(dp=2, tp=4)", set({ memoryBytes: 24e9 }), 'Mesh(dp=2, tp=4, chip={"memory": 24e9})'],
  [
    linked,
    set({}, { tp: { bandwidth: 5e9 }, dp: { latency: 2e-5 } }),
    'Mesh(dp=2, tp=4, hardware="8xH100", links={"tp": {"bandwidth": 5e9}, "dp": {"latency": 20e-6}})',
  ],
  [linked, set({}), 'Mesh(dp=2, tp=4, hardware="8xH100")'],
  [linked, { kind: "set-hardware", hardware: "8xA100" }, 'Mesh(dp=2, tp=4, hardware="8xA100")'],
  [
    linked,
    { kind: "resize-axis", axis: "dp", size: 4 },
    'Mesh(dp=4, tp=4, hardware="8xH100", links={"tp": {"bandwidth": 50e9}})',
  ],
  [
    linked,
    { kind: "add-axis", axis: "pp", size: 2 },
    'Mesh(dp=2, tp=4, pp=2, hardware="8xH100", links={"tp": {"bandwidth": 50e9}})',
  ],
  [
    'Mesh(dp=2, tp=4, hardware="8xH100")',
    set({ node: 4, peaks: { f8: 3e15 } }),
    'Mesh(dp=2, tp=4, hardware="8xH100", chip={"node": 4, "peaks": {"f8": 3e15}})',
  ],
  [
    linked,
    named({ flops: 8e14 }, { dp: { latency: 2e-5 } }),
    'Mesh(dp=2, tp=4, hardware={"name": "Mine", "chip": "8xH100", "flops": 800e12, "links": {"dp": {"latency": 20e-6}}})',
  ],
  [
    "Mesh(dp=2, tp=4)",
    named({ memoryBytes: 24e9 }),
    'Mesh(dp=2, tp=4, hardware={"name": "Mine", "chip": "A100 40GB", "memory": 24e9})',
  ],
  [
    'Mesh(dp=2, tp=4, hardware={"chip": "8xH100", "flops": 1e15}, chip={"memory": 9e10})',
    set({ flops: 9e14 }),
    'Mesh(dp=2, tp=4, hardware={"chip": "8xH100", "flops": 900e12})',
  ],
  [
    'Mesh(dp=2, tp=4, hardware={"chip": "8xH100", "flops": 1e15})',
    set({}),
    'Mesh(dp=2, tp=4, hardware="8xH100")',
  ],
  [
    `Mesh(dp=2, tp=4, hardware=${nothing})`,
    set({ ...described, flops: 2e14 }),
    `Mesh(dp=2, tp=4, hardware=${nothing.replace("100e12", "200e12")})`,
  ],
  [
    `Mesh(dp=2, tp=4, hardware=${nothing})`,
    { kind: "set-hardware", hardware: "8xA100" },
    'Mesh(dp=2, tp=4, hardware="8xA100")',
  ],
] as const)("%s", (before, gesture, after) => {
  expect(edited(`mesh = ${before}\n${body}`, gesture as MeshGesture)).toBe(
    `mesh = ${after}\n${body}`,
  );
});

test("the link of an axis goes with it", () => {
  const after = edited(`mesh = ${linked}\n${body}`, { kind: "remove-axis", axis: "tp" });
  expect(after).toContain('mesh = Mesh(dp=2, hardware="8xH100")\n');
});

test("the link of an axis goes with it from a device of one's own", () => {
  const device = '{"chip": "8xH100", "links": {"tp": {"bandwidth": 5e9}, "dp": {"latency": 1e-6}}}';
  const before = `mesh = Mesh(dp=2, tp=4, hardware=${device})\n${body}`;
  expect(edited(before, { kind: "remove-axis", axis: "tp" })).toContain(
    'mesh = Mesh(dp=2, hardware={"chip": "8xH100", "links": {"dp": {"latency": 1e-6}}})\n',
  );
});

test("a slower link takes its share of the time more, a machine without figures its own", () => {
  const own = compile(`mesh = Mesh(dp=2, tp=4, hardware="8xH100")\n${body}`);
  const slow = compile(`mesh = ${linked}\n${body}`);
  expect(slow.hardware.name).toBe("8×H100, changed");
  expect(slow.hardwareStatus).toBe("set");
  const [before, after] = [own, slow].map(({ cost }) => cost.communicationSeconds);
  const bytes = own.cost.bytes;
  const reached = own.mesh.mesh.axes.at(-1)?.link?.reached ?? 1;
  const more = (bytes / 50e9 - bytes / 450e9) / reached;
  // Short messages do not saturate a fast link, so a slower link costs them less.
  expect(((after ?? 0) - (before ?? 0)) / more).toBeGreaterThan(0.9);
  expect(((after ?? 0) - (before ?? 0)) / more).toBeLessThan(1.1);
  expect(slow.cost.computeSeconds).toBe(own.cost.computeSeconds);
});
