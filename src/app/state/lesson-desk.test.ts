import { expect, test } from "vitest";
import type { Engine, Runner } from "#app/engine";
import { type Lesson, lessonOf } from "#app/lessons";
import * as share from "#app/share";
import { listTexts } from "#app/texts";
import { compile } from "#compile";
import { testEngine } from "../engine/engine.testing.ts";
import { testShelf, testStorage } from "../texts/shelf.testing.ts";
import { createActions } from "./actions.ts";
import { loadExamples } from "./address/known-examples.ts";
import { fragmentOf } from "./address/opening.ts";
import { createAppStore, exampleOf, titleOf } from "./index.ts";
import { loadLessons } from "./known-lessons.ts";

/** An engine that compiles like the worker and supports no other request. */
function compiling(asked: string[]): Engine {
  return testEngine(async (source) => ({ kind: "done", value: { compiled: compile(source) } }), {
    "compile-aside": async ({ source }) => {
      asked.push(source);
      return { kind: "done", value: compile(source) };
    },
  });
}

const noRunner: Runner = {
  run: async () => ({ kind: "superseded" }),
  look: async () => ({ kind: "nothing", why: "nothing has run" }),
  stop: () => {},
};

async function opened(address = "https://host/") {
  await loadLessons();
  const storage = testStorage();
  const shelf = testShelf(storage);
  const links = { now: () => share, load: async () => share };
  const asked: string[] = [];
  const services = { engine: compiling(asked), runner: noRunner, links, storage, shelf };
  const store = createAppStore(services, address);
  const actions = createActions(store, services);
  return { store, storage, shelf, actions, asked, desk: await actions.lessons() };
}

const uncut = lessonOf("one-matmul")?.texts["uncut"];

test("a lesson opens over the plan on the board, one undo away, and leaving puts that back", async () => {
  const { store, desk, shelf } = await opened();
  store.getState().commit("mine = Tensor((4, 4))\n", "Typing");
  const before = listTexts(shelf);
  desk.open("one-matmul");
  expect(store.getState().document.source).toBe(uncut);
  expect(fragmentOf(store.getState().shownText)).toBe("#lesson=one-matmul");
  store.getState().commit(`${uncut}strategy(y, m="d")\n`, "Typing");
  expect(listTexts(shelf)).toEqual(before);
  desk.leave();
  expect(store.getState().lesson).toBeUndefined();
  expect(store.getState().document.source).toBe("mine = Tensor((4, 4))\n");
  expect(listTexts(shelf)).toEqual(before);
  desk.open("one-matmul");
  store.getState().undo();
  expect(store.getState().document.source).toBe("mine = Tensor((4, 4))\n");
});

test("a lesson that begins with the text of an example has its own title", async () => {
  const { store } = await opened("https://host/#lesson=gather-travels");
  await loadExamples();
  expect(exampleOf(store.getState())).toBeDefined();
  expect(titleOf(store.getState())).toBe("How a gather travels");
});

test("an answer is given once, a reset asks again, and steps keep what was answered", async () => {
  const { store, desk } = await opened("https://host/#lesson=one-matmul");
  const answers = () => [...(store.getState().lesson?.answers ?? [])];
  desk.answer({ kind: "choice", at: 0 });
  desk.answer({ kind: "choice", at: 2 });
  expect(answers()).toEqual([[0, { kind: "choice", at: 0 }]]);
  desk.goTo(1);
  expect(fragmentOf(store.getState().shownText)).toBe("#lesson=one-matmul&step=2");
  expect(answers()).toHaveLength(1);
  desk.meet();
  desk.showHint();
  desk.reset();
  expect(store.getState().lesson).toMatchObject({ at: 1, hints: 0, met: new Map(), resets: 1 });
  desk.goTo(0);
  desk.reset();
  expect(answers()).toEqual([]);
  desk.goTo(99);
  expect(store.getState().lesson?.at).toBe(1);
});

test("what a press of one step could not do is not offered in the next", async () => {
  const { store, desk } = await opened("https://host/#lesson=columns-then-rows&step=2");
  for (const go of [() => desk.goTo(2), desk.reset]) {
    store.getState().say({ kind: "refused", text: "“tp” already splits “n” of “w2”" });
    go();
    expect(store.getState().notice).toBeUndefined();
  }
});

test("a reset leaves no moment in which the plan before meets the goal once more", async () => {
  const { store, desk } = await opened("https://host/#lesson=one-matmul&step=2");
  const solved = lessonOf("one-matmul")?.texts["columns"] ?? "";
  store.getState().commit(solved, "Split y.n");
  // Like the panel, reports the goal as met once the text solves it.
  store.subscribe(({ lesson, document }) => {
    if (lesson?.met.has(1) === false && document.source === solved) desk.meet();
  });
  desk.meet();
  desk.reset();
  expect(store.getState().lesson?.met.size).toBe(0);
});

test("a step that keeps the board leaves its text, and has an address of its own", async () => {
  const { store, desk } = await opened("https://host/#lesson=gather-travels");
  const edited = `${store.getState().document.source}# mine\n`;
  store.getState().commit(edited, "Typing");
  desk.goTo(1);
  expect(store.getState().document.source).toBe(edited);
  expect(fragmentOf(store.getState().shownText)).toBe("#lesson=gather-travels&step=2");
  desk.reset();
  expect(store.getState().document.source).not.toBe(edited);
});

