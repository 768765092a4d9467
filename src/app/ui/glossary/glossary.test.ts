import { expect, test } from "vitest";
import { challenges, type Lesson, lessonOf, lessons, parseSentence } from "#app/lessons";
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

/** Words that lessons use in their plain sense too. */
const plainToo = ["place", "slice", "group", "Σ"];

test.each(
  [...lessons, ...challenges].map((lesson, at, all) => [lesson.id, all.slice(0, at + 1)] as const),
)("%s: a word of the field that it uses has been marked by then", (_, upTo) => {
  const pieces = (all: readonly Lesson[]) =>
    all.flatMap(sentencesOf).flatMap((sentence) => parseSentence(sentence).pieces);
  const marked = pieces(upTo).flatMap((piece) => (piece.kind === "word" ? [piece.term] : []));
  const plain = pieces(upTo.slice(-1))
    .flatMap((piece) => (piece.kind === "plain" ? [piece.text] : []))
    .join(" ");
  const isUsed = (word: string) => new RegExp(`(?<![\\w-])${word}s?(?![\\w-])`, "iu").test(plain);
  const explained = Object.keys(glossary).filter((word) => word !== "k+" && isUsed(word));
  expect(explained.filter((word) => ![...marked, ...plainToo].includes(word))).toEqual([]);
});

function sentencesOf({ steps }: Lesson): readonly string[] {
  return steps.flatMap(({ say, reveal, hints, ask, act }) => [
    ...[say, reveal, ...hints, ask?.question ?? "", act?.task ?? ""],
    ...(ask?.kind === "choice" ? ask.options.flatMap(({ text, says = "" }) => [text, says]) : []),
    ...(ask?.kind === "order" ? ask.items.map(({ text }) => text) : []),
  ]);
}

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
