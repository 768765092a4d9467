import fc from "fast-check";
import { expect, test } from "vitest";
import { createMesh, type Link, parseLayout } from "#core/mesh";
import {
  collectiveSeconds,
  createPermute,
  createStep,
  defaultLink,
  explainSeconds,
  receivedElements,
  stepSeconds,
} from "./index.ts";
import { passedValue, readMoves, testExchange } from "./steps.testing.ts";

const fast: Link = { latency: 1, bandwidth: 100 };
const slow: Link = { latency: 2, bandwidth: 10 };

test.each`
  collective              | elements
  ${"slice"}              | ${0}
  ${"all-gather"}         | ${36}
  ${"reduce-scatter"}     | ${9}
  ${"all-to-all"}         | ${9}
  ${"all-reduce"}         | ${18}
  ${"collective-permute"} | ${12}
`(
  "$collective in a group of 4 with 12 local elements brings $elements",
  ({ collective, elements }) => {
    expect(receivedElements(collective, { groupSize: 4, localElements: 12 })).toBe(elements);
    expect(receivedElements(collective, { groupSize: 1, localElements: 12 })).toBe(0);
  },
);

test.each`
  collective              | n    | bytes  | fabric       | seconds
  ${"slice"}              | ${4} | ${100} | ${undefined} | ${0}
  ${"all-gather"}         | ${4} | ${100} | ${undefined} | ${3 + 1}
  ${"reduce-scatter"}     | ${4} | ${100} | ${"switch"}  | ${3 + 1}
  ${"all-to-all"}         | ${4} | ${100} | ${"switch"}  | ${3 + 1}
  ${"all-reduce"}         | ${4} | ${100} | ${undefined} | ${6 + 1}
  ${"collective-permute"} | ${4} | ${100} | ${undefined} | ${1 + 1}
  ${"exchange"}           | ${3} | ${100} | ${undefined} | ${2 + 1}
  ${"all-gather"}         | ${1} | ${100} | ${undefined} | ${0}
  ${"all-gather"}         | ${4} | ${0}   | ${undefined} | ${0}
  ${"all-gather"}         | ${5} | ${100} | ${"ring"}    | ${3 + 0.5}
  ${"all-reduce"}         | ${4} | ${100} | ${"ring"}    | ${4 + 0.5}
  ${"all-to-all"}         | ${4} | ${75}  | ${"ring"}    | ${2 + 0.5}
  ${"all-to-all"}         | ${4} | ${75}  | ${"line"}    | ${3 + 1}
  ${"all-gather"}         | ${4} | ${100} | ${"line"}    | ${3 + 1}
`("$collective over $n on $fabric takes $seconds", ({ collective, n, bytes, fabric, seconds }) => {
  const links = [{ ...fast, fabric }];
  expect(collectiveSeconds(collective, { groupSize: n, bytes, links })).toBeCloseTo(seconds, 12);
});

test("a fused collective takes the largest latency and the smallest bandwidth", () => {
  const load = { groupSize: 2, bytes: 100, launch: 0.5 };
  const links = [fast, { latency: 0.1, bandwidth: 10 }];
  expect(collectiveSeconds("all-gather", { ...load, links })).toBeCloseTo(0.5 + 1 + 10, 12);
  expect(collectiveSeconds("all-gather", { ...load, links: [] })).toBeCloseTo(0.5, 5);
});

test("a link of which collectives reach a share is as slow as one with that share of its bandwidth", () => {
  const load = { groupSize: 4, bytes: 1000 };
  const [reached, slower] = [
    { ...fast, reached: 0.5 },
    { ...fast, bandwidth: fast.bandwidth / 2 },
  ];
  for (const collective of ["all-gather", "all-reduce", "all-to-all"] as const) {
    const seconds = collectiveSeconds(collective, { ...load, links: [reached] });
    expect(seconds).toBe(collectiveSeconds(collective, { ...load, links: [slower] }));
    expect(explainSeconds(collective, { ...load, links: [reached] }).value).toBeCloseTo(
      seconds,
      12,
    );
  }
});

