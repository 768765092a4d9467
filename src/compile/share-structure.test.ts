import { expect, test } from "vitest";
import { shareStructure, shareStructureExactly } from "./share-structure.ts";

const before = {
  mesh: { size: 4 },
  operators: [
    { id: "a", call: "f(x)", span: { from: 0, to: 4 } },
    { id: "b", call: "f(a)", span: { from: 5, to: 9 } },
    { id: "c", call: "f(b)", span: { from: 10, to: 14 } },
  ],
  plans: new Map([
    ["a", { cuts: ["dp"] }],
    ["b", { cuts: ["mp"] }],
  ]),
};

test("what says the same is the object of before, wherever it stands in the text", () => {
  const after = structuredClone(before);
  for (const operator of after.operators) {
    operator.span.from += 7;
    operator.span.to += 7;
  }
  expect(shareStructure(before, after)).toBe(before);
});

test("of a value that has to be exact, what stands elsewhere in the text is new", () => {
  const after = structuredClone(before);
  const [, moved] = after.operators;
  if (moved !== undefined) moved.span.from += 1;
  const result = shareStructureExactly(before, after);
  expect(result).toEqual(after);
  expect(result.operators[0]).toBe(before.operators[0]);
  expect(result.operators[1]).not.toBe(before.operators[1]);
  expect(shareStructureExactly(before, structuredClone(before))).toBe(before);
});

test("only what was changed and what holds it is new", () => {
  const after = structuredClone(before);
  const [, changed] = after.operators;
  if (changed !== undefined) changed.call = "g(a)";
  const result = shareStructure(before, after);
  expect(result).toEqual(after);
  expect(result.operators[0]).toBe(before.operators[0]);
  expect(result.operators[1]).not.toBe(before.operators[1]);
  expect(result.operators[2]).toBe(before.operators[2]);
  expect(result.mesh).toBe(before.mesh);
  expect(result.plans).toBe(before.plans);
});

test("entries are found again behind one that came or went", () => {
  const after = structuredClone(before);
  after.operators.splice(1, 1);
  after.plans.delete("a");
  const result = shareStructure(before, after);
  expect(result).toEqual(after);
  expect(result.operators[1]).toBe(before.operators[2]);
  expect(result.plans.get("b")).toBe(before.plans.get("b"));
  const back = shareStructure(result, before);
  expect(back).toEqual(before);
  expect(back.operators[2]).toBe(before.operators[2]);
});

test.each([
  [
    [1, 2],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [1, 2],
  ],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [[], {}],
  [new Map(), {}],
  [new Map([["a", 1]]), new Map([["b", 1]])],
  [
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
    new Map([
      ["b", 2],
      ["a", 1],
    ]),
  ],
  [{ span: { from: 0, to: 1 } }, {}],
  [{}, { span: { from: 0, to: 1 } }],
  [undefined, { a: 1 }],
  [{ a: 0 }, { a: "0" }],
])("%j does not say the same as %j", (one, other) => {
  for (const result of [
    shareStructure<unknown>(one, other),
    shareStructureExactly<unknown>(one, other),
  ]) {
    expect(result).toStrictEqual(other);
    expect(result).not.toBe(one);
  }
});

/** Numbers in [0, 1), determined by the seed. */
function numbersFrom(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

interface Part {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly shape: readonly number[];
  readonly numbers: Float64Array;
}

/** A value with lists, maps and sets; some equal parts are the same object. */
function grown(random: () => number, changes: (name: string) => boolean, extra: number) {
  const pool: Part[] = [];
  const partOf = (depth: number): Part => {
    const known = pool[Math.floor(random() * pool.length)];
    if (random() < 0.4 && known !== undefined) return known;
    const name = `n${Math.floor(random() * 6)}`;
    const size = Math.floor(random() * 3);
    const made = {
      name: changes(name) ? `${name}!` : name,
      parts: depth === 0 ? [] : Array.from({ length: size }, () => partOf(depth - 1)),
      shape: [size, depth],
      numbers: Float64Array.of(size, depth),
    };
    pool.push(made);
    return made;
  };
  const ids = Array.from({ length: 12 }, (_, at) => `o${at}`);
  const mesh = {
    axes: [{ name: "dp", size: 2, link: { latency: 1 } }],
    devices: [0, 1],
    at: Math.max(extra, 0),
  };
  const layoutOf = (part: Part) => ({ part, dims: [[mesh, "flat"]] });
  const entries = ids.map((id) => ({ id, layout: layoutOf(partOf(3)), span: { from: 0, to: 3 } }));
  if (extra >= 0)
    entries.splice(extra, extra % 2, { id: "new", layout: layoutOf(partOf(2)), span: none });
  return {
    mesh,
    entries,
    byName: new Map(entries.map(({ id, layout }) => [id, layout])),
    names: new Set(entries.map(({ id }) => id)),
    reversed: extra % 3 === 0 ? entries.toReversed() : entries,
  };
}

const none = { from: -1, to: -1 };

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "what is shared equals what was made, and a mesh that all lie on is one object: %i",
  (seed) => {
    const before = grown(numbersFrom(seed), () => false, -1);
    const after = grown(numbersFrom(seed), (name) => name === `n${seed % 9}`, (seed % 14) - 1);
    const result = shareStructureExactly(before, after);
    expect(result).toStrictEqual(after);
    expect([...result.byName.keys()]).toEqual([...after.byName.keys()]);
    expect([...result.names]).toEqual([...after.names]);
    for (const { layout } of result.entries) expect(layout.dims[0]?.[0]).toBe(result.mesh);
    for (const { dims } of result.byName.values()) expect(dims[0]?.[0]).toBe(result.mesh);
    expect(shareStructureExactly(result, structuredClone(after))).toBe(result);
    expect(shareStructure(result, before)).toStrictEqual(before);
  },
);

test("entries of a list are found where they stand now, however many came, went or moved", () => {
  const random = numbersFrom(1);
  for (let round = 0; round < 200; round += 1) {
    const keys = Array.from({ length: 12 }, (_, at) => at);
    const before = keys.filter(() => random() < 0.8).map((id) => ({ id, of: round }));
    const after = keys.filter(() => random() < 0.8);
    if (round % 3 === 0) after.sort(() => random() - 0.5);
    const result = shareStructureExactly(
      before,
      after.map((id) => ({ id, of: round })),
    );
    for (const [at, id] of after.entries()) {
      const had = before.find((each) => each.id === id);
      expect(result[at]).toEqual({ id, of: round });
      if (had !== undefined) expect(result[at]).toBe(had);
    }
  }
});

test("a set is that of before where it has the same in the same order, else that behind", () => {
  const before = { names: new Set(["a", "b"]) };
  expect(shareStructure(before, { names: new Set(["a", "b"]) })).toBe(before);
  for (const names of [["a"], ["a", "b", "c"], ["b", "a"], ["a", "c"]]) {
    expect([...shareStructureExactly(before, { names: new Set(names) }).names]).toEqual(names);
  }
});
