import { expect, test, vi } from "vitest";
import type { Engine, Reply, Runner } from "#app/engine";
import { examples } from "#app/examples";
import { galleryDrawing } from "#app/scene";
import { layoutGraph } from "#app/scene/graph";
import * as share from "#app/share";
import { listTexts, type Shelf, type TextStorage } from "#app/texts";
import type { Compiled } from "#compile";
import { comparePolicies, compile, upstreamRun } from "#compile";
import { tensorId } from "#core/ir";
import type { Gesture } from "#edit";
import { testEngine } from "../engine/engine.testing.ts";
import { planCode } from "../engine/plan-code.ts";
import { equalReport } from "../engine/run-report.testing.ts";
import { brokenStorage, testShelf, testStorage } from "../texts/shelf.testing.ts";
import { createActions } from "./actions.ts";
import { fragmentOf } from "./address/opening.ts";
import { createAppStore, isStale, isWorking, selectedTensor, shown, titleOf } from "./index.ts";

/** Result of compiling any text in these tests, except for the diagnostics. */
const twoMatmuls = compile(examples[0]?.program ?? "");

const gesture: Gesture = { kind: "split", tensor: tensorId("w2"), dim: 0, axis: "mp" };

/** Compiles at once; a text with `!!` has an error, `??` is an internal fault. */
function promptEngine(): Engine {
  const compiled = (source: string): Compiled => ({
    ...twoMatmuls,
    source,
    diagnostics: source.includes("!!")
      ? [{ code: "python/syntax", severity: "error", message: "invalid syntax" }]
      : [],
  });
  const done = <T>(value: T): Reply<T> => ({ kind: "done", value });
  const compileOnScreen: Engine["compile"] = async (source) =>
    source.includes("??")
      ? { kind: "failed", message: "a bug" }
      : done({ compiled: compiled(source) });
  return testEngine(compileOnScreen, {
    "compile-aside": async ({ source }) => done(compiled(source)),
    gesture: async ({ source }) =>
      source.includes("#no")
        ? done({ outcome: { ok: false as const, reason: "mp already splits f" } })
        : done({
            outcome: {
              ok: true as const,
              label: "Split w2.k over mp",
              source: `${source}# split\n`,
            },
          }),
    preview: async () => done([]),
    assist: async ({ request }) =>
      request.kind === "rename" || request.kind === "rename-axis"
        ? done({ kind: "rename" as const, outcome: renameOutcome(request.name) })
        : done({ kind: "words" as const, words: [] }),
    draw: async ({ source }) =>
      source.includes("Mesh(ep")
        ? { kind: "failed", message: "a bug" }
        : done(galleryDrawing(twoMatmuls)),
    alternatives: async ({ source }) =>
      done(
        [1, 2, 3, 4].map((cost) => ({ label: `Change ${cost}`, source: `${source}# ${cost}\n` })),
      ),
    weigh: async ({ source }) => done(weightOf(source)),
    "upstream-run": async ({ source }) => done(upstreamRun(compiled(source))),
    recompute: async ({ source }) => done({ source, blocks: [] }),
    code: async ({ source, target }) => done(await planCode(compiled(source), target)),
    policies: async ({ source, redistribution }) =>
      done(policiesOf(compiled(source).program, redistribution)),
    layout: async ({ source, open }) => done(layoutGraph(compiled(source), new Set(open))),
  });
}

function policiesOf(program: Compiled["program"], redistribution: number) {
  const edge = program.redistributions.find(({ index }) => index === redistribution);
  return edge === undefined
    ? { tensorBytes: 0, ours: [], outcomes: [] }
    : comparePolicies(program, edge);
}

/**
 * A text that ends in `# n` takes n fifths of the time per unit; one with `# 3` or no number has no
 * weight.
 */
function weightOf(source: string) {
  const [, digit] = /# (\d)\n$/u.exec(source) ?? [];
  if (digit === undefined || digit === "3") return undefined;
  const seconds = (twoMatmuls.cost.seconds * Number(digit)) / 5;
  return { bytes: 1, peakBytes: 1, seconds, tensorBytes: 0 };
}

/** Runs at once: every program equals its unsharded version. */
const promptRunner: Runner = {
  run: async () => ({
    kind: "done",
    value: equalReport,
  }),
  look: async () => ({ kind: "nothing", why: "nothing has run" }),
  stop: () => {},
};

