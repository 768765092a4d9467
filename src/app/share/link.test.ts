import fc from "fast-check";
import { deflateSync, Inflate, strToU8 } from "fflate";
import { expect, test, vi } from "vitest";
import { toBase64Url } from "./bytes.ts";
import { crc32 } from "./crc32.ts";
import type { SharedDocument } from "./document.ts";
import { checkShareable, decodeLink, encodeLink, readFragment } from "./link.ts";
import { goldenLinks } from "./links.testing.ts";

const runs = process.env.SOAK === undefined ? 1 : 20;
const program = "mesh = Mesh(dp=2, mp=2)\nx = Tensor((512, 1024))\n";

/** A link around arbitrary bytes, with a well-formed envelope. */
function wrapped(bytes: Uint8Array, envelope = "1.0"): string {
  const body = toBase64Url(deflateSync(bytes, { level: 9 }));
  return `#p=${envelope}.${body.length.toString(36)}.${crc32(body)}.${body}`;
}

const json = (value: unknown) => wrapped(strToU8(JSON.stringify(value)));
const visible = fc.string({ unit: "binary" }).map((text) => text.replace(/[^\P{C}\t\n\r]/gu, ""));
const documents = fc.record(
  {
    text: visible,
    plan: visible.filter((text) => text !== ""),
    name: fc.string({ minLength: 1, maxLength: 60 }),
    base: visible.filter((text) => text !== ""),
  },
  { requiredKeys: ["text"] },
);

test("a link opens as the document that it was made of", () => {
  const holds = fc.property(documents, (document) => {
    const opened = decodeLink(encodeLink(document));
    const bases = document.base === undefined ? [] : [{ text: document.base }];
    expect(opened).toEqual({
      kind: "document",
      document,
      version: 1,
      view: {},
      stations: [],
      bases,
      dropped: [],
    });
  });
  fc.assert(holds, { seed: 1, numRuns: 300 * runs });
});

test("a link that was opened and made again has the same characters", () => {
  const holds = fc.property(fc.string({ unit: "binary" }), (text) => {
    const link = encodeLink({ text });
    const opened = decodeLink(link);
    expect(opened.kind === "document" && encodeLink(opened.document)).toBe(link);
  });
  fc.assert(holds, { seed: 2, numRuns: 300 * runs });
});

test("the order in which a document's fields were set does not show in its link", () => {
  const one = encodeLink({ text: program, plan: "p", name: "n", base: "b" });
  expect(encodeLink({ base: "b", name: "n", plan: "p", text: program })).toBe(one);
  expect(encodeLink({ text: program, plan: "", name: "" })).toBe(encodeLink({ text: program }));
});

test.each(goldenLinks)("the frozen link of $title still opens and is still made", (golden) => {
  const opened = decodeLink(golden.link);
  expect(opened).toMatchObject({ kind: "document", document: golden.document, version: 1 });
  expect(encodeLink(golden.document, golden.view)).toBe(golden.link);
});

