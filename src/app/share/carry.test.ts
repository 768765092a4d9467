import fc from "fast-check";
import { expect, test } from "vitest";
import { readFile, svgMetadata, withPngLink } from "./carry.ts";
import { encodeLink } from "./link.ts";

const fragment = encodeLink({ text: "x = Tensor((8, 4))\n" }, { tensor: "x", device: 3 });
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A picture of one pixel. */
const pixel = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (character) => character.charCodeAt(0),
);

test("a picture gives back the link that was put into it", () => {
  expect(readFile(withPngLink(pixel, fragment))).toEqual({ kind: "fragment", fragment });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><metadata>${svgMetadata(fragment).replaceAll("&", "&amp;")}</metadata></svg>`;
  expect(readFile(bytesOf(svg))).toEqual({ kind: "fragment", fragment });
});

test.each([
  ["a picture without a plan", pixel, "not-a-link"],
  ["a drawing without a plan", bytesOf("<svg></svg>"), "not-a-link"],
  [
    "a page that was not saved here",
    bytesOf(`<!doctype html><a href="${fragment}">`),
    "not-a-link",
  ],
  ["bytes that are no text", Uint8Array.of(0xff, 0xfe, 0x80), "not-a-link"],
  ["a text that is too long", bytesOf("x".repeat(300_000)), "too-large"],
])("%s is refused", (_, bytes, refusal) => {
  expect(readFile(bytes)).toMatchObject({ kind: "refused", refusal });
});

test("a file with an address is its link, any other text is a program", () => {
  expect(readFile(bytesOf(`https://host/${fragment}\n`))).toEqual({ kind: "fragment", fragment });
  expect(readFile(bytesOf("x = 1 # note\n"))).toEqual({ kind: "text", text: "x = 1 # note\n" });
});

test("no damaged picture throws", () => {
  const whole = withPngLink(pixel, fragment);
  const damaged = fc
    .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length))
    .map(([at, byte, end]) => {
      const copy = Uint8Array.from(whole);
      copy[at] = byte;
      return copy.slice(0, end);
    });
  fc.assert(
    fc.property(damaged, (bytes) => {
      expect(["fragment", "text", "refused"]).toContain(readFile(bytes).kind);
    }),
    { seed: 1, numRuns: process.env["SOAK"] === undefined ? 200 : 20_000 },
  );
});

test("a graph may be larger than any program, within its own bound", () => {
  const graph = `{ "nodes": [], "x": "${"a".repeat(300_000)}" }`;
  expect(readFile(bytesOf(graph)).kind).toBe("text");
  expect(readFile(bytesOf(`x = "${"a".repeat(300_000)}"`)).kind).toBe("refused");
  expect(readFile(bytesOf(`{${" ".repeat(17_000_000)}`)).kind).toBe("refused");
});