/** Accepts every new name except "taken". */
function renameOutcome(name: string) {
  if (name === "taken") return { ok: false as const, reason: "it is taken" };
  return { ok: true as const, label: `Rename to ${name}`, edits: [{ from: 0, to: 1, text: name }] };
}

function opened(
  address = "https://host/",
  storage: TextStorage = testStorage(),
  shelter: TextStorage = testStorage(),
) {
  const shelf = testShelf(storage, { shelter });
  const links = { now: () => share, load: async () => share };
  const services = { engine: promptEngine(), runner: promptRunner, links, storage, shelf };
  const store = createAppStore(services, address);
  const settled = async () => {
    while (isWorking(store.getState())) await Promise.resolve();
  };
  return { store, storage, shelf, services, settled, actions: createActions(store, services) };
}

/** The texts of the list. */
function listOf(shelf: Shelf): readonly string[] {
  return listTexts(shelf).map((each) => (each.kind === "text" ? each.text.source : "?"));
}

test("the first visit opens the first example and keeps nothing", async () => {
  const { store, storage, settled } = opened();
  await settled();
  expect(store.getState().document.source).toBe(examples[0]?.program);
  expect(titleOf(store.getState())).toBe(examples[0]?.title);
  expect(storage.keys()).toEqual([]);
});

test("of a broken text that took the place of a program nothing older is shown", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().commit("!! another text\nof two lines\n", "Typing");
  await settled();
  expect(store.getState().compiled.kind).toBe("ready");
  expect(shown(store.getState())?.source).toBe("!! another text\nof two lines\n");
  expect(store.getState().since).toBeUndefined();
  store.getState().undo();
  await settled();
  store.getState().commit(`${examples[0]?.program}!!`, "Typing");
  await settled();
  expect(isStale(store.getState())).toBe(true);
  expect(shown(store.getState())?.source).toBe(examples[0]?.program);
});

test("of a text that could not be worked out nothing older is shown either", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().commit("?? another text\nof two lines\n", "Typing");
  await settled();
  expect(store.getState().compiled).toEqual({ kind: "failed", message: "a bug" });
  expect(store.getState().drawing).toBeUndefined();
  expect(store.getState().laidOut).toBeUndefined();
});

test("a layout that an edit made pointless is asked for again, also where nothing else is drawn", async () => {
  const { store, services, settled } = opened();
  vi.spyOn(services.engine, "ask").mockResolvedValueOnce({ kind: "superseded" });
  await settled();
  expect(store.getState().laidOut).toBeUndefined();
  store.getState().commit(`${store.getState().document.source}# a comment\n`, "Typing");
  await settled();
  const { laidOut, drawing } = store.getState();
  expect(laidOut?.of).toBe(drawing?.drawn);
  expect(laidOut).toBeDefined();
});

test("an undo of a swap, and its redo, let the pinned plan follow", async () => {
  const { store, settled } = opened();
  await settled();
  const pinned = () => store.getState().baselines.map(({ compiled }) => compiled.source);
  const first = store.getState().document.source;
  store.getState().pinBaseline();
  store.getState().commit("second", "Typing");
  await settled();
  store.getState().swapBaseline();
  await settled();
  expect([store.getState().document.source, pinned()]).toEqual([first, ["second"]]);
  store.getState().undo();
  expect([store.getState().document.source, pinned()]).toEqual(["second", [first]]);
  store.getState().redo();
  expect([store.getState().document.source, pinned()]).toEqual([first, ["second"]]);
});

test("the page is working from the edit until the newest text is compiled", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().type("x = 1", 0);
  expect(isWorking(store.getState())).toBe(true);
  await settled();
  expect(shown(store.getState())?.source).toBe("x = 1");
});

test("a text with errors keeps the last good version, until it is mended", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().type("good", 0);
  await settled();
  store.getState().type("good !!", 10);
  await settled();
  expect(isStale(store.getState())).toBe(true);
  expect(shown(store.getState())?.source).toBe("good");
  store.getState().type("good again", 20);
  await settled();
  expect(isStale(store.getState())).toBe(false);
  expect(shown(store.getState())?.source).toBe("good again");
});

test("a first text with errors is shown as far as it could be read", async () => {
  const { store, settled } = opened("https://host/#src=x%20!!");
  await settled();
  expect(shown(store.getState())?.source).toBe("x !!");
  store.getState().type("x !! y", 0);
  await settled();
  expect(shown(store.getState())?.source).toBe("x !! y");
});

