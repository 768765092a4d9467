import fc from "fast-check";
import { expect, test } from "vitest";
import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import { type Layout, slicesOf } from "#core/mesh";
import { twoMatmuls } from "../fixture.testing.ts";
import { evenlyLaid, laid, layoutOf, runs } from "../graph/layouts.testing.ts";
import { commSummary } from "../text/comm-summary.ts";
import { redistributed } from "../text/redistribution.testing.ts";
import type { Frame, HeldBlock } from "./frame.ts";
import { frameScene } from "./frame-scene.ts";
import { framesOf, ringFramesOf } from "./frames.ts";

/** Two layouts of one tensor on one mesh; the second has no partials that the first lacks. */
const changes = fc
  .tuple(fc.oneof(laid, evenlyLaid), fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }))
  .map(([{ layout, shape }, places]) => {
    const dims = shape.map((_, dim) => ({
      parts: layout.mesh.axes.flatMap(({ name, size }, at) =>
        (places[at] ?? 0) === dim ? [{ kind: "axis" as const, axis: name, before: 1, size }] : [],
      ),
      chunks: "flat" as const,
    }));
    return { from: layout, to: { ...layout, dims, partials: [] }, shape };
  });

function frames(
  mesh: string,
  from: string,
  to: string,
  shape: readonly number[],
): readonly Frame[] {
  return framesOf(redistributed(layoutOf(mesh, from), layoutOf(mesh, to), shape), 0);
}

test("bytes and seconds of the frames are those of the program's steps", () => {
  fc.assert(
    fc.property(changes, ({ from, to, shape }) => {
      const compiled = redistributed(from, to, shape);
      const shown = framesOf(compiled, 0);
      const steps = compiled.program.stages.flatMap((stage) => stage.steps);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const collectives = steps.flatMap((step) => (step.kind === "collective" ? [step] : []));
      expect(sum(shown.map(({ bytes }) => bytes))).toBeCloseTo(
        sum(collectives.map(({ bytes }) => bytes)),
        6,
      );
      expect(sum(shown.map(({ seconds }) => seconds))).toBeCloseTo(
        sum(collectives.map(({ seconds }) => seconds)),
        12,
      );
    }),
    runs(60),
  );
});

test("before and after, the drawn devices hold exactly their slices", () => {
  fc.assert(
    fc.property(changes, ({ from, to, shape }) => {
      for (const frame of framesOf(redistributed(from, to, shape), 0)) {
        for (const { device, before, after } of frame.devices) {
          if (frame.half !== "second") expectCover(before, frame.before, shape, device);
          if (frame.half !== "first") expectCover(after, frame.after, shape, device);
        }
      }
    }),
    runs(60),
  );
});

test.each([
  ["_,mp", "_,_", 1],
  ["_,_|mp", "mp,_", 1],
  ["mp,_", "_,mp", 1],
  ["_,_|mp", "_,_", 2],
])(
  "[%s] to [%s]: what each drawn device receives adds up to the frame's bytes",
  (from, to, count) => {
    const shown = frames("dp=2,mp=4", from, to, [64, 64]);
    expect(shown).toHaveLength(count);
    for (const { devices, transfers, bytes } of shown) {
      for (const { device } of devices) {
        const received = transfers.filter((transfer) => transfer.to === device);
        expect(received.reduce((sum, transfer) => sum + transfer.bytes, 0)).toBe(bytes);
      }
    }
  },
);

