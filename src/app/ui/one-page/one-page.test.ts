import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { everyExample, examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { lessonOf } from "#app/lessons";
import { readFile } from "#app/share";
import { compile } from "#compile";
import { lessonPart } from "./lesson-part.ts";
import { onePage, type Slide } from "./one-page.ts";

const address = "https://board.example/#p=1.0.1.00000000.A&s=t:x";

function pageOf(text: string, lesson?: Parameters<typeof onePage>[0]["lesson"]): string {
  const compiled = compile(text);
  const page = onePage({
    ...{ compiled, title: "A <plan> & more", address, theme: "light" },
    ...(lesson !== undefined && { lesson }),
  });
  if (page === undefined) throw new Error("the plan fits into no page");
  return page;
}

function slidesIn(page: string): readonly Slide[] {
  const packed = /id="packed">([^<]*)</.exec(page)?.[1] ?? "";
  return JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString()).slides;
}

test("a page has the plan, its mesh, every hop and every tensor, and loads nothing", () => {
  const example = examples.find(({ name }) => name === "mindspore-net");
  if (example === undefined) throw new Error("the example is gone");
  const page = pageOf(example.program);
  const slides = slidesIn(page);
  expect(slides.slice(0, 3).map(({ title }) => title)).toEqual([
    "The whole plan",
    "Mesh",
    "Legend",
  ]);
  expect(slides.filter(({ svg }) => /hop [123] of 3/.test(svg))).toHaveLength(3);
  const tensors = compile(example.program).program.graph.tensors.map(({ name }) => name);
  expect(slides.filter(({ part }) => part === "Tensors").map(({ title }) => title)).toEqual(
    tensors,
  );
  expect(page).toContain("A &lt;plan&gt; &amp; more");
  const without = page.replace(`href="${address.replaceAll("&", "&amp;")}"`, "");
  expect(without).not.toMatch(/https?:\/\/(?!www\.w3\.org)|\bsrc=|\burl\((?!#)|\bfetch\(/);
});

test("a page that was saved is read back as the plan that it carries", () => {
  const page = pageOf('mesh = Mesh(d=2)\nx = Tensor((4, 4))\n# <a href="#p=9" rel="noopener">\n');
  const fragment = address.slice(address.indexOf("#"));
  expect(readFile(new TextEncoder().encode(page))).toEqual({ kind: "fragment", fragment });
});

test.each(["deepseek-v3-layer", "transformer-stack"])(
  "a page of %s has at most 700 kB, and says what it leaves out",
  (name) => {
    const example = everyExample.find((each) => each.name === name);
    if (example === undefined) throw new Error("the example is gone");
    const page = pageOf(exampleText(example));
    expect(new TextEncoder().encode(page).length).toBeLessThanOrEqual(700_000);
    const count = compile(exampleText(example)).program.graph.tensors.length;
    const drawn = slidesIn(page).filter(({ part }) => part === "Tensors").length;
    if (drawn < count) expect(page).toContain(`all but ${drawn} of ${count} tensors`);
    else expect(page).not.toContain("tensors.");
  },
);

test("a lesson stands in it with its figures and its answers folded away", () => {
  const lesson = lessonOf("one-matmul");
  if (lesson === undefined) throw new Error("the lesson is gone");
  const texts = new Map(Object.entries(lesson.texts).map(([name, text]) => [name, compile(text)]));
  const [text = ""] = Object.values(lesson.texts);
  const page = pageOf(text, lessonPart(lesson, texts, "light"));
  expect(page.match(/<h2>Step \d<\/h2>/g)).toHaveLength(lesson.steps.length);
  expect(page).toContain("<summary>What happens</summary>");
  expect(page).not.toMatch(/\{[a-z]+[^{}]*\}<\/p>|unknown/);
  expect(slidesIn(page).filter(({ part }) => part === "Lesson")).toHaveLength(texts.size);
});