test("a fault of ours keeps the text and the last version", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().type("what ??", 0);
  await settled();
  expect(store.getState().compiled).toMatchObject({ kind: "failed", message: "a bug" });
  expect(store.getState().document.source).toBe("what ??");
  expect(isStale(store.getState())).toBe(true);
});

test("an edit keeps the draft; a later visit finds it", async () => {
  const first = opened();
  first.store.getState().type("mine", 0);
  const second = opened("https://host/", first.storage);
  expect(second.store.getState().document.source).toBe("mine");
  expect(titleOf(second.store.getState())).toBe("mine");
});

test("a shared plan never touches the draft, and its own edits are kept by its link", async () => {
  const storage = testStorage();
  opened("https://host/", storage).store.getState().type("mine", 0);
  const link = "https://host/#src=theirs";
  const { store, actions } = opened(link, storage);
  store.getState().type("theirs, edited", 0);
  const again = opened(link, storage);
  expect(again.store.getState().document.source).toBe("theirs, edited");
  expect(again.store.getState().textNote).toEqual({ kind: "edited-link", fragment: "#src=theirs" });
  again.actions.openSent("#src=theirs");
  expect(again.store.getState().document.source).toBe("theirs");
  expect(opened("https://host/#src=others", storage).store.getState().document.source).toBe(
    "others",
  );
  actions.openDraft();
  expect(store.getState().document.source).toBe("mine");
});

test("an edited link stays when another link is opened and edited", async () => {
  const storage = testStorage();
  const { store, actions, shelf } = opened("https://host/#src=one", storage);
  store.getState().type("one, edited", 0);
  actions.follow("https://host/#src=two");
  store.getState().type("two, edited", 0);
  expect(listOf(shelf).toSorted()).toEqual(["one, edited", "two, edited"]);
});

test("an address of a text that is not here shows one's own, and says so", async () => {
  const { store, actions } = opened("https://host/#draft=nowhere");
  expect(store.getState().textNote).toEqual({ kind: "missing" });
  store.getState().type("mine", 0);
  expect(store.getState().textNote).toBeUndefined();
  actions.follow("https://host/#draft=nowhere");
  expect(store.getState().document.source).toBe("mine");
  expect(store.getState().textNote).toEqual({ kind: "missing" });
});

test("a link that was only looked at is not kept, unless the reader says so", async () => {
  const { store, actions, shelf } = opened("https://host/#src=theirs");
  expect(titleOf(store.getState())).toBe("Shared plan (unsaved)");
  expect(listOf(shelf)).toEqual([]);
  actions.keepPlan();
  expect(listOf(shelf)).toEqual(["theirs"]);
  expect(titleOf(store.getState())).toBe("theirs");
});

test("a dropped file is kept at once, under its name, and its edits with it", async () => {
  const { store, actions, shelf, storage } = opened();
  actions.openFile(new TextEncoder().encode("x = 1\n"), "net.py");
  expect(titleOf(store.getState())).toBe("net.py");
  store.getState().type("x = 12\n", 0);
  expect(listOf(shelf)).toEqual(["x = 12\n"]);
  const address = `https://host/${fragmentOf(store.getState().shownText)}`;
  expect(opened(address, storage).store.getState().document.source).toBe("x = 12\n");
});

test("a damaged link is refused and leaves the draft open behind its page", async () => {
  const storage = testStorage();
  opened("https://host/", storage).store.getState().type("mine", 0);
  const { store } = opened("https://host/#p=1.0.zz.00000000.abc", storage);
  expect(store.getState().refusal).toMatchObject({ refusal: "damaged" });
  expect(store.getState().document.source).toBe("mine");
});

test("opening an example is one edit that undo takes back; the text before stays its own", async () => {
  const { store, actions, settled, shelf } = opened();
  store.getState().type("mine", 0);
  await settled();
  actions.openExample("mindspore-net");
  // All examples but the first load asynchronously.
  await expect
    .poll(() => store.getState().document.source)
    .toBe(examples.find(({ name }) => name === "mindspore-net")?.program);
  const example = store.getState().shownText.id;
  store.getState().undo();
  expect(store.getState().document.source).toBe("mine");
  expect(listOf(shelf)).toEqual(["mine"]);
  store.getState().type("mine too", 9_000);
  expect(listOf(shelf)).toEqual(["mine too"]);
  store.getState().undo();
  store.getState().redo();
  expect(store.getState().shownText.id).not.toBe(example);
});

