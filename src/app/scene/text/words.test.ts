import { expect, test } from "vitest";
import { badgesOf } from "../glyph/badges.ts";
import { layoutOf, meshOf } from "../graph/layouts.testing.ts";
import { hueOf } from "../hue.ts";
import { rowsOf } from "../rows.ts";
import { changedLabels, labelOf, labelText } from "./label.ts";
import { heldWords, sentenceOf } from "./sentence.ts";

const three = "dp=2,sp=2,mp=2";

test("an axis keeps the hue of its place in the mesh, and the ninth begins anew", () => {
  const mesh = meshOf("a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1");
  expect(["a", "b", "h", "i"].map((axis) => hueOf(mesh, axis))).toEqual([1, 2, 8, 1]);
});

test.each([
  ["dp,sp*mp,_", "[b@dp, s@(sp,mp), f]"],
  ["dp,sp,_|mp", "[b@dp, s@sp, f]{Σ mp}"],
  ["_,_,_|dp,max(mp)", "[b, s, f]{Σ dp, max mp}"],
  ["_,_,_|sp,mp", "[b, s, f]{Σ sp mp}"],
])("layout %s is labelled %s", (layout, label) => {
  expect(labelText(layoutOf(three, layout), ["b", "s", "f"])).toBe(label);
});

test("a label names sub-axes, and rank 0 is empty brackets", () => {
  expect(labelText(layoutOf("x=8", "x:(2)4"), ["k"])).toBe("[k@x:(2)4]");
  expect(labelText(layoutOf("x=8", "()"), [])).toBe("[ ]");
  expect(labelText(layoutOf("x=8", "_"), [])).toBe("[d0]");
});

test("axis names are runs of their own with their hue", () => {
  expect(labelOf(layoutOf(three, "_,mp"), ["k", "f"])).toEqual([
    { kind: "plain", text: "[k, f@" },
    { kind: "axis", text: "mp", hue: 3 },
    { kind: "plain", text: "]" },
  ]);
});

test("a change of layout is told by what changes alone", () => {
  const [before, after] = [layoutOf(three, "dp,sp|mp"), layoutOf(three, "dp,sp*mp")];
  const texts = changedLabels(before, after, ["b", "s"]);
  const join = (runs: readonly { readonly text: string }[]) =>
    runs.map(({ text }) => text).join("");
  expect([join(texts.before), join(texts.after)]).toEqual(["s@sp{Σ mp}", "s@(sp,mp)"]);
});

test.each([
  [
    "dp=2,mp=2",
    "mp,_",
    [4096, 1024],
    "w2, bf16, 4096 by 1024. k split 2 ways over mp. f whole. 2 copies over dp. Each device holds 2048 by 1024, 4.19 MB.",
  ],
  [
    "dp=2,mp=2",
    "dp,_|mp",
    [512, 1024],
    "w2, bf16, 512 by 1024. k split 2 ways over dp. f whole. Each device holds 256 by 1024, 524 kB, an unfinished sum over mp.",
  ],
  [
    "dp=2,mp=2",
    "dp*mp,_",
    [10, 4],
    "w2, bf16, 10 by 4. k split 4 ways over dp, mp. f whole. Each device holds at most 3 by 4, 24 B.",
  ],
  ["dp=1", "_,_", [2, 2], "w2, bf16, 2 by 2. k whole. f whole. The device holds 2 by 2, 8 B."],
  [
    "dp=2",
    "()",
    [],
    "w2, bf16, a single number. 2 copies over dp. Each device holds a single number, 2 B.",
  ],
])("on %s, %s of %j is said in a sentence", (mesh, layout, shape, sentence) => {
  const tensor = {
    name: "w2",
    shape,
    dtype: "bf16",
    dtypeText: "bf16",
    dimNames: ["k", "f"],
  } as const;
  expect(sentenceOf(tensor, layoutOf(mesh, layout))).toBe(sentence);
});

test("the table tells ranges, shape and part of every device", () => {
  const rows = rowsOf({ layout: layoutOf(three, "dp,sp,_|mp") }, { shape: [2, 2048, 8192] });
  expect(rows).toHaveLength(8);
  expect(rows[3]).toEqual({
    device: 3,
    piece: 0,
    ranges: [
      { start: 0, stop: 1, text: "0" },
      { start: 1024, stop: 2048, text: "1024…2047" },
      { start: 0, stop: 8192, text: "0…8191" },
    ],
    localShape: [1, 1024, 8192],
    state: "part 2 of 2",
  });
});

test.each([
  ["dp=2,mp=2", "_,_", [4, 4], ["copy 1 of 4", "copy 2 of 4", "copy 3 of 4", "copy 4 of 4"]],
  ["dp=2,mp=2", "dp,_|mp", [4, 4], ["part 1 of 2", "part 2 of 2", "part 1 of 2", "part 2 of 2"]],
  [
    "dp=2,mp=2",
    "_,_|mp",
    [4, 4],
    [
      "part 1 of 2, copy 1 of 2",
      "part 2 of 2, copy 1 of 2",
      "part 1 of 2, copy 2 of 2",
      "part 2 of 2, copy 2 of 2",
    ],
  ],
  ["dp=2", "dp,_", [4, 4], ["only copy", "only copy"]],
  ["dp=1", "_,_", [4, 4], ["whole"]],
])("on %s, the states of %s are told", (mesh, layout, shape, states) => {
  expect(rowsOf({ layout: layoutOf(mesh, layout) }, { shape }).map((row) => row.state)).toEqual(
    states,
  );
});

test("a device without a part has none, and its shape is empty", () => {
  const rows = rowsOf({ layout: layoutOf("dp=4", "dp") }, { shape: [3] });
  expect(rows.map((row) => row.ranges.map((range) => range.text))).toEqual([
    ["0"],
    ["1"],
    ["2"],
    ["none"],
  ]);
  expect(rows[3]?.localShape).toEqual([0]);
});

test("badges count copies and parts", () => {
  expect(badgesOf(layoutOf(three, "_,mp"))).toEqual([
    {
      kind: "copies",
      count: 4,
      text: "×4",
      axes: [
        { text: "dp", hue: 1 },
        { text: "sp", hue: 2 },
      ],
    },
  ]);
  expect(badgesOf(layoutOf(three, "dp,sp|mp")).map((badge) => badge.text)).toEqual(["Σ"]);
});

test.each([
  ["dp,mp", "8 B each"],
  ["dp,_|mp", "16 B, unsummed"],
  ["_,_", "32 B each"],
])("beside a drawing in %s stands %s", (layout, words) => {
  const tensor = { shape: [4, 4], dtype: "bf16" } as const;
  expect(heldWords(tensor, layoutOf("dp=2,mp=2", layout))).toBe(words);
});

test("of a tensor of which nobody knows the shape the table says so", () => {
  const layout = layoutOf(three, "()");
  expect(labelText(layout, ["?"])).toBe("[?]");
  const rows = rowsOf({ layout }, { shape: [], isUnknown: true });
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["unknown"]));
});
