import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";
import { chipText, linksText, numberText } from "./figures-text.ts";

const body = `x = Tensor((8, 16), "bf16")
h = relu(x)
`;

function meshOf(call: string) {
  const { mesh, diagnostics } = readDocument(`mesh = ${call}\n${body}`);
  const faults = diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
  const { hardware } = mesh.platform ?? {};
  const links = Object.fromEntries(mesh.mesh.axes.map(({ name, link }) => [name, link]));
  return { hardware, links, faults };
}

describe("figures of a mesh", () => {
  test("stand in place of the machine's own, and the name says so", () => {
    const own = meshOf('Mesh(dp=2, tp=4, hardware="8xH100")');
    const other = meshOf(
      'Mesh(dp=2, tp=4, hardware="8xH100", chip={"flops": 800e12, "memory": 60e9}, links={"dp": {"bandwidth": 25e9, "fabric": "ring"}})',
    );
    expect(other.faults).toEqual([]);
    expect(other.hardware).toEqual({
      ...own.hardware,
      name: "8×H100, changed",
      flops: 800e12,
      memoryBytes: 60e9,
    });
    expect(other.links).toEqual({
      tp: own.links["tp"],
      dp: { ...own.links["dp"], bandwidth: 25e9, fabric: "ring" },
    });
  });

  test("stand without a machine too, and may be computed", () => {
    const { hardware, links, faults } = meshOf(
      'Mesh(dp=2, chip=dict(memory_bandwidth=2 * 10**12), links={"dp": {"latency": 0}})',
    );
    expect(faults).toEqual([]);
    expect(hardware).toMatchObject({ name: "A100 40 GB, changed", memoryBandwidth: 2e12 });
    expect(links["dp"]).toEqual({ latency: 0, bandwidth: 300e9 });
  });

  test("leave an axis its name where it is one", () => {
    const { links, faults } = meshOf("Mesh(links=2, chip=4)");
    expect(faults).toEqual([]);
    expect(Object.keys(links)).toEqual(["links", "chip"]);
  });
});

test.each([
  ['chip={"flop": 1}', 'chip takes flops, memory and memory_bandwidth, not "flop"'],
  ['chip={"flops": -1}', '"flops" of a device is a number above 0'],
  ['chip={"memory": "80 GB"}', '"memory" of a device is a number above 0'],
  ['links={"tp": {"bandwidth": 1}}', 'links names "tp", but the mesh has no such axis'],
  ['links={"dp": {"bandwidth": 0}}', "the bandwidth of a link is a number above 0"],
  ['links={"dp": {"latency": -1}}', "the latency of a link is a number of seconds, 0 or more"],
  ['links={"dp": {"fabric": "star"}}', 'the fabric of a link is "switch", "ring" or "line"'],
  ['links={"dp": {"speed": 1}}', 'a link takes bandwidth, latency and fabric, not "speed"'],
])("%s is an error, and the mesh stands", (figures, message) => {
  const { faults, links } = meshOf(`Mesh(dp=2, ${figures})`);
  expect(faults).toEqual([`error: ${message}`]);
  expect(Object.keys(links)).toEqual(["dp"]);
});

test("what is written is read back exactly", () => {
  const positive = fc.double({ min: 1e-12, max: 1e18, noNaN: true });
  fc.assert(
    fc.property(positive, positive, positive, (flops, bandwidth, latency) => {
      expect(Number(numberText(flops))).toBe(flops);
      const figures = {
        chip: { flops },
        links: { dp: { bandwidth, latency, fabric: "line" as const } },
      };
      const call = `Mesh(dp=2, chip=${chipText(figures)}, links=${linksText(figures)})`;
      const { hardware, links, faults } = meshOf(call);
      expect(faults).toEqual([]);
      expect(hardware?.flops).toBe(flops);
      expect(links["dp"]).toEqual(figures.links.dp);
    }),
    { seed: 7, numRuns: 60 },
  );
});

test.each([
  [450e9, "450e9"],
  [3e-6, "3e-6"],
  [989e12, "989e12"],
  [0, "0"],
  [0.7, "700e-3"],
  [12.5, "12.5"],
])("%d is written %s", (value, text) => {
  expect(numberText(value)).toBe(text);
});
