import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blockCount,
  type Layout,
  type Part,
  parseLayout,
  parseMesh,
  partSize,
  printLayout,
  sameBlocks,
} from "#core/mesh";
import { volumes } from "./box-lists.ts";
import {
  type Collective,
  createPermute,
  createStep,
  firstMismatch,
  gather,
  isComplete,
  type LayoutStep,
  type Move,
  replayCollective,
  replayHeld,
  scatter,
  stepElements,
  type Transfer,
  transfersAround,
  transfersOf,
} from "./index.ts";
import { messagesOf } from "./messages.ts";
import {
  numbered,
  passedValue,
  readMoves,
  receivedByBusiest,
  testExchange,
} from "./steps.testing.ts";

/**
 * Moves in short: `x 0.1>1.0` moves x from dim 0, position 1 to dim 1, position 0; a missing end is
 * left out.
 */
test.each`
  mesh                             | before                    | shape        | collective              | moves                              | after                     | elements
  ${"x=2,y=2"}                     | ${"x,_"}                  | ${[4, 4]}    | ${"all-gather"}         | ${"x 0.0>"}                        | ${"_,_"}                  | ${8}
  ${"x=2,y=2"}                     | ${"x*y,_"}                | ${[4, 4]}    | ${"all-gather"}         | ${"y 0.1>"}                        | ${"x,_"}                  | ${4}
  ${"x=2,y=2"}                     | ${"x*y,_"}                | ${[4, 4]}    | ${"all-gather"}         | ${"x 0.0>"}                        | ${"~2*y,_"}               | ${4}
  ${"x=2,y=2"}                     | ${"x,y"}                  | ${[4, 4]}    | ${"all-gather"}         | ${"x 0.0>;y 1.0>"}                 | ${"_,_"}                  | ${12}
  ${"x=2,y=3"}                     | ${"x,y"}                  | ${[4, 6]}    | ${"all-gather"}         | ${"y 1.0>;x 0.0>"}                 | ${"_,_"}                  | ${20}
  ${"x=2,y=2@3,1,0,2"}             | ${"y*x,_"}                | ${[4, 4]}    | ${"all-gather"}         | ${"y 0.0>;x 0.1>"}                 | ${"_,_"}                  | ${12}
  ${"x=8"}                         | ${"x:(1)2*x:(2)2*x:(4)2"} | ${[8]}       | ${"all-gather"}         | ${"x:(4)2 0.2>;x:(2)2 0.1>"}       | ${"x:(1)2"}               | ${3}
  ${"x=2,y=2"}                     | ${"x,_"}                  | ${[4, 4]}    | ${"all-to-all"}         | ${"x 0.0>1.0"}                     | ${"_,x"}                  | ${4}
  ${"x=2,y=2,z=2"}                 | ${"y,x*z,_"}              | ${[8, 8, 8]} | ${"all-to-all"}         | ${"x 1.0>2.0;y 0.0>2.1;z 1.1>2.2"} | ${"_,_,x*y*z"}            | ${56}
  ${"x=2,y=2"}                     | ${"y*x,_,_"}              | ${[4, 4, 4]} | ${"all-to-all"}         | ${"x 0.1>1.0;y 0.0>2.0"}           | ${"_,x,y"}                | ${12}
  ${"x=2,y=2,z=2"}                 | ${"_,x*y,~2"}             | ${[4, 4, 8]} | ${"slice"}              | ${"z >2.1"}                        | ${"_,x*y,~2*z"}           | ${0}
  ${"x=2,y=2,z=2"}                 | ${"_,x*y,~2*z"}           | ${[4, 4, 8]} | ${"all-to-all"}         | ${"x 1.0>0.0;y 1.1>2.0"}           | ${"x,_,y*z"}              | ${12}
  ${"x=2,y=2"}                     | ${"x,_"}                  | ${[4, 4]}    | ${"slice"}              | ${"y >0.1"}                        | ${"x*y,_"}                | ${0}
  ${"x=2,y=2"}                     | ${"x,y"}                  | ${[4, 4]}    | ${"collective-permute"} | ${"x 0.0>1.0;y 1.0>0.0"}           | ${"y,x"}                  | ${4}
  ${"x=2,y=2"}                     | ${"x,_"}                  | ${[4, 4]}    | ${"collective-permute"} | ${"x 0.0>;y >0.0"}                 | ${"y,_"}                  | ${8}
  ${"x=4,y=2"}                     | ${"x:(1)2*x:(2)2,_"}      | ${[8, 4]}    | ${"collective-permute"} | ${"x:(1)2 0.0>;y >0.0"}            | ${"y*x:(2)2,_"}           | ${8}
  ${"x=2,y=2,z=2@7,5,3,1,0,2,4,6"} | ${"x*y,z"}                | ${[4, 4]}    | ${"collective-permute"} | ${"x 0.0>1.0;y 0.1>0.0;z 1.0>0.1"} | ${"y*z,x"}                | ${2}
  ${"x=2,y=2"}                     | ${"_,_|x"}                | ${[4, 4]}    | ${"all-reduce"}         | ${"x"}                             | ${"_,_"}                  | ${16}
  ${"x=2,y=2"}                     | ${"y,_|x"}                | ${[4, 4]}    | ${"reduce-scatter"}     | ${"x >0.1"}                        | ${"y*x,_"}                | ${4}
  ${"x=2,y=2"}                     | ${"_,_|x"}                | ${[4, 4]}    | ${"reduce-scatter"}     | ${"x >1.0"}                        | ${"_,x"}                  | ${8}
  ${"x=2,y=2"}                     | ${"_,_|x,y"}              | ${[4, 4]}    | ${"reduce-scatter"}     | ${"y >1.0;x >0.0"}                 | ${"x,y"}                  | ${12}
  ${"x=2,y=2"}                     | ${"_,_|x,y"}              | ${[4, 4]}    | ${"all-reduce"}         | ${"y"}                             | ${"_,_|x"}                | ${16}
  ${"x=2,y=2"}                     | ${"_,_|x,avg(y)"}         | ${[4, 4]}    | ${"all-reduce"}         | ${"x;y"}                           | ${"_,_"}                  | ${24}
  ${"x=8"}                         | ${"_|x"}                  | ${[8]}       | ${"reduce-scatter"}     | ${"x:(2)2 >0.0"}                   | ${"x:(2)2|x:(1)2,x:(4)2"} | ${4}
  ${"x=4"}                         | ${"_|max(x)"}             | ${[8]}       | ${"all-reduce"}         | ${"x"}                             | ${"_"}                    | ${12}
  ${"x=4"}                         | ${"_|min(x)"}             | ${[8]}       | ${"reduce-scatter"}     | ${"x >0.0"}                        | ${"x"}                    | ${6}
  ${"x=4@2,0,3,1"}                 | ${"_|prod(x)"}            | ${[8]}       | ${"reduce-scatter"}     | ${"x >0.0"}                        | ${"x"}                    | ${6}
  ${"x=4"}                         | ${"_|avg(x)"}             | ${[8]}       | ${"reduce-scatter"}     | ${"x >0.0"}                        | ${"x"}                    | ${6}
  ${"x=2,y=2"}                     | ${"x*y"}                  | ${[5]}       | ${"all-gather"}         | ${"x 0.0>;y 0.1>"}                 | ${"_"}                    | ${6}
  ${"x=2"}                         | ${"x{1,4},_"}             | ${[5, 4]}    | ${"all-to-all"}         | ${"x 0.0>1.0"}                     | ${"_,x"}                  | ${8}
  ${"x=1,y=2"}                     | ${"x*y"}                  | ${[4]}       | ${"all-gather"}         | ${"x 0.0>"}                        | ${"y"}                    | ${0}
  ${"x=2"}                         | ${"x"}                    | ${[0]}       | ${"all-gather"}         | ${"x 0.0>"}                        | ${"_"}                    | ${0}
  ${"x=2"}                         | ${"()|x"}                 | ${[]}        | ${"all-reduce"}         | ${"x"}                             | ${"()"}                   | ${1}
  ${"x=2,y=2"}                     | ${"x*y{1,2,3,4}"}         | ${[10]}      | ${"all-gather"}         | ${"y 0.1>"}                        | ${"x{3,7}"}               | ${4}
  ${"x=2,y=2"}                     | ${"x{3,7}"}               | ${[10]}      | ${"slice"}              | ${"y >0.1"}                        | ${"x*y{2,1,4,3}"}         | ${0}
`(
  "$collective [$moves] takes $before of $shape on $mesh to $after and brings $elements elements",
  ({ mesh, before, shape, collective, moves, after, elements }) => {
    const layout = passedValue(parseLayout(before, passedValue(parseMesh(mesh))));
    const step = createStep(layout, collective, readMoves(layout.mesh, moves), shape);
    expect(printLayout(step.after)).toBe(after);
    expect(isComplete(step, shape)).toBe(true);
    expectReplay(step, shape);
    expect(stepElements(step, shape)).toBe(elements);
  },
);