test.each([
  ["_,mp", "_,_", 3],
  ["_,_|mp", "mp,_", 3],
  ["_,_|mp", "_,_", 6],
])("[%s] to [%s] goes round a ring in %i hops of one piece each", (from, to, count) => {
  const compiled = redistributed(layoutOf("dp=2,mp=4", from), layoutOf("dp=2,mp=4", to), [64, 64]);
  const [whole] = framesOf(compiled, 0);
  const hops = ringFramesOf(compiled, 0);
  expect(hops).toHaveLength(count);
  const bytes = framesOf(compiled, 0).reduce((sum, frame) => sum + frame.bytes, 0);
  expect(hops.reduce((sum, frame) => sum + frame.bytes, 0)).toBe(bytes);
  for (const { group, devices, transfers, bytes: each } of hops) {
    expect(transfers.map(({ from: sender, to: receiver }) => [sender, receiver])).toEqual(
      group.map((device, at) => [device, group[(at + 1) % group.length]]),
    );
    expect(transfers.map((transfer) => transfer.bytes)).toEqual(devices.map(() => each));
  }
  const boxesOf = (frame: Frame | undefined) =>
    frame?.devices.map(({ after }) => after.map(({ box }) => JSON.stringify(box)).toSorted());
  const last = framesOf(compiled, 0).at(-1);
  expect(boxesOf(hops.at(-1))).toEqual(boxesOf(last));
  expect(hops.at(-1)?.devices.every(({ after }) => after.every((block) => !block.isPartial))).toBe(
    true,
  );
  for (const [at, hop] of hops.slice(1).entries()) {
    const before = hop.devices.map((device) => device.before);
    expect(before).toEqual(hops[at]?.devices.map((device) => device.after));
  }
  expect(whole?.canGoRound).toBe(true);
});

test.each([
  ["dp=2,mp=4", "mp,_", "_,mp", [64, 64]],
  ["dp=2,mp=4", "dp,mp", "dp*mp,_", [64, 64]],
  ["mp=4", "mp,_", "_,mp", [10, 7]],
  ["mp=5", "mp,_", "_,mp", [25, 10]],
  ["dp=2,mp=3", "dp*mp,_", "_,dp*mp", [12, 12]],
  ["dp=2,mp=3", "mp*dp,_", "_,mp*dp", [12, 12]],
])("an all-to-all on %s from [%s] to [%s] trades round by round", (mesh, from, to, shape) => {
  const compiled = redistributed(layoutOf(mesh, from), layoutOf(mesh, to), shape);
  const [whole] = framesOf(compiled, 0);
  if (whole === undefined || whole.collective !== "all-to-all") throw new Error("no all-to-all");
  const rounds = ringFramesOf(compiled, 0);
  const { group, devices } = whole;
  expect(rounds).toHaveLength(group.length - 1);
  expect(rounds.reduce((sum, frame) => sum + frame.bytes, 0)).toBeCloseTo(whole.bytes, 9);
  expect(rounds.reduce((sum, frame) => sum + frame.seconds, 0)).toBeCloseTo(whole.seconds, 15);
  for (const [at, { transfers }] of rounds.entries()) {
    for (const transfer of transfers) {
      const further = group.indexOf(transfer.to) - group.indexOf(transfer.from);
      expect((further + group.length) % group.length).toBe(at + 1);
    }
  }
  const sent = rounds.flatMap(({ transfers }) => transfers).map((each) => JSON.stringify(each));
  expect(sent.toSorted()).toEqual(whole.transfers.map((each) => JSON.stringify(each)).toSorted());
  const boxesOf = (blocks: readonly HeldBlock[] | undefined) =>
    blocks?.map(({ box }) => JSON.stringify(box)).toSorted();
  for (const [at, { before, after }] of devices.entries()) {
    expect(boxesOf(rounds[0]?.devices[at]?.before)).toEqual(boxesOf(before));
    expect(boxesOf(rounds.at(-1)?.devices[at]?.after)).toEqual(boxesOf(after));
  }
  for (const [at, round] of rounds.slice(1).entries()) {
    expect(round.devices.map((device) => device.before)).toEqual(
      rounds[at]?.devices.map((device) => device.after),
    );
  }
});

test("bytes and seconds hop by hop are those of the program's steps", () => {
  fc.assert(
    fc.property(changes, ({ from, to, shape }) => {
      const compiled = redistributed(from, to, shape);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const [once, hops] = [framesOf(compiled, 0), ringFramesOf(compiled, 0)];
      const bytes = (frames: readonly Frame[]) => sum(frames.map((frame) => frame.bytes));
      const seconds = (frames: readonly Frame[]) => sum(frames.map((frame) => frame.seconds));
      expect(bytes(hops)).toBeCloseTo(bytes(once), 6);
      expect(seconds(hops)).toBeCloseTo(seconds(once), 12);
    }),
    runs(60),
  );
});