test("over nodes a collective is one between nodes and one inside them", () => {
  const inner = { latency: 1, bandwidth: 100, fabric: "ring" as const };
  const outer: Link = { latency: 2, bandwidth: 10 };
  const given = fc.record({
    devices: fc.integer({ min: 2, max: 9 }),
    nodes: fc.integer({ min: 2, max: 9 }),
    local: fc.integer({ min: 1, max: 10_000 }),
    collective: fc.constantFrom("all-gather", "reduce-scatter", "all-reduce", "all-to-all"),
  });
  const check = ({ devices, nodes, local, collective }: Given) => {
    const groupSize = devices * nodes;
    const link: Link = { ...outer, fabric: "two-level", inner: { ...inner, devices, nodes } };
    const taken = (size: number, localElements: number, links: readonly Link[]) => {
      const bytes = receivedElements(collective, { groupSize: size, localElements });
      return collectiveSeconds(collective, { groupSize: size, bytes, links });
    };
    // A gather runs between nodes first and within nodes last; a scatter is the reverse.
    const [between, inside] = shares(collective, nodes, devices);
    const sent = [
      taken(nodes, local * between, [{ ...outer, latency: 0 }]),
      taken(devices, local * inside, [{ ...inner, latency: 0 }]),
    ];
    const one = taken(nodes, local * between, [outer]) + taken(devices, local * inside, [inner]);
    // The shorter transfer is hidden by the longer one; latencies add up.
    const both = one - Math.min(...sent);
    expect(taken(groupSize, local, [link]) / both).toBeCloseTo(1, 9);
    // A part of the axis, and an axis beside it, use the link between nodes alone.
    expect(taken(groupSize + 1, local, [link])).toBe(taken(groupSize + 1, local, [outer]));
    expect(taken(groupSize, local, [link, fast])).toBe(taken(groupSize, local, [outer, fast]));
  };
  fc.assert(fc.property(given, check), { seed: 7, numRuns: 200 });
});

/**
 * The shares of its own bytes that a device sends in the stage between nodes and in the one inside.
 */
function shares(
  collective: Given["collective"],
  nodes: number,
  devices: number,
): readonly [number, number] {
  if (collective === "all-gather") return [1, nodes];
  return collective === "all-to-all" ? [1, 1] : [1 / devices, 1];
}

interface Given {
  readonly devices: number;
  readonly nodes: number;
  readonly local: number;
  readonly collective: "all-gather" | "reduce-scatter" | "all-reduce" | "all-to-all";
}

const mesh = passedValue(
  createMesh([
    { name: "x", size: 2, link: slow },
    { name: "y", size: 2, link: fast },
    { name: "z", size: 2 },
  ]),
);
const read = (text: string) => passedValue(parseLayout(text, mesh));

test.each`
  moves              | seconds
  ${"y 1.0>"}        | ${1 + 128 / 100}
  ${"x 0.0>"}        | ${2 + 128 / 10}
  ${"x 0.0>;y 1.0>"} | ${6 + 384 / 10}
`("gathering [$moves] of 16 float64 elements a device takes $seconds", ({ moves, seconds }) => {
  const step = createStep(read("x,y"), "all-gather", readMoves(mesh, moves), [8, 8]);
  expect(stepSeconds(step, [8, 8], 8)).toBeCloseTo(seconds, 12);
});

test("an axis without a link has the default one", () => {
  const step = createStep(read("z,_"), "all-gather", readMoves(mesh, "z 0.0>"), [8, 8]);
  const expected = defaultLink.latency + 256 / defaultLink.bandwidth;
  expect(stepSeconds(step, [8, 8], 8)).toBeCloseTo(expected, 15);
  expect(stepSeconds(step, [8, 8], 8, { fallback: fast, launch: 3 })).toBeCloseTo(4 + 2.56, 12);
});

test("an exchange waits for its peers and for the busier of sending and receiving", () => {
  const step = testExchange(read("y,_"), read("_,y"), [8, 8]);
  expect(stepSeconds(step, [8, 8], 8)).toBeCloseTo(1 + 128 / 100, 12);
  expect(stepSeconds(testExchange(read("y,_"), read("y,_"), [8, 8]), [8, 8], 8)).toBe(0);
});

test("a permute between arrangements takes one hop", () => {
  const other = { ...mesh, devices: [2, 3, 0, 1, 6, 7, 4, 5] };
  const step = createPermute(read("y,_"), passedValue(parseLayout("y,_", other)), [8, 8]);
  expect(step && stepSeconds(step, [8, 8], 8)).toBeCloseTo(1 + 256 / 100, 12);
});