test.each`
  before   | collective      | moves       | after
  ${"x*y"} | ${"all-gather"} | ${"y 0.1>"} | ${"x"}
  ${"x*y"} | ${"all-gather"} | ${"x 0.0>"} | ${"~2*y"}
  ${"x"}   | ${"slice"}      | ${"y >0.1"} | ${"x*y"}
`(
  "nested chunks of 5 keep their levels: $before to $after",
  ({ before, collective, moves, after }) => {
    const layout = passedValue(parseLayout(before, passedValue(parseMesh("x=2,y=2")), "nested"));
    const step = createStep(layout, collective, readMoves(layout.mesh, moves), [5]);
    expect(printLayout(step.after)).toBe(after);
    expect(isComplete(step, [5])).toBe(true);
    expectReplay(step, [5]);
  },
);

test("gathering a part of an uneven flat dim leaves pieces, which tell what is really held", () => {
  const layout = passedValue(parseLayout("x*y", passedValue(parseMesh("x=2,y=2"))));
  const step = createStep(layout, "all-gather", readMoves(layout.mesh, "y 0.1>"), [5]);
  expect(printLayout(step.after)).toBe("x*~2");
  expectReplay(step, [5]);
  expect(printLayout(createStep(layout, "all-gather", step.moves, [7]).after)).toBe("x");
});

