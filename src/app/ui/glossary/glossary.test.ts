import { expect, test } from "vitest";
import { compileText } from "#app/language-service";
import { challenges, type Lesson, lessonOf, lessons, parseSentence } from "#app/lessons";
import { halosOf } from "#app/scene/glyph";
import { tensorView } from "#app/state";
import { shownLayout } from "#compile";
import { glossary, sourceOf, systemsOf, thenOf } from "./glossary.ts";

test.each(Object.entries(glossary))(
  "%s is explained in one sentence, short and whole",
  (_, word) => {
    expect(word.means).not.toMatch(/[.!?] /);
    expect(word.means).toMatch(/^[A-Z].*\.$/);
    expect(word.means.length).toBeLessThan(160);
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

/** Words of the glossary that lessons also use in their everyday sense. */
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
  return steps.flatMap(({ say, how, reveal, hints, ask, act }) => [
    ...[
      say,
      how?.wide ?? "",
      how?.touch ?? "",
      reveal,
      ...hints,
      ask?.question ?? "",
      act?.task ?? "",
    ],
    ...(ask?.kind === "choice" ? ask.options.flatMap(({ text, says = "" }) => [text, says]) : []),
    ...(ask?.kind === "number" ? (ask.mistakes ?? []).map(({ says }) => says) : []),
    ...(ask?.kind === "order" ? ask.items.map(({ text }) => text) : []),
  ]);
}

test.each(Object.entries(glossary))(
  "%s has its drawing and its lesson",
  async (word, explained) => {
    const { lesson, drawing } = explained;
    if (lesson !== undefined) expect(lessonOf(lesson)).toBeDefined();
    const source = (await sourceOf(drawing)) ?? "";
    const compiled = compileText(source);
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

/** The text of a drawing and what it becomes, compiled. */
async function drawnOf(word: string) {
  const drawing = glossary[word]?.drawing ?? {};
  const source = (await sourceOf(drawing)) ?? "";
  return [compileText(source), compileText(thenOf(drawing, source) ?? "")] as const;
}

test("what the planner writes makes the plan faster", async () => {
  const [before, after] = await drawnOf("planned");
  expect(after.cost.seconds).toBeLessThan(before.cost.seconds);
});

test("what is written into a text whose plan is stale is an error", async () => {
  const [, broken] = await drawnOf("stale");
  expect(broken.diagnostics.map(({ severity }) => severity)).toContain("error");
});

const systems = ["JAX", "PyTorch", "MindSpore", "nnScaler"];

test.each(Object.entries(glossary))(
  "%s: each system has a word, or says that it has none",
  (_, word) => {
    expect(Object.keys(word.elsewhere)).toEqual(expect.arrayContaining(systems));
    for (const name of Object.values(word.elsewhere)) {
      expect(name).toMatch(/^(no word of its own: )?\S.*[^.:]$/u);
      expect(name.length).toBeLessThan(100);
    }
    expect(systemsOf(word).map(([, name]) => name)).toHaveLength(
      new Set(Object.values(word.elsewhere)).size,
    );
  },
);