test("five thousand mutated links are refused or open unharmed", () => {
  const link = encodeLink({ text: program.repeat(4), name: "two matmuls" }, { tensor: "x" });
  const whole = decodeLink(link);
  const mutated = fc
    .array(fc.tuple(fc.nat(link.length), fc.nat(6), fc.string({ maxLength: 3 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((edits) =>
      edits.reduce(
        (text, [at, drop, add]) => text.slice(0, at) + add + text.slice(at + drop),
        link,
      ),
    );
  const holds = fc.property(mutated, (changed) => {
    const opened = decodeLink(changed);
    if (opened.kind === "document" && whole.kind === "document") {
      expect(opened.document).toEqual(whole.document);
    }
  });
  fc.assert(holds, { seed: 3, numRuns: 5_000 * runs });
});

test("a link that was cut says how much of it arrived", () => {
  const text = Array.from({ length: 1200 }, (_, at) => String((at * at * 7919) % 10_007)).join(
    "\n",
  );
  const link = encodeLink({ text });
  const body = link.slice(link.lastIndexOf(".") + 1);
  const spaced = (count: number) =>
    `${Math.floor(count / 1000)} ${String(count % 1000).padStart(3, "0")}`;
  expect(decodeLink(link.slice(0, link.length - body.length + 1310))).toEqual({
    kind: "refused",
    refusal: "damaged",
    message: `the link is damaged: 1 310 of ${spaced(body.length)} characters arrived`,
  });
});

test("every cut of a link is damaged, and a cut in the view is not noticed", () => {
  const link = encodeLink({ text: program });
  for (let length = 3; length < link.length; length++) {
    expect(decodeLink(link.slice(0, length))).toMatchObject({ refusal: "damaged" });
  }
  const withView = encodeLink({ text: program }, { tensor: "x", step: 12 });
  for (let length = link.length; length < withView.length; length++) {
    expect(decodeLink(withView.slice(0, length))).toMatchObject({ document: { text: program } });
  }
});

test.each<[string, string]>([
  ["", "not-a-link"],
  ["#", "not-a-link"],
  ["hello", "not-a-link"],
  ["https://example.org/", "not-a-link"],
  ["https://example.org/#top", "not-a-link"],
  ["#p=hello", "not-a-link"],
  ["#p=2.0.1.00000000.A", "newer"],
  ["#p=1.7.1.00000000.A", "newer"],
  ["#p=0.0.1.00000000.A", "damaged"],
  ["#p=1.0.1.00000000.A", "damaged"],
  ["#p=1.0.zzzzzz.00000000.A", "damaged"],
  [`#p=1.0.1.00000000.${"A".repeat(70_000)}`, "too-large"],
  [json({ v: 2, text: program }), "newer"],
  [json({ text: program }), "damaged"],
  [json({ v: "1", text: program }), "damaged"],
  [json({ v: 1.5, text: program }), "damaged"],
  [json({ v: 1, text: 7 }), "damaged"],
  [json({ v: 1, text: program, name: {} }), "damaged"],
  [json([1]), "damaged"],
  [json(null), "damaged"],
  [wrapped(strToU8('{"v":1,"text":"a","__proto__":{"text":"b"}}')), "damaged"],
  [wrapped(strToU8('{"v":1,"text":"a","x":[{"constructor":1}]}')), "damaged"],
  [wrapped(strToU8('{"v":1,')), "damaged"],
  [wrapped(new Uint8Array([0xff, 0xfe])), "damaged"],
  [wrapped(strToU8(`{"v":1,"x":${"[".repeat(32)}${"]".repeat(32)}}`)), "damaged"],
  [wrapped(new Uint8Array(2 * 1024 * 1024)), "too-large"],
  [json({ v: 1, text: "a".repeat(256 * 1024 + 1) }), "too-large"],
  [json({ v: 1, text: "é".repeat(128 * 1024 + 1) }), "too-large"],
])("link %# is refused for its own reason", (link, refusal) => {
  expect(decodeLink(link)).toMatchObject({ kind: "refused", refusal });
});

test("a bomb of fifty megabytes is stopped after a megabyte", () => {
  const link = wrapped(new Uint8Array(48 * 1024 * 1024));
  const pushed = vi.spyOn(Inflate.prototype, "push");
  expect(decodeLink(link)).toMatchObject({ refusal: "too-large" });
  const readBytes = pushed.mock.calls.reduce((sum, [chunk]) => sum + chunk.length, 0);
  pushed.mockRestore();
  // A byte of a deflate stream expands to at most 1032 bytes.
  expect(readBytes * 1032).toBeGreaterThan(1024 * 1024);
  expect(readBytes * 1032).toBeLessThan(2 * 1024 * 1024);
});

test("unknown keys are dropped and named, nesting up to the bound is read", () => {
  const nested = wrapped(strToU8(`{"v":1,"text":"a","x":${"[".repeat(31)}${"]".repeat(31)}}`));
  expect(decodeLink(nested)).toMatchObject({ document: { text: "a" }, dropped: ["x"] });
});

test("characters that hide what a text says are left out", () => {
  const hostile = "a\u202eb\u2066c\u0000d\u001b[0m\u007f\te\r\nf";
  expect(decodeLink(json({ v: 1, text: hostile }))).toMatchObject({
    document: { text: "abcd[0m\te\r\nf" },
  });
});

test("whole addresses, fragments and bare values are one link", () => {
  const link = encodeLink({ text: program });
  for (const form of [link, link.slice(1), `https://example.org/board/?x=1${link}`, ` ${link}\n`]) {
    expect(decodeLink(form)).toMatchObject({ document: { text: program } });
  }
});

test("plain forms carry a source or name an example", () => {
  expect(readFragment(`#src=${encodeURIComponent("x = 1 # é&=")}`)).toEqual({
    kind: "source",
    text: "x = 1 # é&=",
    view: {},
    stations: [],
  });
  expect(readFragment("#src=%E0%A4%A")).toMatchObject({ refusal: "damaged" });
  expect(readFragment("#example=two-matmuls&s=t:h,n:0,k:4,h:ring")).toEqual({
    kind: "example",
    name: "two-matmuls",
    view: { tensor: "h", step: 0, still: 4, hops: "ring" },
    stations: [],
  });
  expect(readFragment("https://example.org/")).toMatchObject({ kind: "refused" });
  expect(readFragment("")).toEqual({ kind: "none" });
});

test("a link opens with its first station, and keeps the order of all", () => {
  const stations = [
    { tensor: "x" },
    { step: 2, still: 7, hops: "ring" },
    {},
    { place: 5 },
  ] as const;
  const link = encodeLink({ text: program }, { device: 1 }, [], stations);
  expect(decodeLink(link)).toMatchObject({ view: stations[0], stations });
  // Truncating the link removes the last station.
  const cut = decodeLink(link.slice(0, link.lastIndexOf("&s=")));
  expect(cut).toMatchObject({ view: stations[0], stations: stations.slice(0, 3) });
  // A single view does not make a talk.
  expect(decodeLink(encodeLink({ text: program }, { device: 1 }))).toMatchObject({
    view: { device: 1 },
    stations: [],
  });
});

test.each([
  { how: "drop", step: 3, collective: "all-reduce", tensor: "layers[3].h#2" },
  { how: "cut", tensor: "blocks[0].w" },
])("a fault travels with its kind and its place: $how", (fault) => {
  const link = encodeLink({ text: program }, { tensor: "x", fault });
  expect(decodeLink(link)).toMatchObject({ view: { tensor: "x", fault } });
  const damaged = link.replace(/f:[^,&]*/, "f:drop.3.");
  expect(decodeLink(damaged)).toMatchObject({ view: { tensor: "x" } });
  expect(decodeLink(damaged)).not.toHaveProperty("view.fault");
});

test("a view travels at the end, and a broken one is ignored", () => {
  const view = { tensor: "layers[3].h#2", device: 5, step: 12, panel: "tensor" };
  const link = encodeLink({ text: program }, view);
  expect(decodeLink(link)).toMatchObject({ view });
  const drawn = encodeLink({ text: program }, { tensor: "x", drawing: "rows" });
  expect(drawn).toMatch(/&s=t:x,g:rows$/);
  expect(decodeLink(drawn)).toMatchObject({ view: { tensor: "x", drawing: "rows" } });
  const near = encodeLink({ text: program }, { zoom: 150 });
  expect(near).toMatch(/&s=z:150$/);
  expect(decodeLink(near)).toMatchObject({ view: { zoom: 150 } });
  expect(decodeLink(near.replace("z:150", "z:0"))).not.toHaveProperty("view.zoom");
  expect(decodeLink(drawn.replace("g:rows", "g:cubes"))).toMatchObject({ view: { tensor: "x" } });
  expect(decodeLink(`${encodeLink({ text: program })}&s=d:x,t:<b>,n:3`)).toMatchObject({
    view: { step: 3 },
  });
});

test("what is too large to share is said before it is shared", () => {
  const check = (document: SharedDocument) => checkShareable(document, encodeLink(document));
  expect(check({ text: program })).toBeUndefined();
  expect(check({ text: "a".repeat(300_000) })).toMatchObject({ refusal: "too-large" });
  const noise = Array.from({ length: 40_000 }, (_, at) => ((at * 7919 * at) % 65_521).toString(36));
  expect(check({ text: noise.join("") })).toMatchObject({ refusal: "too-large" });
});

test("the plans that one is held against come with it; a damaged one leaves the plan as it is", () => {
  const others = [{ text: "x = 2" }, { text: "{}", plan: "m" }];
  const link = encodeLink({ text: "x = 1" }, { tensor: "x" }, others);
  expect(link).toMatch(/^#p=[^&]+&b=[^&]+&b=[^&]+&s=t:x$/);
  const whole = { document: { text: "x = 1" }, view: { tensor: "x" } };
  expect(decodeLink(link)).toMatchObject({ ...whole, bases: others, dropped: [] });
  expect(decodeLink(link.replace("&b=1.0.", "&b=1.0.z"))).toMatchObject({
    ...whole,
    bases: [{ text: "{}", plan: "m" }],
    dropped: ["b"],
  });
  const second = encodeLink({ text: "x = 2" }).slice(3);
  const joined = `${encodeLink({ text: "x = 1", base: "x = 0" })}&b=${second}`;
  expect(decodeLink(joined)).toMatchObject({ bases: [{ text: "x = 0" }, { text: "x = 2" }] });
});