test("cutting an uneven flat dim further is not complete", () => {
  const layout = passedValue(parseLayout("x", passedValue(parseMesh("x=2,y=2"))));
  const step = createStep(layout, "slice", readMoves(layout.mesh, "y >0.1"), [5]);
  expect(isComplete(step, [5])).toBe(false);
  expect(replaysTo(step, [5])).toBeDefined();
});

test.each`
  before     | collective              | moves                    | swap
  ${"x*y"}   | ${"all-gather"}         | ${"x 0.0>;y 0.1>"}       | ${[0, 3]}
  ${"x*y,_"} | ${"all-to-all"}         | ${"x 0.0>1.0;y 0.1>1.1"} | ${[1, 2]}
  ${"x,y"}   | ${"collective-permute"} | ${"x 0.0>1.0;y 1.0>0.0"} | ${[0, 1]}
  ${"_|x,y"} | ${"reduce-scatter"}     | ${"x >0.0;y >0.1"}       | ${[0, 3]}
`("a wrong order of a group shows in $collective", ({ before, collective, moves, swap }) => {
  const layout = passedValue(parseLayout(before, passedValue(parseMesh("x=2,y=2"))));
  const shape = layout.dims.map(() => 4);
  const step = createStep(layout, collective, readMoves(layout.mesh, moves), shape);
  expect(replaysTo(step, shape)).toBeUndefined();
  const [first, second] = swap;
  const groups = step.groups.map((group) =>
    group.map((_, at) => group[at === first ? second : at === second ? first : at] ?? 0),
  );
  expect(replaysTo({ ...step, groups }, shape)).toBeDefined();
  expect(replaysTo({ ...step, groups: [] }, shape)).toBeDefined();
});