test.each([
  ["mp,_", "_,_", "A gather removes a subscript: i@mp becomes i."],
  ["_,_", "mp,_", "A slice adds a subscript and sends nothing: i becomes i@mp."],
  [
    "_,_|mp",
    "mp,_",
    "A reduce-scatter turns an unsummed axis into a subscript: i{Σ mp} becomes i@mp.",
  ],
  [
    "mp,_",
    "_,mp",
    "An all-to-all moves a subscript: i@mp, j becomes i, j@mp; about a quarter of a gather on a ring.",
  ],
])("[%s] to [%s]: %s", (from, to, rule) => {
  expect(frames("dp=2,mp=4", from, to, [64, 64])[0]?.rule).toBe(rule);
});

test("the gather of two matmuls shows one group and says what the other does", () => {
  const [frame] = framesOf(twoMatmuls, 0);
  expect(frame?.group).toEqual([0, 1]);
  expect(frame?.groupsText).toBe("Group {0, 1} shown; {2, 3} does the same.");
  expect(frame?.caption).toBe(
    "all-gather over mp: each device receives the parts of h along f that it lacks, 1.05 MB.",
  );
  const told = frame?.devices.map(({ before, after }) =>
    [before, after].map((blocks) => blocks.map(({ text }) => text)),
  );
  expect(told).toEqual([
    [["f 0…2047"], ["f 0…2047", "f 2048…4095"]],
    [["f 2048…4095"], ["f 2048…4095", "f 0…2047"]],
  ]);
});

test("blocks keep the colour of the device that they come from", () => {
  const [frame] = frames("mp=4", "mp,_", "_,mp", [8, 8]);
  for (const { after } of frame?.devices ?? []) {
    expect(after.map(({ coordinate }) => coordinate).sort()).toEqual([0, 1, 2, 3]);
  }
});

test("an all-reduce adds up first and gathers then", () => {
  const shown = frames("mp=2", "_,_|mp", "_,_", [8, 8]);
  expect(shown.map(({ half }) => half)).toEqual(["first", "second"]);
  expect(shown.map(({ transfers }) => transfers.every(({ isAdded }) => isAdded))).toEqual([
    true,
    false,
  ]);
  const partials = shown.flatMap(({ devices }) =>
    devices.map(({ before }) => before.every(({ isPartial }) => isPartial)),
  );
  expect(partials).toEqual([true, true, false, false]);
});

test.each`
  partial      | joined
  ${"mp"}      | ${"each device adds up one piece of t"}
  ${"max(mp)"} | ${"each device finds the largest values of one piece of t"}
  ${"min(mp)"} | ${"each device finds the smallest values of one piece of t"}
`("an all-reduce of parts over $partial says how they become one", ({ partial, joined }) => {
  const [first] = frames("mp=2", `_,_|${partial}`, "_,_", [8, 8]);
  expect(first?.caption).toContain(joined);
});

test("a slice moves nothing", () => {
  const [frame] = frames("mp=2", "_,_", "_,mp", [8, 8]);
  expect([frame?.transfers, frame?.bytes]).toEqual([[], 0]);
  expect(frame?.caption).toBe(
    "slice over mp: each device keeps its own part of t along j; nothing travels.",
  );
});

test("of a large group eight devices are drawn", () => {
  const [frame] = frames("mp=16", "_,mp", "_,_", [32, 32]);
  expect([frame?.group.length, frame?.devices.length]).toEqual([16, 8]);
  expect(frame?.groupsText).toBe("One group: {0…15}, its first 8 devices drawn.");
});

test("no redistribution, no frames", () => {
  expect(framesOf(twoMatmuls, 7)).toEqual([]);
});

test.each([2, 3, 4, 8])("a frame of %i devices uses the room that it is given", (devices) => {
  const [frame] = frames(`mp=${devices}`, "_,mp", "_,_", [840, 840]);
  if (frame === undefined) throw new Error("there is no frame");
  for (const room of [
    { width: 818, height: 1060 },
    { width: 600, height: 520 },
  ]) {
    const scene = frameScene(frame, room);
    expect(scene.width).toBeGreaterThanOrEqual(0.95 * room.width);
    expect(scene.width).toBeLessThanOrEqual(room.width);
    expect(scene.height).toBeGreaterThanOrEqual(0.5 * room.height);
    expect(scene.height).toBeLessThanOrEqual(room.height);
  }
});

