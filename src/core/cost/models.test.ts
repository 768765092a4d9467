import { expect, test } from "vitest";
import type { PricedMove } from "#core/reshard";
import { testMesh } from "../plan/graph.testing.ts";
import { modelOf } from "./models.ts";
import { hardware, move } from "./moves.testing.ts";

function model(name: string) {
  const made = modelOf(name, hardware, testMesh({ a: 4 }));
  if (!made.ok) throw new Error(made.diagnostics[0]?.message);
  return made.value;
}

test.each`
  collective          | held    | seconds
  ${"slice"}          | ${4096} | ${0}
  ${"all-gather"}     | ${1024} | ${3 * (1 + 1024)}
  ${"reduce-scatter"} | ${4096} | ${3 * (1 + 1024)}
  ${"all-reduce"}     | ${4096} | ${6 * (1 + 1024)}
  ${"all-to-all"}     | ${4096} | ${3 * (1 + 1024)}
`(
  "[planner-plain §5] plain: $collective of $held bytes over 4",
  ({ collective, held, seconds }) => {
    expect(model("plain").priceMove(move(collective, 4, held, [1, 1]))).toBe(seconds);
  },
);

test.each`
  fabric      | collective          | held    | seconds
  ${"switch"} | ${"all-gather"}     | ${1024} | ${3 + 3072}
  ${"switch"} | ${"reduce-scatter"} | ${4096} | ${3 + 3072}
  ${"switch"} | ${"all-to-all"}     | ${4096} | ${3 + 3072}
  ${"ring"}   | ${"all-gather"}     | ${1024} | ${2 + 3072 / 2}
  ${"ring"}   | ${"all-reduce"}     | ${4096} | ${2 * (2 + 3072 / 2)}
  ${"ring"}   | ${"all-to-all"}     | ${4096} | ${2 + (4 * 4096) / 8}
  ${"line"}   | ${"all-gather"}     | ${1024} | ${3 + 3072}
  ${"line"}   | ${"all-to-all"}     | ${4096} | ${3 + 4096}
`(
  "[planner §2.4] links: $collective on a $fabric of 4",
  ({ fabric, collective, held, seconds }) => {
    const price = model("links").priceMove(move(collective, 4, held, [1, 1], fabric));
    expect(price).toBeCloseTo(seconds, 9);
  },
);

test("[planner §3] book: gathers and the all-reduce of the sharding chapter", () => {
  const { priceMove } = model("book");
  const speed = [1e-6, 45e9] as const;
  const micro = (given: PricedMove) => priceMove(given) * 1e6;
  expect(micro(move("all-gather", 4, (2048 * 8192 * 2) / 4, speed, "ring"))).toBeCloseTo(372.8, 1);
  expect(micro(move("all-gather", 4, (256 * 256 * 2) / 4, speed, "line"))).toBeCloseTo(3, 9);
  expect(micro(move("all-gather", 4, 64, speed, "ring"))).toBeCloseTo(2, 9);
  expect(micro(move("all-reduce", 4, 524_288, speed, "ring"))).toBeCloseTo(11.65, 2);
  expect(micro(move("all-to-all", 4, 524_288, speed, "ring"))).toBeCloseTo(11.65 / 2, 2);
  const [axis] = move("all-gather", 4, 1, speed, "ring").axes;
  const both = axis === undefined ? [] : [axis, axis];
  expect(micro({ collective: "all-gather", axes: both, bytes: 524_288 })).toBeCloseTo(46.6, 1);
});

test.each`
  collective          | held     | alpa                     | prototype
  ${"all-gather"}     | ${16384} | ${49153.1}               | ${49153.1}
  ${"all-reduce"}     | ${65536} | ${98305.01}              | ${98305.01}
  ${"reduce-scatter"} | ${65536} | ${49153.001}             | ${49153.001}
  ${"all-to-all"}     | ${65536} | ${1 + 49152 * 2 + 0.001} | ${1 + 49152 * 1.5 + 0.001}
`("[planner §2.1] alpa: $collective over 4", ({ collective, held, alpa, prototype }) => {
  expect(model("alpa").priceMove(move(collective, 4, held, [1, 1]))).toBeCloseTo(alpa, 9);
  const price = model("alpa-prototype").priceMove(move(collective, 4, held, [1, 1]));
  expect(price).toBeCloseTo(prototype, 9);
});

test("alpa rounds to the nearest unit, its prototype down; both before the constant", () => {
  const given = move("all-reduce", 2, 4096, [2, 10]);
  expect(model("alpa").priceMove(given)).toBeCloseTo(412.01, 9);
  expect(model("alpa-prototype").priceMove(given)).toBeCloseTo(411.01, 9);
});

test.each`
  collective          | held   | micro
  ${"slice"}          | ${4e6} | ${1}
  ${"all-gather"}     | ${1e6} | ${1 + 6.6 + 3 + 3000}
  ${"reduce-scatter"} | ${4e6} | ${1 + 6.6 + 3 + 3000}
  ${"all-reduce"}     | ${4e6} | ${1 + 6.6 + 7 + 7000}
  ${"all-to-all"}     | ${4e6} | ${1 + 5 * (6.6 + 3 + 3000)}
`("[planner §2.1] autoparallel: $collective over 4", ({ collective, held, micro }) => {
  const { priceMove } = model("autoparallel");
  const given = move(collective, 4, held, [1e-6, 1e9]);
  expect(priceMove(given) * 1e6).toBeCloseTo(micro, 6);
  if (collective !== "all-gather") return;
  const copied = (8e6 / (0.7 * 1e12)) * 1e6;
  expect(priceMove({ ...given, from: 1 }) * 1e6).toBeCloseTo(micro + copied, 6);
});

test("[planner §2.2] autoparallel: no kernel is quicker than 7 µs, the peak is reached to 0.7", () => {
  const { computeSeconds } = model("autoparallel");
  const work = { bytes: 1e3, readBytes: 1e3, partialBytes: 0 };
  expect(computeSeconds({ ...work, flops: 1 })).toBeCloseTo(7e-6, 12);
  expect(computeSeconds({ ...work, flops: 7e9 })).toBeCloseTo(1e-2, 12);
});

test("an unknown model is refused with the ones that are known", () => {
  const [fault] = modelOf("plane", hardware, testMesh({ a: 4 })).diagnostics;
  expect(fault?.message).toContain('"plane" is no cost model');
  expect(fault?.message).toContain("plain, links, book, alpa, alpa-prototype, autoparallel");
});