test("moves that do not fit a layout are refused as bugs", () => {
  const layout = passedValue(parseLayout("x*y,_", passedValue(parseMesh("x=2,y=2,z=2"))));
  const step = (collective: Exclude<Collective, "exchange">, moves: string) => () =>
    createStep(layout, collective, readMoves(layout.mesh, moves), [8, 8]);
  expect(step("all-gather", "y 0.0>")).toThrow("at position 0");
  expect(step("slice", "z >0.0")).toThrow("holds no digit");
  expect(step("slice", "z >1.1")).toThrow("no position 1");
  expect(step("all-reduce", "z")).toThrow("not partial");
  expect(step("slice", "x >1.0")).toThrow("used twice");
  expect(step("collective-permute", "x 0.0>")).toThrow("changes the number of blocks");
  expect(step("all-gather", "x 0.0>1.0")).toThrow("all-gather has no move from>to");
});

test.each`
  from                      | to                        | shape      | elements
  ${"x=4,y=2: x,y"}         | ${"x=4,y=2: y,x"}         | ${[16, 8]} | ${16}
  ${"x=2,y=3: x,_"}         | ${"a=3,b=2: a,_"}         | ${[6, 2]}  | ${2}
  ${"x=2,y=2: x*y"}         | ${"x=2,y=2: x"}           | ${[5]}     | ${2}
  ${"x=2: x{1,4}"}          | ${"x=2: x"}               | ${[5]}     | ${2}
  ${"x=2,y=2: x|y"}         | ${"x=2,y=2: _|y"}         | ${[4]}     | ${2}
  ${"x=2,y=2@0,1,2,3: x*y"} | ${"x=2,y=2@3,2,1,0: x*y"} | ${[8]}     | ${2}
`("an exchange from $from to $to of $shape brings $elements", ({ from, to, shape, elements }) => {
  const step = testExchange(read(from), read(to), shape);
  expectReplay(step, shape);
  expect(stepElements(step, shape)).toBe(elements);
});

test.each`
  from              | to                        | shape     | pairs
  ${"x=2,y=2: x*y"} | ${"x=2,y=2@3,2,1,0: x*y"} | ${[8]}    | ${"0>3 1>2 2>1 3>0"}
  ${"x=2,y=2: x,y"} | ${"x=2,y=2: y,x"}         | ${[4, 4]} | ${"2>1 1>2"}
  ${"x=2,y=2: x"}   | ${"x=2,y=2: x*y"}         | ${[4]}    | ${undefined}
  ${"x=2,y=2: x"}   | ${"x=2,y=2@0,2,1,3: x"}   | ${[4]}    | ${"2>1 1>2"}
`("a permute from $from to $to of $shape is $pairs", ({ from, to, shape, pairs }) => {
  const step = createPermute(read(from), read(to), shape);
  const text = step?.transfers?.map((one: Transfer) => `${one.from}>${one.to}`);
  expect(text?.sort().join(" ")).toBe(pairs?.split(" ").sort().join(" "));
  if (step !== undefined) expectReplay(step, shape);
});

test("an exchange between any two layouts brings every element to its place, and nothing twice", () => {
  const mesh = passedValue(parseMesh("x=2,y=3,z=2@5,3,1,0,2,4,6,8,10,7,9,11"));
  const layouts = ["_,_", "x,y", "y*z,_", "z,x*y", "~2*x,z", "y,x*z", "_,z*y*x", "x{2,7},_"];
  const any = fc.constantFrom(...layouts).map((text) => passedValue(parseLayout(text, mesh)));
  const property = fc.property(any, any, fc.nat(8), (from, to, columns) => {
    const shape = [9, columns];
    const step = testExchange(from, to, shape);
    expectReplay(step, shape);
    expect(stepElements(step, shape) === 0).toBe(replaysWith({ ...step, transfers: [] }, shape));
  });
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 2000 : 100 });
});