test("the texts of a lesson are compiled, and its figures with them", async () => {
  const { store, desk } = await opened("https://host/#lesson=zero");
  await desk.loadTexts();
  expect([...(store.getState().lesson?.texts.keys() ?? [])]).toEqual([
    "dp",
    "zero1",
    "zero2",
    "zero3",
  ]);
});

test("texts that two panels ask for at once are compiled once", async () => {
  const { store, desk, asked } = await opened("https://host/#lesson=zero");
  await Promise.all([desk.loadTexts(), desk.loadTexts()]);
  expect(store.getState().lesson?.texts.size).toBe(4);
  expect(asked).toHaveLength(4);
});

test("a plan that meets a goal is kept, of a challenge the best, and the result has it", async () => {
  const { store, desk } = await opened("https://host/#lesson=challenge-limit");
  const metText = () => store.getState().lesson?.met.get(0)?.text;
  expect(await desk.resultLink()).toBeUndefined();
  await desk.loadTexts();
  desk.meet({ stars: 2, share: 0.95 });
  const first = metText();
  store.getState().commit(`${first}# slower\n`, "Typing");
  desk.meet({ stars: 1, share: 0.5 });
  expect(metText()).toBe(first);
  store.getState().commit(`${first}# faster\n`, "Typing");
  desk.meet({ stars: 3, share: 1 });
  expect(metText()).toBe(`${first}# faster\n`);
  expect(desk.progress().stars).toEqual(new Map([["challenge-limit", 3]]));
  const link = await desk.resultLink();
  const read = share.decodeText("result", link ?? "");
  expect(read.kind === "text" && JSON.parse(read.text)).toMatchObject({
    lesson: "challenge-limit",
    plans: { 1: `${first}# faster\n` },
  });
});

test("a lesson that is written is shown over the board, and leaving gives the plan back", async () => {
  const { store, desk, shelf } = await opened();
  store.getState().commit("mine = Tensor((4, 4))\n", "Typing");
  const before = listTexts(shelf);
  const own = { ...lessonOf("zero"), id: "own" } as Lesson;
  desk.preview(own, 7);
  expect(store.getState().lesson).toMatchObject({ lesson: own, at: 2 });
  expect(store.getState().document.source).toBe("mine = Tensor((4, 4))\n");
  store.getState().commit("tried = Tensor((8, 4))\n", "Typing");
  expect(listTexts(shelf)).toEqual(before);
  desk.leave();
  expect(store.getState().document.source).toBe("mine = Tensor((4, 4))\n");
});

test("an address opens results, one or none yet, over the reader's own plan", async () => {
  const { store, actions } = await opened("https://host/#results");
  expect(store.getState()).toMatchObject({ sheet: "results", results: "" });
  actions.follow("https://host/#result=1.0.a");
  expect(store.getState()).toMatchObject({ sheet: "results", results: "#result=1.0.a" });
});

test("what was gone through is kept, and nothing else is taken for it", async () => {
  const { storage, desk } = await opened("https://host/#lesson=zero");
  desk.finish();
  expect(desk.progress().done).toEqual(new Set(["zero"]));
  storage.write("shardboard.lessons", '{"done": ["a", 3, null]}');
  expect(desk.progress().done).toEqual(new Set(["a"]));
  storage.write("shardboard.lessons", "[damaged");
  expect(desk.progress().done).toEqual(new Set());
});

test.each([
  ["#lesson=nonexistent", "There is no lesson named “nonexistent”."],
  ["#lesson=%7B%22id%22:1%7D", "The lesson of this link cannot be read: "],
])("%s is said", async (fragment, why) => {
  const { store } = await opened(`https://host/${fragment}`);
  const note = store.getState().textNote;
  expect(note?.kind === "no-lesson" ? note.why : "").toContain(why);
  expect(store.getState().lesson).toBeUndefined();
});

test("a text that is a lesson opens as one; one that cannot be read is said, another is none", async () => {
  const { store, actions } = await opened();
  const { source } = store.getState().document;
  for (const text of ["x = Tensor((4, 4))", '{"steps": []}', '{"steps": [], "texts": {}']) {
    expect(actions.openLessonText(text)).toBe(false);
  }
  expect(actions.openLessonText('{"steps": [], "texts": {}}')).toBe(true);
  const why = () => {
    const note = store.getState().textNote;
    return note?.kind === "no-lesson" ? note.why : "";
  };
  await expect.poll(why).toContain("This lesson cannot be read: ");
  expect(store.getState().document.source).toBe(source);
  const mine = { ...lessonOf("one-matmul"), id: "mine", title: "A lesson of mine" };
  expect(actions.openLessonText(`\ufeff${JSON.stringify(mine)}\n`)).toBe(true);
  await expect.poll(() => store.getState().lesson?.lesson.title).toBe("A lesson of mine");
  expect(store.getState().document.source).toBe(uncut);
});

test("another address closes the lesson, an example that is opened does not", async () => {
  const { store, actions } = await opened("https://host/#lesson=zero&step=2");
  expect(store.getState().lesson?.at).toBe(1);
  actions.openExample("two-matmuls");
  expect(store.getState().lesson).toBeDefined();
  actions.follow("https://host/#new");
  expect(store.getState().lesson).toBeUndefined();
  actions.follow("https://host/#word=hop");
  expect(store.getState()).toMatchObject({ sheet: "words", word: "hop" });
});
