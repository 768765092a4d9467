import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ownHardwarePlatform } from "#core/cost/machines";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";
import { chipText, linksText, numberText, ownHardwareText } from "./edit/figures-text.ts";

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
      peaks: { ...own.hardware?.peaks, bf16: 800e12, f16: 800e12 },
      memoryBytes: 60e9,
      basis: "scaled",
      given: { from: { machine: "8×H100" }, words: ["flops", "memoryBytes", "links.dp"] },
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

const words =
  "flops, memory, memory_bandwidth, launch, node, multiprocessors, crowding, peaks and efficiencies";

test.each([
  ['chip={"flop": 1}', `chip takes ${words}, not "flop"`],
  [
    'chip={"flops": -1}',
    '"flops" of a device is a number of 16-bit operations per second above 0, like 989e12',
  ],
  ['chip={"memory": "80 GB"}', '"memory" of a device is a number of bytes above 0, like 80e9'],
  ['chip={"launch": -1}', '"launch" of a device is a number of seconds, 0 or more, like 9e-6'],
  ['chip={"node": 2.5}', '"node" of a device is a whole number of devices, 1 or more'],
  ['chip={"peaks": {"f64": 1e12}}', '"peaks" takes bf16, f16, tf32, f32, f8 and int8, not "f64"'],
  [
    'chip={"efficiencies": {"matmul": 70}}',
    '"matmul" of "efficiencies" is a share above 0 and at most 1, like 0.7',
  ],
  [
    'chip={"flops": 1e12, "peaks": {"bf16": 2e12}}',
    '"flops" is the peak of bf16: "peaks" says another one',
  ],
  ['links={"tp": {"bandwidth": 1}}', 'links names "tp", but the mesh has no such axis'],
  [
    'links={"dp": {"bandwidth": 0}}',
    "the bandwidth of a link is a number of bytes per second above 0, like 50e9",
  ],
  ['links={"dp": {"latency": -1}}', "the latency of a link is a number of seconds, 0 or more"],
  [
    'links={"dp": {"reached": 1.2}}',
    "what a link reaches is a share of its bandwidth above 0 and at most 1, like 0.9",
  ],
  ['links={"dp": {"fabric": "star"}}', 'the fabric of a link is "switch", "ring" or "line"'],
  [
    'links={"dp": {"speed": 1}}',
    'a link takes bandwidth, latency, fabric and reached, not "speed"',
  ],
  [
    "hardware=8",
    'hardware is the name of a machine, like "8xH100", or figures of a device: {"chip": "H100", "flops": 800e12}',
  ],
  [
    'hardware={"flops": 1e15}',
    'hardware lacks "memory", "memory_bandwidth", "within": give them, or begin from a machine with "chip": "H100"',
  ],
  [
    'hardware={"flops": 1e15, "memory": 8e10, "memory_bandwidth": 2e12, "links": {}}',
    'hardware lacks "links.dp": give them, or begin from a machine with "chip": "H100"',
  ],
  [
    'hardware={"chip": "H100", "memry": 1}',
    `hardware takes chip, name, within, between, links, ${words}, not "memry"`,
  ],
  [
    'hardware={"chip": "H100", "links": {"tp": {"bandwidth": 1e9}}}',
    'links names "tp", but the mesh has no such axis',
  ],
  [
    'hardware={"chip": "H100", "within": {"bandwidth": "fast"}}',
    "the bandwidth of a link is a number of bytes per second above 0, like 50e9",
  ],
])("%s is an error, and the mesh stands", (figures, message) => {
  const { faults, links } = meshOf(`Mesh(dp=2, ${figures})`);
  expect(faults).toEqual([`error: ${message}`]);
  expect(Object.keys(links)).toEqual(["dp"]);
});

test.each([
  [
    'hardware={"chip": "H100", "memry": 1}',
    "memry",
    'Write "memory"',
    'hardware={"chip": "H100", "memory": 1}',
  ],
  [
    'hardware=dict(chip="H100", memry=1)',
    "memry",
    "Write memory",
    'hardware=dict(chip="H100", memory=1)',
  ],
  ['hardware={"chip": "H10"}', "H10", 'Write "H100"', 'hardware={"chip": "H100"}'],
  ['chip={"memory": "80 GB"}', "80 GB", "Write 80e9", 'chip={"memory": 80e9}'],
  [
    'links={"dp": {"bandwith": 5e9}}',
    "bandwith",
    'Write "bandwidth"',
    'links={"dp": {"bandwidth": 5e9}}',
  ],
])("%s is mended where it is wrong", (figures, at, title, mended) => {
  const source = `mesh = Mesh(dp=2, ${figures})\n${body}`;
  const [fault, ...more] = readDocument(source).diagnostics;
  expect(more).toEqual([]);
  expect(source.slice(fault?.span?.from, fault?.span?.to)).toContain(at);
  const [fix] = fault?.fixes ?? [];
  expect(fix?.title).toBe(title);
  expect(applyEdits(source, fix?.edits ?? [])).toBe(`mesh = Mesh(dp=2, ${mended})\n${body}`);
});