test("any chain of legal moves keeps the tensor whole, and elements are those received", () => {
  const property = fc.property(fc.infiniteStream(fc.nat(1000)), (numbers) => {
    const draw = (below: number) => Number(numbers.next().value) % below;
    // Each dim size is divisible by any four parts of its mesh, so all cuts are even.
    const meshes = [
      { text: "x=2,y=2,z=2", size: 32 },
      { text: "x=4,y=2", size: 64 },
      { text: "x=2,y=3", size: 72 },
    ];
    const { text, size } = meshes[draw(3)] ?? { text: "", size: 0 };
    const mesh = passedValue(parseMesh(text));
    const shape = [size, size];
    let layout: Layout = passedValue(parseLayout("_,_", mesh));
    for (let turn = 0; turn < 4; turn += 1) {
      const step = drawStep(layout, shape, draw);
      if (step === undefined) continue;
      expect(isComplete(step, shape)).toBe(true);
      expectReplay(step, shape);
      layout = step.after;
    }
  });
  fc.assert(property, { seed: 2, numRuns: process.env.SOAK ? 2000 : 100 });
});

/** A random slice, gather or all-to-all of one axis part that is legal here. */
function drawStep(
  layout: Layout,
  shape: readonly number[],
  draw: (below: number) => number,
): LayoutStep | undefined {
  const steps: (readonly [Exclude<Collective, "exchange">, readonly Move[]])[] = [];
  const ends = layout.dims.map((dim, at) => ({ dim: at, position: dim.parts.length }));
  const gaps = layout.dims.flatMap((dim, at) =>
    dim.parts.flatMap((part, position) => (part.kind === "pieces" ? [{ dim: at, position }] : [])),
  );
  const held = layout.dims.flatMap((dim, at) =>
    dim.parts.flatMap((part, position) =>
      part.kind === "axis" ? [{ part, from: { dim: at, position } }] : [],
    ),
  );
  const free = freeAxes(layout);
  for (const part of free) {
    for (const to of [...ends, ...gaps]) steps.push(["slice", [{ part, to }]]);
  }
  for (const { part, from } of held) {
    steps.push(["all-gather", [{ part, from }]]);
    for (const to of [...ends, ...gaps]) {
      if (to.dim !== from.dim) steps.push(["all-to-all", [{ part, from, to }]]);
    }
  }
  const [collective, moves] = steps[draw(steps.length)] ?? ["slice", []];
  const fits = moves.every(({ part, to }) => {
    const gap = to === undefined ? undefined : layout.dims[to.dim]?.parts[to.position];
    return gap === undefined || partSize(gap) === partSize(part);
  });
  return fits ? createStep(layout, collective, moves, shape) : undefined;
}

function freeAxes(layout: Layout): readonly Part[] {
  const used = new Set(
    layout.dims.flatMap(({ parts }) =>
      parts.map((part) => (part.kind === "axis" ? part.axis : "")),
    ),
  );
  return layout.mesh.axes
    .filter(({ name }) => !used.has(name))
    .map(({ name, size }) => ({ kind: "axis", axis: name, before: 1, size }));
}

test("partial contributions differ between devices and combine to the tensor", () => {
  const mesh = passedValue(parseMesh("x=3,y=2"));
  for (const text of ["_|x", "_|max(x)", "_|min(x)", "_|prod(x)", "_|avg(x)", "_|x,avg(y)"]) {
    const layout = passedValue(parseLayout(text, mesh));
    const whole = numbered([12]);
    const blocks = scatter(layout, [12], whole);
    expect(gather(layout, [12], blocks), text).toEqual(whole);
    expect(firstMismatch(layout, [12], blocks, whole), text).toBeUndefined();
    const shares = new Set([...blocks.values()].map(([block]) => block?.values.join()));
    expect(shares.size, text).toBe(text.includes("y") ? 6 : 3);
  }
});

