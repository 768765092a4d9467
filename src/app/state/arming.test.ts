import { expect, test } from "vitest";
import type { Reply, Runner } from "#app/engine";
import { examples } from "#app/examples";
import { galleryDrawing } from "#app/scene";
import { layoutGraph } from "#app/scene/graph";
import * as share from "#app/share";
import { freshText } from "#app/texts";
import { compile } from "#compile";
import { operatorId, tensorId } from "#core/ir";
import { testEngine } from "../engine/engine.testing.ts";
import { equalReport } from "../engine/run-report.testing.ts";
import { testShelf } from "../texts/shelf.testing.ts";
import type { AppState } from "./app-state.ts";
import type { ActName } from "./arming.ts";
import { createAppStore } from "./store.ts";

const compiled = compile(examples[0]?.program ?? "");
const tensor = tensorId("h");
const target = { tensor, dim: 1 };

const done = <T>(value: T): Reply<T> => ({ kind: "done", value });

/** An engine that answers every request; it refuses an axis on dim 0. */
const engine = testEngine(async (source) => done({ compiled: { ...compiled, source } }), {
  "compile-aside": async () => done(compiled),
  gesture: async ({ source, gesture }) =>
    "dim" in gesture && gesture.dim === 0
      ? done({ outcome: { ok: false as const, reason: "it is taken" } })
      : done({ outcome: { ok: true as const, label: "An edit", source: `${source}#\n` } }),
  preview: async () => done([]),
  assist: async () => done({ kind: "words" as const, words: [] }),
  draw: async () => done(galleryDrawing(compiled)),
  alternatives: async () => done([]),
  weigh: async () => done(undefined),
  "upstream-run": async () => done(undefined),
  recompute: async ({ source }) => done({ source, blocks: [] }),
  code: async () => ({ kind: "failed", message: "no code is asked for" }),
  policies: async () => done({ tensorBytes: 0, ours: [], outcomes: [] }),
  layout: async () => done(layoutGraph(compiled, new Set())),
});

const runner: Runner = {
  run: async () => done(equalReport),
  look: async () => ({ kind: "nothing", why: "nothing has run" }),
  stop: () => {},
};

async function armed() {
  const shelf = testShelf();
  const links = { now: () => share, load: async () => share };
  const services = { engine, runner, links, shelf, storage: shelf.storage };
  const store = createAppStore(services, "https://host/");
  while (store.getState().pending > 0) await Promise.resolve();
  store.getState().armAxis("mp");
  return store;
}

type Given<Name extends ActName> = Parameters<AppState[Name]>;

const [redistribution] = compiled.program.redistributions;
if (redistribution === undefined) throw new Error("the example sends nothing");
const [device] = compiled.mesh.mesh.devices;
const other = freshText(testShelf(), { kind: "new" }, "Another");
const baseline = { name: "one", compiled };

/**
 * The arguments with which each action is called; a new action must be added to a list to compile.
 */
const ending: { readonly [Name in Exclude<ActName, keyof typeof keeping>]: Given<Name> } = {
  type: ["x = 1", 0],
  commit: ["x = 1", "An edit"],
  amend: ["x = 1", "An edit"],
  undo: [],
  redo: [],
  commitOther: ["x = 1", "Open it", other],
  openDocument: ["x = 1", other],
  openResults: [""],
  select: [{ operator: operatorId("h"), tensor }],
  pinDevice: [device ?? 0],
  orderDevices: ["physical"],
  showOn: [tensor, device ?? 0],
  armAxis: [undefined],
  openWord: ["hop"],
  dragTo: [{ axis: "dp", x: 1, y: 1 }],
  showFrame: [2],
  playStep: [1],
  play: [true],
  showHops: ["ring"],
  setTheme: ["dark"],
  drawTensors: ["device"],
  showProgramTab: ["outline"],
  showSheet: ["steps"],
  showLower: ["time"],
  openDrawer: [true],
  reveal: [{ from: 0, to: 1 }],
  openRun: ["layers"],
  closeRun: ["layers"],
  changeAlone: ["layers", true],
  drawPlan: ["rows"],
  gesture: [{ kind: "cycle", ...target }],
  choose: [target],
  showAs: [tensor, undefined],
  takeAlternative: [{ label: "A way", source: "x = 1", weight: weightless(), isWithout: false }],
  showUpstreamRun: [true],
  pinBaseline: [],
  unpinBaseline: [],
  countFrom: [baseline],
  swapBaseline: [baseline],
  openTable: ["comm"],
  markDifference: [false],
  showVariants: [true],
  openGallery: [true],
  openEvidence: [undefined],
  computeAgain: ["none"],
  computeAgainWithin: [1e9],
  set: [{ notation: "jax" }],
  openSheet: ["palette"],
  seek: [{ tensor }],
  openShare: ["https://host/"],
  present: [true],
  takeOptions: [{ mode: "whole" }],
  keepStation: [],
  dropStation: [0],
  closeShare: [],
  endHints: [],
  endWelcome: [],
  followHint: [other.id, 1],
  refuse: [undefined],
  startRun: [],
  cancelRun: [],
  showRun: [false],
  planFault: [{ how: "cut", tensor: "w" }],
  showValues: [true],
  setRun: [{ seed: 2 }],
  takeWeights: [undefined],
  notePublished: [{ kind: "none" }],
  lookAtRun: [{ kind: "tensor", tensor: tensorId("y") }],
  openPlanner: [true],
  showPlan: [true],
  pinPlan: [true],
  startPlan: [],
  cancelPlan: [],
};

