import { expect, test } from "vitest";
import { lessonOf, lessons, parseSentence } from "#app/lessons";
import { compile } from "#compile";
import { glossary } from "./glossary.ts";

test.each(Object.entries(glossary))("%s is explained in whole short sentences", (_, word) => {
  for (const text of [word.means, word.elsewhere ?? "None."]) {
    expect(text).toMatch(/^[A-Z].*\.$|^nn[A-Z].*\.$/);
    expect(text.length).toBeLessThan(160);
  }
});

test("the words that a first plan shows are there", () => {
  const words = ["set", "inferred", "assumed", "k+", "Σ", "index space", "pinned", "proven"];
  expect(Object.keys(glossary)).toEqual(expect.arrayContaining(words));
  expect(Object.keys(glossary)).toEqual(
    expect.arrayContaining(["exposed", "hidden", "gap", "bound", "MFU"]),
  );
});

test("every word that a lesson explains or marks is explained, and every lesson is there", () => {
  const marked = lessons.flatMap(({ words, steps }) => [
    ...words,
    ...steps.flatMap(({ say, reveal, hints }) =>
      [say, reveal, ...hints].flatMap((sentence) =>
        parseSentence(sentence).pieces.flatMap((piece) =>
          piece.kind === "word" ? [piece.term] : [],
        ),
      ),
    ),
  ]);
  expect(marked.length).toBeGreaterThan(40);
  expect(marked.filter((word) => !Object.hasOwn(glossary, word))).toEqual([]);
  expect(Object.keys(glossary).length).toBeGreaterThan(45);
});

test("what a word is shown by is there", () => {
  const missing = Object.entries(glossary).filter(([, { lesson, drawing }]) => {
    if (lesson !== undefined && lessonOf(lesson) === undefined) return true;
    if (drawing === undefined) return false;
    const source = lessonOf(drawing.lesson)?.texts[drawing.text];
    if (source === undefined) return true;
    const { program } = compile(source);
    return drawing.step === undefined
      ? !program.graph.tensors.some(({ name }) => name === drawing.tensor)
      : program.redistributions[drawing.step - 1] === undefined;
  });
  expect(missing.map(([word]) => word)).toEqual([]);
});