test("a mismatch names the device, the index and both values, in any replica", () => {
  const layout = passedValue(parseLayout("x,_", passedValue(parseMesh("x=2,y=2"))));
  const whole = numbered([4, 2]);
  const blocks = new Map(scatter(layout, [4, 2], whole));
  const [block] = blocks.get(3) ?? [];
  const values = block?.values.map((value, at) => (at === 3 ? -7 : value)) ?? new Float64Array();
  blocks.set(3, block === undefined ? [] : [{ ...block, values }]);
  const want = whole[7];
  expect(firstMismatch(layout, [4, 2], blocks, whole)).toEqual({
    device: 3,
    index: [3, 1],
    got: -7,
    want,
  });
  expect(gather(layout, [4, 2], blocks)).toEqual(whole);
});

function read(text: string): Layout {
  const [mesh = "", layout = ""] = text.split(": ");
  return passedValue(parseLayout(layout, passedValue(parseMesh(mesh))));
}

function expectReplay(step: LayoutStep, shape: readonly number[]): void {
  expect(replaysTo(step, shape)).toBeUndefined();
  const transfers = transfersOf(step, shape);
  const some = new Set(step.before.mesh.devices.slice(1, 3));
  expect(new Set(transfersAround(step, shape, some))).toEqual(
    new Set(transfers.filter(({ from, to }) => some.has(from) || some.has(to))),
  );
  if (/^(all-to-all|reduce-scatter)$/.test(step.collective)) {
    const messages = messagesOf(step, shape).flat();
    const longest = Math.max(0, ...messages.map(({ ranges }) => volumes(ranges)));
    const size = blockCount(step.moves.map(({ part }) => part));
    expect(stepElements(step, shape)).toBe((size - 1) * longest);
  }
  const received = receivedByBusiest(transfers);
  const isEven = step.before.dims.every(
    (dim, at) => dim.sizes === undefined && (shape[at] ?? 0) % blockCount(dim.parts) === 0,
  );
  if (isEven && step.collective !== "all-reduce") expect(stepElements(step, shape)).toBe(received);
}

/** The first element that is wrong after a step on numbered elements. */
function replaysTo(step: LayoutStep, shape: readonly number[]) {
  const whole = numbered(shape);
  const blocks = replayCollective(step, scatter(step.before, shape, whole), shape);
  return firstMismatch(step.after, shape, blocks, whole);
}

function replaysWith(step: LayoutStep, shape: readonly number[]): boolean {
  const isSame = sameBlocks(step.before, step.after, shape);
  return replaysTo(step, shape) === undefined || isSame;
}

test("a member whose windows are empty adds nothing to a sum, wherever it stands in the group", () => {
  const mesh = parseMesh("x=3");
  const layout = mesh.ok ? parseLayout("_|x", mesh.value) : mesh;
  if (!layout.ok) throw new Error("no layout");
  const box = [{ start: 1, stop: 3 }];
  const step = createStep(layout.value, "all-reduce", readMoves(layout.value.mesh, "x"), [4]);
  for (const group of [
    [0, 1, 2],
    [2, 0, 1],
  ]) {
    const held = new Map([
      [0, [{ box, values: Float64Array.of(1, 2) }]],
      [1, [{ box, values: Float64Array.of(10, 20) }]],
      [2, []],
    ]);
    const after = replayHeld({ ...step, groups: [group] }, held, [[box], [box], [box]]);
    for (const device of group) {
      expect([...(after.get(device)?.[0]?.values ?? [])], String(group)).toEqual([11, 22]);
    }
  }
});