const keeping = {
  compileSource: ["x = 1", undefined],
  forgetCompiled: [],
  place: [],
  forgetPlaces: [],
  arrangeBoard: [{ zoom: 1 }],
  showRunOf: ["layers[*]", "layers[1]"],
  fitBoard: [],
  tellOpen: [new Set()],
  forgetBoard: [],
  forgetRun: [],
  forgetPlan: [],
  planDesk: [],
  limitMemory: [1e9],
  preview: [[]],
  drawExample: ["two-matmuls"],
  askUpstreamRun: [],
  askBodies: [],
  askPolicies: [redistribution],
  lookForAlternatives: [redistribution],
  holdBaselines: [[]],
  keepSwapped: ["x = 1"],
  hoverDevice: [device],
  zoomGraph: [undefined],
  linkText: [0],
  linkParts: [{ tensor }],
  linkOperators: ["attn", []],
  focusAxis: ["dp"],
  lightPart: [undefined],
  say: [undefined],
  noteText: [undefined],
  countTexts: [],
  rememberRemoved: [undefined],
  remember: ["undo"],
} satisfies { readonly [Name in ActName]?: Given<Name> };

function weightless() {
  return { bytes: 0, peakBytes: 0, seconds: 0, tensorBytes: 0 };
}

/** Calls an action by its name. */
function call(state: AppState, name: string, given: readonly unknown[]): void {
  const act: unknown = new Map<string, unknown>(Object.entries(state)).get(name);
  if (typeof act !== "function") throw new Error(`${name} is no act`);
  void act(...given);
}

test("every act of the store stands in one of the two lists", async () => {
  const state = (await armed()).getState();
  const acts = Object.entries(state).flatMap(([name, act]) =>
    typeof act === "function" ? [name] : [],
  );
  expect([...Object.keys(ending), ...Object.keys(keeping)].sort()).toEqual(acts.sort());
});

test.each(Object.entries(ending))("%s lets go of the axis in hand", async (name, given) => {
  const store = await armed();
  call(store.getState(), name, given);
  expect(store.getState().armedAxis).toBeUndefined();
});

test.each(Object.entries(keeping))("%s leaves the axis in hand", async (name, given) => {
  const store = await armed();
  call(store.getState(), name, given);
  expect(store.getState().armedAxis).toBe("mp");
});

test.each<[string, (state: AppState) => unknown]>([
  ["a tensor that is looked at", ({ select }) => select({ tensor })],
  ["a tab with dims", ({ showSheet }) => showSheet("tensor")],
  ["a sheet that closes", ({ openSheet }) => openSheet(undefined)],
  ["choices that close", ({ choose }) => choose(undefined)],
  ["a drag that ends", ({ dragTo }) => dragTo(undefined)],
  [
    "a dim that refuses it",
    ({ gesture }) => gesture({ kind: "split", ...target, dim: 0, axis: "mp" }),
  ],
])("%s leaves the axis in hand", async (_what, act) => {
  const store = await armed();
  await act(store.getState());
  expect(store.getState().armedAxis).toBe("mp");
});

test("the axis in hand goes on a dim, and is let go of", async () => {
  const store = await armed();
  await store.getState().gesture({ kind: "split", ...target, axis: "mp" });
  expect(store.getState().armedAxis).toBeUndefined();
  expect(store.getState().document.change).toBe("An edit");
});

test("steps that play by themselves leave the axis in hand", async () => {
  const store = await armed();
  store.setState({ isPlaying: true });
  store.getState().showFrame(2);
  store.getState().playStep(1);
  store.getState().select({ redistribution: redistribution.index });
  expect(store.getState().armedAxis).toBe("mp");
});