test("of another program no change against the one before it is told", async () => {
  const { store, settled } = opened();
  await settled();
  await store.getState().gesture(gesture);
  await settled();
  expect(store.getState().since).toBeDefined();
  store.getState().commit("mesh = Mesh(q=3)\nr = Tensor((6, 9))\n", "Lesson");
  await settled();
  expect(store.getState().since).toBeUndefined();
});

test("a gesture is one labelled edit; what it changes is counted from the numbers before", async () => {
  const { store, settled } = opened();
  await settled();
  await store.getState().gesture(gesture);
  await settled();
  expect(store.getState().document.source).toMatch(/# split\n$/);
  expect(store.getState().history.past.map(({ label }) => label)).toEqual(["Split w2.k over mp"]);
  expect(store.getState().since).toMatchObject({ label: "Split w2.k over mp" });
});

test("a refused gesture says why and changes nothing", async () => {
  const { store, settled } = opened("https://host/#src=%23no");
  await settled();
  await store.getState().gesture(gesture);
  expect(store.getState().notice).toEqual({ kind: "refused", text: "mp already splits f" });
  expect(store.getState().document.source).toBe("#no");
});

test("gestures that go on with one another are one entry, in the order of the calls", async () => {
  const { store, settled } = opened();
  await settled();
  const { source } = store.getState().document;
  const resize = { kind: "resize-axis", axis: "mp", size: 1 } as const;
  void store.getState().gesture(resize);
  void store.getState().gesture({ ...resize, size: 16 }, { continues: true });
  await settled();
  expect(store.getState().document.source).toBe(`${source}# split\n# split\n`);
  expect(store.getState().history.past.length).toBe(1);
  store.getState().undo();
  expect(store.getState().document.source).toBe(source);
});

test("an axis is renamed through the text, and a name that cannot be says why", async () => {
  const { store, actions, settled } = opened();
  await settled();
  expect(await actions.renameAxis("mp", "taken")).toBe("it is taken");
  expect(await actions.renameAxis("mp", "tp")).toBeUndefined();
  expect(store.getState().document.change).toBe("Rename to tp");
});

test("two devices are pinned at most: a third takes the place of the second", () => {
  const { store } = opened();
  const pins = () => [store.getState().pinnedDevice, store.getState().comparedDevice];
  const seen = [0, 1, 2, 0, 2].map((device) => {
    store.getState().pinDevice(device);
    return pins();
  });
  expect(seen).toEqual([
    [0, undefined],
    [0, 1],
    [0, 2],
    [2, undefined],
    [undefined, undefined],
  ]);
});

test("what is inspected stays inspected when the text changes", async () => {
  const { store, settled } = opened();
  await settled();
  expect(store.getState().selection.tensor).toBe("w2");
  store.getState().type("something else", 0);
  await settled();
  expect(store.getState().selection.tensor).toBe("w2");
});

test("a full storage is said once; the text stays in the tab, and is kept when there is room", () => {
  const storage = testStorage();
  const shelter = testStorage();
  const { store, shelf } = opened("https://host/", storage, shelter);
  storage.isFull = true;
  store.getState().type("mine", 0);
  expect(store.getState().textNote).toEqual({ kind: "unsaved", where: "tab" });
  store.getState().noteText(undefined);
  store.getState().type("mine too", 0);
  expect(store.getState().textNote).toBeUndefined();
  const address = `https://host/${fragmentOf(store.getState().shownText)}`;
  expect(opened(address, storage, shelter).store.getState().document.source).toBe("mine too");
  storage.isFull = false;
  store.getState().type("mine too!", 0);
  expect(listOf(shelf)).toEqual(["mine too!"]);
  expect(shelter.keys()).toEqual([]);
});

test("where nothing can be kept it is said, and Back still finds the last character", () => {
  const { services } = opened("https://host/", brokenStorage(), brokenStorage());
  const store = createAppStore(services, "https://host/");
  const actions = createActions(store, services);
  store.getState().type("mine", 0);
  expect(store.getState().textNote).toEqual({ kind: "unsaved", where: "page" });
  const address = `https://host/${fragmentOf(store.getState().shownText)}`;
  actions.follow("https://host/#src=theirs");
  actions.follow(address);
  expect(store.getState().document.source).toBe("mine");
});

test("the share link opens the same text", async () => {
  const { store } = opened();
  store.getState().type("x = Tensor((8, 4))\n", 0);
  store.getState().openShare("https://host/");
  const { share } = store.getState();
  if (share.kind !== "open") throw new Error("no link");
  expect(share.tier.characters).toBe(share.address.length);
  expect(opened(share.address).store.getState().document.source).toBe("x = Tensor((8, 4))\n");
});

test("a link starts no run; a run that is asked for holds until the text changes", async () => {
  const { store, settled } = opened("https://host/#src=x%20=%201");
  await settled();
  expect(store.getState().run).toEqual({ kind: "none" });
  const run = store.getState().startRun();
  expect(isWorking(store.getState())).toBe(true);
  await run;
  expect(store.getState().run).toMatchObject({ kind: "done", verdict: { kind: "equal" } });
  store.getState().type("x = 2", 0);
  expect(store.getState().run).toEqual({ kind: "none" });
});

test("a cell that is wrong is shown on its device, and again does not let go of it", async () => {
  const { store, settled } = opened();
  await settled();
  const tensor = twoMatmuls.graph.tensors[0]?.id ?? tensorId("");
  const [, device] = twoMatmuls.program.devices;
  if (device === undefined) throw new Error("one device only");
  store.getState().showOn(tensor, device);
  store.getState().showOn(tensor, device);
  const { selection, pinnedDevice } = store.getState();
  expect({ tensor: selection.tensor, pinnedDevice }).toEqual({ tensor, pinnedDevice: device });
});

test("a rename is one edit with its label, and a refused one says why", async () => {
  const { store, settled, actions } = opened();
  await settled();
  store.getState().commit("x = 1\n", "Write");
  expect(await actions.rename(0, "taken")).toBe("it is taken");
  expect(await actions.rename(0, "rows")).toBeUndefined();
  expect(store.getState().document).toMatchObject({
    source: "rows = 1\n",
    change: "Rename to rows",
  });
});

test("an answer about a text that is gone is dropped", async () => {
  const { store, settled, actions } = opened();
  await settled();
  const asked = actions.assist({ kind: "words" });
  store.getState().commit("y = 1\n", "Write");
  expect(await asked).toBeUndefined();
  expect(await actions.assist({ kind: "words" })).toEqual({ kind: "words", words: [] });
});

test("cards of the gallery are drawn once each; a fault is one of its own card", async () => {
  const { store } = opened();
  const { openGallery, drawExample } = store.getState();
  openGallery(true);
  await Promise.all(["two-matmuls", "expert-parallel", "two-matmuls", "nothing"].map(drawExample));
  const { drawings, isGalleryOpen } = store.getState();
  expect(isGalleryOpen).toBe(true);
  expect([...drawings].map(([name, { kind }]) => [name, kind])).toEqual([
    ["two-matmuls", "drawn"],
    ["expert-parallel", "failed"],
  ]);
});

test("of the changes that make the plan cheaper the best two are kept, and taking one is one edit", async () => {
  const { store, settled } = opened();
  await settled();
  const { source } = store.getState().document;
  const [redistribution] = shown(store.getState())?.program.redistributions ?? [];
  if (redistribution === undefined) throw new Error("no redistribution");
  await store.getState().lookForAlternatives(redistribution);
  const { kind, tried, best } = store.getState().alternatives;
  expect([kind, tried, best.map(({ label }) => label)]).toEqual([
    "done",
    4,
    ["Change 1", "Change 2"],
  ]);
  const [first] = best;
  if (first === undefined) throw new Error("no alternative");
  store.getState().takeAlternative(first);
  expect(store.getState().document).toMatchObject({ source: first.source, change: "Change 1" });
  store.getState().takeAlternative(first);
  store.getState().undo();
  expect(store.getState().document.source).toBe(source);
  expect(store.getState().history.past).toEqual([]);
});

test("whoever comes back to a redistribution finds its alternatives, though the first search ends late", async () => {
  const { store, services, settled } = opened();
  await settled();
  const [redistribution] = shown(store.getState())?.program.redistributions ?? [];
  if (redistribution === undefined) throw new Error("no redistribution");
  const { lookForAlternatives } = store.getState();
  let supersede = () => {};
  const late = new Promise<{ kind: "superseded" }>((resolve) => {
    supersede = () => resolve({ kind: "superseded" });
  });
  vi.spyOn(services.engine, "ask").mockImplementationOnce(() => late);
  const first = lookForAlternatives(redistribution);
  await lookForAlternatives({ ...redistribution, index: redistribution.index + 1 });
  const again = lookForAlternatives(redistribution);
  supersede();
  await Promise.all([first, again]);
  const { kind, best } = store.getState().alternatives;
  expect([kind, best.map(({ label }) => label)]).toEqual(["done", ["Change 1", "Change 2"]]);
});

test("of a text that is no more no further change is tried, and whoever comes back to it begins anew", async () => {
  const { store, services, settled } = opened();
  await settled();
  const [redistribution] = shown(store.getState())?.program.redistributions ?? [];
  if (redistribution === undefined) throw new Error("no redistribution");
  const ask = vi.spyOn(services.engine, "ask");
  const tried = () => ask.mock.calls.filter(([kind]) => kind === "weigh").length;
  const looking = store.getState().lookForAlternatives(redistribution);
  store.getState().type(`${store.getState().document.source}# typed\n`, 0);
  await Promise.all([looking, settled()]);
  expect([store.getState().alternatives.kind, tried()]).toEqual(["none", 0]);
  store.getState().undo();
  await settled();
  await store.getState().lookForAlternatives(redistribution);
  expect([store.getState().alternatives.kind, tried()]).toEqual(["done", 4]);
});

test("a pinned plan stays the baseline while the text goes on, and swaps with it in one edit", async () => {
  const { store, settled } = opened();
  await settled();
  const first = store.getState().document.source;
  store.getState().pinBaseline();
  expect(store.getState().baseline?.name).toBe(examples[0]?.title);
  store.getState().type("second", 0);
  await settled();
  expect(store.getState().baseline?.compiled.source).toBe(first);
  store.getState().swapBaseline();
  expect(store.getState().document.source).toBe(first);
  expect(store.getState().baseline?.compiled.source).toBe("second");
  store.getState().undo();
  expect(store.getState().document.source).toBe("second");
  store.getState().unpinBaseline();
  expect(store.getState().baseline).toBeUndefined();
});

test("a link carries what is looked at and the baseline", async () => {
  const { store, settled } = opened();
  await settled();
  store.getState().pinBaseline();
  store.getState().type("x = Tensor((8, 4))\n", 0);
  store.getState().select({ tensor: tensorId("w2"), redistribution: 0 });
  store.getState().pinDevice(3);
  store.getState().showSheet("costs");
  store.getState().openShare("https://host/");
  const { share } = store.getState();
  if (share.kind !== "open") throw new Error("no link");
  const other = opened(share.address);
  await other.settled();
  await Promise.resolve();
  const { selection, pinnedDevice, sheetTab, baseline } = other.store.getState();
  expect({ selection, pinnedDevice, sheetTab }).toEqual({
    selection: { tensor: "w2", redistribution: 0 },
    pinnedDevice: 3,
    sheetTab: "costs",
  });
  expect(baseline?.compiled.source).toBe(examples[0]?.program);
});

test("three plans are pinned at most, a link carries them, and changes count from any", async () => {
  const { store, settled } = opened();
  await settled();
  for (const text of ["one", "two", "three"]) {
    store.getState().type(text, 0);
    await settled();
    store.getState().pinBaseline();
  }
  store.getState().pinBaseline();
  expect(store.getState().notice).toMatchObject({ kind: "refused", text: /pinned already/ });
  store.getState().type("four", 0);
  await settled();
  store.getState().pinBaseline();
  expect(store.getState().notice).toMatchObject({ text: /unpin one/ });
  const sources = () => store.getState().baselines.map(({ compiled }) => compiled.source);
  expect(sources()).toEqual(["one", "two", "three"]);
  const [first, second] = store.getState().baselines;
  if (first === undefined || second === undefined) throw new Error("three are pinned");
  store.getState().countFrom(first);
  store.getState().unpinBaseline(second);
  expect(sources()).toEqual(["one", "three"]);
  expect(store.getState().baseline).toBe(first);
  store.getState().swapBaseline(first);
  expect(store.getState().document.source).toBe("one");
  expect(sources()).toEqual(["four", "three"]);
  await settled();
  store.getState().openShare("https://host/");
  const { share } = store.getState();
  if (share.kind !== "open") throw new Error("no link");
  expect(share.address.match(/&b=/g)).toHaveLength(2);
  const other = opened(share.address);
  await other.settled();
  await expect
    .poll(() => other.store.getState().baselines.map(({ compiled }) => compiled.source))
    .toEqual(["four", "three"]);
});

test("a plan that is only looked at is not changed, and says where it can be", async () => {
  const { store, settled } = opened("https://host/#example=two-matmuls&m=embed");
  await settled();
  const { source } = store.getState().document;
  expect(store.getState().mode).toBe("embed");
  store.getState().type("x", 0);
  store.getState().commit("x", "Typing");
  await store.getState().gesture({ kind: "split", tensor: tensorId("w2"), dim: 0, axis: "mp" });
  expect(store.getState().document.source).toBe(source);
  expect(store.getState().notice).toEqual({ kind: "refused", text: "Open the plan to change it." });
});

test("plans are listed by their first line, the newest first, and open again", () => {
  const { store, actions, shelf } = opened();
  for (const text of ["# One\nx = 1", "\n  two = 2", "# Three"]) {
    actions.newPlan();
    store.getState().type(text, 0);
  }
  const names = listTexts(shelf).map((each) => (each.kind === "text" ? each.text.name : ""));
  expect(names).toEqual(["Three", "two = 2", "One"]);
  const [, two] = listTexts(shelf);
  if (two?.kind !== "text") throw new Error("there are three");
  actions.openPlan(two.text.id);
  expect(store.getState().document.source).toBe("\n  two = 2");
});

test("what earlier versions kept is taken over once, and nothing is left behind", () => {
  const storage = testStorage();
  storage.kept.set("shardboard.draft", "my draft");
  storage.kept.set("shardboard.aside", JSON.stringify(["aside one", "aside two"]));
  storage.kept.set("shardboard.visit", "#src=theirs\ntheirs, edited");
  const { store, shelf } = opened("https://host/", storage);
  expect(store.getState().document.source).toBe("my draft");
  const texts = ["aside one", "aside two", "my draft", "theirs, edited"];
  expect(listOf(shelf).toSorted()).toEqual(texts);
  expect(storage.keys().filter((key) => !key.startsWith("shardboard.text."))).toEqual([]);
  expect(listOf(opened("https://host/", storage).shelf).toSorted()).toEqual(texts);
});

test("what earlier versions kept stays where it is while there is no room", () => {
  const storage = testStorage();
  storage.kept.set("shardboard.draft", "my draft");
  storage.isFull = true;
  const write = storage.write;
  storage.write = (key, value) =>
    key === "shardboard.draft" ? !!storage.kept.set(key, value) : write(key, value);
  opened("https://host/", storage);
  expect(storage.kept.get("shardboard.draft")).toBe("my draft");
});

test("its own system runs a program only while that is looked at, and again for a new text", async () => {
  const { store, settled } = opened();
  await settled();
  const first = store.getState().document.source;
  expect(store.getState().upstreamRun).toEqual({ kind: "none" });
  store.getState().showUpstreamRun(true);
  expect(isWorking(store.getState())).toBe(true);
  await settled();
  const ready = { kind: "ready", source: first, run: { system: "nnscaler" } };
  expect(store.getState().upstreamRun).toMatchObject(ready);
  store.getState().commit(`${first}# more\n`, "Typing");
  await settled();
  expect(store.getState().upstreamRun).toMatchObject({ ...ready, source: `${first}# more\n` });
  store.getState().showUpstreamRun(false);
  store.getState().commit(first, "Typing");
  await settled();
  expect(store.getState().upstreamRun).toMatchObject({ source: `${first}# more\n` });
});

test("other systems are asked once what they would do on an edge", async () => {
  const { store, settled } = opened();
  await settled();
  const { program } = twoMatmuls;
  const [edge] = program.redistributions;
  if (edge === undefined) throw new Error("the first example redistributes");
  const asked = store.getState().askPolicies(edge);
  expect(isWorking(store.getState())).toBe(true);
  await asked;
  const { policies } = store.getState();
  expect(policies).toEqual({ of: edge, ...comparePolicies(program, edge) });
  await store.getState().askPolicies(edge);
  expect(store.getState().policies).toBe(policies);
});

test("of a program that sends nothing the last output is inspected: what it ends with", () => {
  const { store } = opened();
  const counted = "a = Tensor((4, 8))\nvalues, where = topk(a, 2)\ny = relu(values)\n";
  const compiled = compile(counted);
  expect(compiled.graph.outputs.length).toBe(2);
  store.setState({ compiled: { kind: "ready", shown: compiled } });
  expect(selectedTensor(store.getState())?.name).toBe("y");
});