test("all blocks of a frame are drawn inside it, and in the height of the step view", () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 320, max: 400 }), ({ from, to, shape }, room) => {
      for (const frame of framesOf(redistributed(from, to, shape), 0)) {
        const scene = frameScene(frame, { width: room });
        expect(scene.width).toBeLessThanOrEqual(room);
        expect(scene.height).toBeLessThanOrEqual(173);
        for (const { area } of scene.blocks) {
          expect(area.x).toBeGreaterThanOrEqual(0);
          expect(area.y + area.height).toBeLessThanOrEqual(scene.height);
          expect(area.x + area.width).toBeLessThanOrEqual(scene.width);
        }
      }
    }),
    runs(40),
  );
});

test.each([2, 3, 4, 5, 6, 7, 8, 16])("a frame of %i devices needs no scrolling", (devices) => {
  const shown = frames(`mp=${devices}`, "_,mp", "_,_", [840, 840]);
  expect(shown).toHaveLength(1);
  for (const frame of shown) expect(frameScene(frame).height).toBeLessThanOrEqual(173);
});

test.each([2, 4, 8])("rows stay rows however many devices there are: %i", (devices) => {
  const [frame] = frames(`mp=${devices}`, "mp,_", "_,_", [840, 840]);
  if (frame === undefined) throw new Error("no frame");
  expect(frame.sidesText).toBe("Rows i.");
  const { blocks, between } = frameScene(frame);
  const areas = blocks.map(({ area }) => area);
  for (const { x, width } of areas) expect(x + width <= between.from || x > between.to).toBe(true);
  expect(new Set(areas.map(({ width }) => width)).size).toBe(1);
  expect(Math.min(...areas.map(({ height }) => height))).toBeGreaterThan(1.5);
});

test("blocks too low for an outline have none, and keep their fill", () => {
  const [frame] = frames("mp=8", "mp,_", "_,_", [840, 840]);
  if (frame === undefined) throw new Error("no frame");
  const { marks, blocks } = frameScene(frame);
  expect(marks.filter(({ role }) => role === "outline")).toHaveLength(0);
  expect(marks.filter(({ role }) => role === "tint")).toHaveLength(blocks.length);
});

test("contributors are summed by collective and axes, and slices are none", () => {
  const compiled = redistributed(
    layoutOf("dp=2,mp=2", "dp,mp"),
    layoutOf("dp=2,mp=2", "_,_"),
    [8, 8],
  );
  const [whole] = commSummary(compiled.program, compiled.mesh.mesh);
  const total = compiled.program.redistributions.reduce((sum, each) => sum + each.bytes, 0);
  expect(whole).toMatchObject({
    collective: "all-gather",
    count: 1,
    bytes: total,
    redistributions: [0],
  });
  const sliced = redistributed(layoutOf("mp=2", "_"), layoutOf("mp=2", "mp"), [8]);
  expect(commSummary(sliced.program, sliced.mesh.mesh)).toEqual([]);
});

/** Checks that blocks cover the slices of a device: all are inside, and their volumes add up. */
function expectCover(
  blocks: readonly HeldBlock[],
  layout: Layout,
  shape: readonly number[],
  device: number,
): void {
  const slices = slicesOf(layout, shape)
    .filter((slice) => slice.device === device)
    .map((slice) => slice.ranges)
    .filter((box) => box.every((range) => lengthOf(range) > 0));
  const sum = (boxes: readonly Box[]) => boxes.reduce((total, box) => total + volumeOf(box), 0);
  expect(sum(blocks.map(({ box }) => box))).toBe(sum(slices));
  for (const { box } of blocks) expect(slices.some((slice) => isInside(box, slice))).toBe(true);
}

function isInside(inner: Box, outer: Box): boolean {
  return inner.every((range, dim) => {
    const other = outer[dim];
    return other !== undefined && other.start <= range.start && range.stop <= other.stop;
  });
}