test.each([
  ['chip={"flops": 989}', "989e12"],
  ['hardware={"chip": "H100", "memory": 80}', "80e9"],
  ['hardware={"chip": "H100", "memory_bandwidth": 3.35}', "3.35e12"],
  ['chip={"launch": 9}', "9e-6"],
])("document/unlikely-figure: %s is taken as it is, and %s is offered", (figures, meant) => {
  const { diagnostics } = readDocument(`mesh = Mesh(dp=2, ${figures})\n${body}`);
  expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "warning document/unlikely-figure",
  ]);
  expect(diagnostics[0]?.fixes?.[0]?.title).toBe(`Write ${meant}`);
});

describe("a device of one's own", () => {
  test("begins from a machine, whose other figures and links it keeps", () => {
    const own = meshOf('Mesh(dp=2, tp=8, hardware="16xH100")');
    const { hardware, links, faults } = meshOf(
      'Mesh(dp=2, tp=8, hardware={"name": "Mine", "chip": "16xH100", "peaks": {"f8": 3e15}, "launch": 2e-6, "between": {"bandwidth": 10e9}})',
    );
    expect(faults).toEqual([]);
    expect(hardware).toEqual({
      ...own.hardware,
      name: "Mine",
      peaks: { ...own.hardware?.peaks, f8: 3e15 },
      launch: 2e-6,
      basis: "scaled",
      given: {
        from: {
          machine: "16xH100",
          between: { ...own.links["dp"], bandwidth: 10e9 },
        },
        words: ["launch", "f8"],
      },
    });
    expect(links["tp"]).toEqual(own.links["tp"]);
    expect(links["dp"]).toEqual({ ...own.links["dp"], bandwidth: 10e9 });
  });

  test("has the links of its nodes", () => {
    const { links } = meshOf('Mesh(dp=2, tp=4, hardware={"chip": "8xH100", "node": 4})');
    expect([links["dp"]?.bandwidth, links["tp"]?.bandwidth]).toEqual([50e9, 450e9]);
  });

  test("is described from nothing, and then nothing of it is measured", () => {
    const { hardware, links, faults } = meshOf(
      'Mesh(dp=2, tp=4, hardware={"flops": 1e14, "memory": 32e9, "memory_bandwidth": 1e12, "node": 4, "within": {"bandwidth": 64e9, "latency": 2e-6}, "between": {"bandwidth": 3e9, "latency": 5e-6}})',
    );
    expect(faults).toEqual([]);
    expect(hardware).toMatchObject({
      ...{ name: "given hardware", flops: 1e14, peaks: { bf16: 1e14, f16: 1e14 }, launch: 0 },
      ...{ basis: "sheet", memoryBytes: 32e9, memoryBandwidth: 1e12, node: 4 },
      link: { bandwidth: 64e9, latency: 2e-6 },
    });
    expect(links).toEqual({
      dp: { bandwidth: 3e9, latency: 5e-6 },
      tp: { bandwidth: 64e9, latency: 2e-6 },
    });
  });

  test("is read back as it is written", () => {
    const link = fc.record({
      bandwidth: fc.integer({ min: 1, max: 1000 }).map((n) => n * 1e9),
      latency: fc.integer({ min: 0, max: 100 }).map((n) => n / 1e6),
    });
    const rate = fc.integer({ min: 1, max: 9999 }).map((n) => n * 1e11);
    const share = fc.integer({ min: 1, max: 100 }).map((n) => n / 100);
    const devices = fc.record({
      from: fc.record({ machine: fc.constantFrom("8xH100", "TPU v5p", "16xMI300X") }),
      figures: fc.record({
        name: fc.constantFrom("Mine", 'a "quoted" one'),
        chip: fc.record({
          flops: rate,
          launch: fc.constant(3e-6),
          peaks: fc.record({ f32: rate, int8: rate }, { requiredKeys: ["f32"] }),
          efficiencies: fc.record({ matmul: share, memory: share }, { requiredKeys: ["memory"] }),
        }),
        links: fc.record({ dp: link }, { requiredKeys: [] }),
      }),
    });
    const holds = fc.property(devices, (own) => {
      const { hardware, faults, links } = meshOf(`Mesh(dp=2, hardware=${ownHardwareText(own)})`);
      expect(faults.filter((each) => !each.includes("devices, but the mesh"))).toEqual([]);
      const platform = ownHardwarePlatform(own);
      expect(hardware).toEqual(platform.hardware);
      const [axis] = platform.link({ axes: [{ name: "dp", size: 2 }], devices: [0, 1] }).axes;
      expect(links["dp"]).toEqual(axis?.link);
    });
    fc.assert(holds, { seed: 11, numRuns: 40 });
  });
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
      expect(faults.filter((each) => each.startsWith("error"))).toEqual([]);
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
