import { expect, test } from "vitest";
import { compileText } from "#app/language-service";
import { challenges, type Lesson, lessonOf, lessons, parseSentence } from "#app/lessons";
import { halosOf } from "#app/scene/glyph";
import { tensorView } from "#app/state";
import { shownLayout } from "#compile";
import { glossary, sourceOf } from "./glossary.ts";

test.each(Object.entries(glossary))(
  "%s is explained in one sentence, short and whole",
  (_, word) => {
    expect(word.means).not.toMatch(/[.!?] /);
    for (const text of [word.means, word.elsewhere ?? "None."]) {
      expect(text).toMatch(/^[A-Z].*\.$|^nn[A-Z].*\.$/);
      expect(text.length).toBeLessThan(160);
    }
  },
);

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

/** What the page does with a text, not a plan: there is nothing to draw. */
const undrawn = ["planned", "stale"];

test.each(Object.entries(glossary))(
  "%s has its drawing and its lesson",
  async (word, explained) => {
    const { lesson, drawing } = explained;
    if (lesson !== undefined) expect(lessonOf(lesson)).toBeDefined();
    expect(drawing === undefined).toBe(undrawn.includes(word));
    if (drawing === undefined) return;
    const compiled = compileText((await sourceOf(drawing)) ?? "");
    const { graph, redistributions } = compiled.program;
    expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const { step, shows, tensor: name } = drawing;
    if (step !== undefined) expect(redistributions[step - 1]).toBeDefined();
    else if (shows !== undefined && shows !== "index") {
      expect(["time", "bound"]).toContain(shows);
      const scores = lessonOf(drawing.lesson ?? "")?.steps.flatMap(({ act }) => act?.score ?? []);
      if (shows === "bound") expect(scores?.map(({ figure }) => figure)).toEqual(["time"]);
      expect(compiled.cost.seconds).toBeGreaterThan(0);
    } else {
      const tensor = graph.tensors.find((each) => each.name === name);
      expect(tensor).toBeDefined();
      const view = tensor && tensorView(compiled, tensor.id);
      if (word === "set" || word === "inferred") expect(view?.status).toBe(word);
      const [reader] = graph.operators.filter((each) =>
        each.inputs.some(({ tensor: read }) => read === tensor?.id),
      );
      const halos = view && reader && halosOf(compiled, reader.id, view.tensor, shownLayout(view));
      expect(halos !== undefined).toBe(word === "halo");
    }
  },
);

test("each collective has the words of JAX, PyTorch, MindSpore and nnScaler", () => {
  const priced = Object.entries(glossary).filter(([, { cost }]) => cost !== undefined);
  expect(priced.length).toBeGreaterThan(5);
  for (const [word, { elsewhere }] of priced) {
    if (word === "ring") continue;
    for (const system of ["JAX", "PyTorch", "MindSpore", "nnScaler"])
      expect(elsewhere, word).toContain(`${system}: `);
  }
});
