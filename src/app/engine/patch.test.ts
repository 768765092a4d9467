import fc from "fast-check";
import { expect, test } from "vitest";
import { patched, patchOf } from "./patch.ts";

const soak = process.env.SOAK === undefined ? 1 : 20;

/** Plain values like those in answers: records, lists of objects with ids, maps, and leaves. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(undefined, null, 0, 1, "a", "b", true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    fc.array(
      fc
        .record({ id: fc.constantFrom("x", "y", "z"), of: tie("value") })
        .map((each) => ({ ...each })),
      { maxLength: 4 },
    ),
    fc
      .array(fc.tuple(fc.constantFrom("k", "l", "m"), tie("value")), { maxLength: 3 })
      .map((entries) => new Map(entries)),
  ),
}));

test("whoever has the value before gets the value behind", () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const patch = structuredClone(patchOf(before, after));
      expect(patched(before, patch)).toStrictEqual(after);
    }),
    { seed: 1, numRuns: 2_000 * soak },
  );
});

test("nothing is sent of what says the same", () => {
  fc.assert(
    fc.property(value, (one) => {
      const patch = patchOf(one, structuredClone(one));
      expect(patch).toBe("same");
      expect(patched(one, patch)).toBe(one);
    }),
    { seed: 2, numRuns: 500 * soak },
  );
});

const mesh = { axes: ["dp", "mp"] };
const before = {
  mesh,
  operators: ["a", "b", "c", "d"].map((id) => ({ id, cuts: ["dp"], mesh })),
  plans: new Map(["a", "b"].map((id) => [id, { id, mesh }])),
};

test("only what is new is sent, and what is not stays the same object", () => {
  const after = structuredClone(before);
  after.operators.splice(1, 1);
  after.operators.push({ id: "e", cuts: ["mp"], mesh: after.mesh });
  const patch = patchOf(before, after);
  expect(patch).toEqual({
    fields: {
      operators: {
        list: [
          { from: 0, count: 1 },
          { from: 2, count: 2 },
          { at: -1, patch: { value: { id: "e", cuts: ["mp"], mesh } } },
        ],
      },
    },
  });
  const result = patched(before, patch);
  expect(result.operators[1]).toBe(before.operators[2]);
  expect(result.plans).toBe(before.plans);
});

test("an object that stands in several places stays one object", () => {
  const after = structuredClone(before);
  after.mesh.axes.push("ep");
  const result = patched(before, structuredClone(patchOf(before, after)));
  expect(result).toEqual(after);
  expect(result.operators.map((each) => each.mesh)).toEqual([...Array(4)].map(() => result.mesh));
  expect(new Set(result.operators.map((each) => each.mesh)).size).toBe(1);
  expect(result.plans.get("a")?.mesh).toBe(result.mesh);
});
