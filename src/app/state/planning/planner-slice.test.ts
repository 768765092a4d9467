import { beforeAll, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type {
  MixedPlan,
  PartsProgress,
  PartsResult,
  PlanAnswer,
  Planned,
  Planner,
  PlanProgress,
  Reply,
  SplitOption,
  SplitOptionsProgress,
  SplitOptionsResult,
  SurveyProgress,
  SurveyResult,
} from "#app/engine";
import { tensorId } from "#core/ir";
import { idleSurvey } from "./idle-survey.ts";
import { plannerSlice } from "./planner-slice.ts";
import { isPlanBeside, type PlannerFields } from "./planning.ts";

const planned: Planned = {
  kind: "planned",
  source: "x = 2",
  before: 2e-3,
  seconds: 1e-3,
  bound: 1e-3,
  computeSeconds: 4e-4,
  held: [],
  communicationSeconds: 6e-4,
  hiddenSeconds: 0,
  limit: "device",
  bytes: 8,
  model: "a device",
  changes: [],
  patterns: [],
  sentences: [],
  pins: [],
  sizes: [],
  notes: [],
};

/** A plan with some of its parts left out. */
function mixedPlan(source: string, seconds: number): MixedPlan {
  const { computeSeconds, communicationSeconds, hiddenSeconds, limit, held, bytes } = planned;
  const figures = { computeSeconds, communicationSeconds, hiddenSeconds, limit, held, bytes };
  return { ...figures, source, seconds, sentBytes: 3, sentences: [], lines: 1, gone: [] };
}

/** Loads the desk before the tests, which do not wait for its import. */
beforeAll(() => import("./plan-desk.ts"));

const taken = (value: PlanAnswer): Reply<PlanAnswer> => ({ kind: "done", value });

/** Searches and surveys controlled by the test; a newer one supersedes the older. */
function opened() {
  const asked: unknown[] = [];
  const said: string[] = [];
  const labels: string[] = [];
  const ends: ((reply: Reply<PlanAnswer>) => void)[] = [];
  const says: ((news: PlanProgress) => void)[] = [];
  const surveys: {
    readonly say: (news: SurveyProgress) => void;
    readonly end: (reply: Reply<SurveyResult>) => void;
  }[] = [];
  const weighed: {
    readonly say: (news: SplitOptionsProgress) => void;
    readonly end: (reply: Reply<SplitOptionsResult>) => void;
  }[] = [];
  const parted: unknown[] = [];
  const parts: {
    readonly say: (news: PartsProgress) => void;
    readonly end: (reply: Reply<PartsResult>) => void;
  }[] = [];
  const stop = () => ends.at(-1)?.({ kind: "superseded" });
  const planner: Planner = {
    plan: {
      begin: (request, hear) => {
        stop();
        asked.push(request);
        says.push(hear);
        return new Promise((settle) => ends.push(settle));
      },
      stop,
    },
    survey: {
      begin: (request, say) => {
        asked.push(request);
        return new Promise((end) => surveys.push({ say, end }));
      },
      stop: () => surveys.at(-1)?.end({ kind: "superseded" }),
    },
    ways: {
      begin: (request, say) => {
        asked.push(request);
        return new Promise((end) => weighed.push({ say, end }));
      },
      stop: () => weighed.at(-1)?.end({ kind: "superseded" }),
    },
    parts: {
      begin: (request, say) => {
        parted.push(request);
        return new Promise((end) => parts.push({ say, end }));
      },
      stop: () => parts.at(-1)?.end({ kind: "superseded" }),
    },
    nearest: { begin: async () => ({ kind: "superseded" }), stop: () => {} },
  };
  const store = createStore<PlannerFields>()((...api) => ({
    document: { source: "x = 1", opening: 0 },
    compiled: { kind: "compiling" },
    commit: (source, label) => {
      labels.push(label);
      api[0]({ document: { source, opening: 0 } });
      api[1]().forgetPlan();
    },
    chosen: undefined,
    showSheet: () => {},
    say: (notice) => said.push(notice?.text ?? ""),
    fitBoard: () => {},
    ...plannerSlice(async () => planner)(...api),
  }));
  return {
    store,
    asked,
    said,
    labels,
    ends,
    says,
    surveys,
    weighed,
    parts,
    parted,
    planning: () => store.getState().planning,
  };
}

/**
 * A search that has begun, wrapped in an object, since awaiting the search itself would not end.
 */
async function begun() {
  const all = opened();
  const done = all.store.getState().startPlan();
  await expect.poll(() => all.ends.length).toBe(1);
  return { ...all, done: { ended: done } };
}

async function deskOf({ getState }: { readonly getState: () => PlannerFields }) {
  const desk = await getState().planDesk();
  if (desk === undefined) throw new Error("no desk");
  return desk;
}

async function found(value: Planned = planned) {
  const all = await begun();
  all.ends[0]?.(taken(value));
  await all.done.ended;
  const desk = await deskOf(all.store);
  const apply = () => {
    const now = all.planning();
    if (now.kind === "done") desk.apply(now);
  };
  return { ...all, desk, apply };
}

test("a search asks with the limit, opens the panel and keeps what it finds", async () => {
  const { store, asked, ends, planning } = opened();
  store.getState().limitMemory(8e9);
  const done = store.getState().startPlan();
  expect(planning()).toEqual({ kind: "searching", of: "x = 1", stage: "reading" });
  expect(store.getState().isPlannerOpen).toBe(true);
  await expect.poll(() => ends.length).toBe(1);
  ends[0]?.(taken(planned));
  await done;
  expect(asked).toEqual([{ source: "x = 1", whatIf: {}, memoryLimit: 8e9 }]);
  expect(planning()).toEqual({ kind: "done", of: "x = 1", planned, whatIf: {} });
});

test("what was found holds of the text before and after it is applied, and of no other", async () => {
  const { store, planning, apply } = await found();
  apply();
  expect(store.getState().document.source).toBe("x = 2");
  expect(planning().kind).toBe("done");
  store.getState().commit("x = 1", "Undo");
  expect(planning().kind).toBe("done");
  store.getState().commit("x = 3", "Another");
  expect(planning()).toEqual({ kind: "idle", note: "The text is another one now." });
});

test("a search that is cancelled, or whose text is edited, leaves the text as it is", async () => {
  const acts = [
    ["x = 1", ({ cancelPlan }: PlannerFields) => cancelPlan()],
    ["x = 2", ({ commit }: PlannerFields) => commit("x = 2", "Edit")],
  ] as const;
  for (const [source, act] of acts) {
    const { store, planning, done } = await begun();
    act(store.getState());
    await done.ended;
    expect(planning().kind).toBe("idle");
    expect(store.getState().document.source).toBe(source);
  }
});

test("a search that is begun for the newest text goes on when that is compiled", async () => {
  const { store, planning } = await begun();
  store.getState().forgetPlan();
  expect(planning().kind).toBe("searching");
});

test("the plan has the place beside the canvas until a tensor is picked, unless it is pinned", async () => {
  const { store } = await found();
  const isBeside = () => isPlanBeside(store.getState());
  expect(isBeside()).toBe(true);
  store.setState({ chosen: { redistribution: 2 } });
  expect(isBeside()).toBe(true);
  store.setState({ chosen: { tensor: tensorId("h") } });
  expect(isBeside()).toBe(false);
  store.getState().pinPlan(true);
  expect(isBeside()).toBe(true);
  store.getState().pinPlan(false);
  store.getState().showPlan(true);
  expect(isBeside()).toBe(true);
  store.getState().showPlan(false);
  expect(isBeside()).toBe(false);
});

test("the parts of a plan are weighed again when one is left out, and nothing older is shown", async () => {
  const all = await found();
  const now = all.planning();
  if (now.kind !== "done") throw new Error(now.kind);
  const desk = await deskOf(all.store);
  const status = () => all.store.getState().parts;
  const part = {
    key: "mlp",
    kind: "operators",
    words: "k over tp",
    count: 1,
    operators: [],
  } as const;
  const effect = { seconds: -1, bytes: 2, sentBytes: 3 };
  void desk.weighParts(now, new Set());
  all.parts[0]?.say({ kind: "parts", parts: [part] });
  all.parts[0]?.say({ kind: "mixed", mixed: mixedPlan("x = 7", 3e-3) });
  all.parts[0]?.say({ kind: "effect", key: "mlp", effect });
  expect(status()).toMatchObject({ kind: "running", parts: [part], mixed: { source: "x = 7" } });
  expect(status()?.effects.get("mlp")).toEqual(effect);
  void desk.weighParts(now, new Set(["mlp"]));
  expect(status()?.mixed).toBeUndefined();
  expect(status()).toMatchObject({ kind: "running", parts: [part], effects: new Map() });
  expect(all.parted.at(-1)).toMatchObject({ planned: planned.source, left: ["mlp"] });
  all.parts[1]?.end({ kind: "done", value: { kind: "refused", message: "no" } });
  await expect.poll(() => status()?.note).toBe("no");
  all.store.getState().commit("x = 9", "Edit");
  expect(status()).toBeUndefined();
});

test("what is written of a plan in part is called by what that part takes", async () => {
  const all = await found();
  const now = all.planning();
  if (now.kind !== "done") throw new Error(now.kind);
  const desk = await deskOf(all.store);
  void desk.weighParts(now, new Set(["mlp"]));
  all.parts[0]?.say({ kind: "mixed", mixed: mixedPlan("x = 7", 1.5e-3) });
  desk.apply({ ...now, whole: planned.source ?? "", planned: { ...planned, source: "x = 7" } });
  expect(all.labels).toEqual(["Part of a plan of 1.50 ms"]);
  desk.apply(now);
  expect(all.labels.at(-1)).toBe("Plan of 1.00 ms");
});

test("a search that is cancelled before its code is there asks nothing, and says that it ended", async () => {
  const { store, asked, said, planning } = opened();
  const done = store.getState().startPlan();
  store.getState().cancelPlan();
  await done;
  expect(asked).toEqual([]);
  const note = "The search is cancelled. The text stays as it is.";
  expect(planning()).toEqual({ kind: "idle", note });
  expect(said).toEqual([note]);
});

test("the best plan so far stays when a search is stopped, and says that it was", async () => {
  const { store, says, planning, done } = await begun();
  says[0]?.({ kind: "found", planned: { ...planned, seconds: 3e-3 } });
  says[0]?.({ kind: "stage", stage: "writing" });
  says[0]?.({ kind: "found", planned });
  store.getState().cancelPlan();
  await done.ended;
  const best = { of: "x = 1", planned, whatIf: {} };
  expect(planning()).toEqual({ ...best, kind: "done", isStopped: true });
});

test("a plan under other values stands beside the one before", async () => {
  const { store, ends, desk, asked, planning } = await found();
  const done = desk.tryValues({ bandwidth: 2 });
  expect(planning()).toMatchObject({ kind: "searching", last: { planned } });
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(taken({ ...planned, seconds: 5e-4 }));
  await done;
  expect(asked.at(-1)).toMatchObject({ whatIf: { bandwidth: 2 } });
  expect(planning()).toMatchObject({ beside: planned, whatIf: { bandwidth: 2 } });
  expect(store.getState().document.source).toBe("x = 1");
});

test("values that an applied plan writes are tried no more, those without a place still are", async () => {
  const faster = { bandwidth: 2, sizes: { batch: 4 } };
  for (const [asNamed, rest] of [
    [{}, {}],
    [{ asNamed: { seconds: 1, bytes: 1 } }, { bandwidth: 2 }],
  ] as const) {
    const { store, desk } = await found();
    store.setState({ whatIf: faster });
    desk.apply({ of: "x = 1", planned: { ...planned, ...asNamed }, whatIf: faster });
    expect(store.getState().whatIf).toEqual(rest);
  }
});

test("why there is no plan is kept with the limit that none met", async () => {
  const { store, ends, planning } = opened();
  store.getState().limitMemory(5);
  const done = store.getState().startPlan();
  await expect.poll(() => ends.length).toBe(1);
  ends[0]?.(taken({ kind: "infeasible", message: "short", leastBytes: 9 }));
  await done;
  expect(planning()).toEqual({ kind: "infeasible", message: "short", leastBytes: 9, limit: 5 });
});

test("that no plan fits is told at once, what would do when it was tried, once aloud", async () => {
  const { said, says, ends, planning, done } = await begun();
  const answer = { kind: "infeasible", message: "short", leastBytes: 9 } as const;
  says[0]?.({ kind: "short", answer });
  expect(planning()).toEqual({ ...answer, limit: undefined, isExplaining: true });
  const shortage = { holds: [], largest: [], remedies: [], untried: ["more"] };
  ends[0]?.(taken({ ...answer, shortage }));
  await done.ended;
  expect(planning()).toEqual({ ...answer, limit: undefined, shortage });
  expect(said).toEqual(["No plan: short."]);
});

test("lines that a plan wrote are known until they change", async () => {
  const { store, apply } = await found();
  const lines = () => [...store.getState().plannedLines];
  apply();
  expect(lines()).toEqual(["x = 2"]);
  store.getState().commit("a = 0\nx = 2", "A line above");
  expect(lines()).toEqual(["x = 2"]);
  store.getState().commit("a = 0\nx = 3", "An edit");
  store.getState().commit("a = 0\nx = 2", "By hand");
  expect(lines()).toEqual([]);
});

test("rows of a survey stay while the text is the one that was planned, or one of them", async () => {
  const { store, surveys, asked } = opened();
  const desk = await deskOf(store);
  const done = desk.surveyMeshes(8);
  const own = { seconds: 1, bytes: 2 };
  surveys[0]?.say({ done: 0, total: 2, own });
  const row = { axes: [{ name: "dp", size: 8 }], answer: planned };
  surveys[0]?.say({ row, done: 1, total: 2 });
  const meshes = () => store.getState().surveys.meshes ?? idleSurvey;
  expect(meshes()).toMatchObject({ kind: "running", own, rows: [row], done: 1, total: 2 });
  desk.cancelSurvey();
  await done;
  expect(meshes()).toMatchObject({ kind: "done", rows: [row] });
  expect(asked).toEqual([{ survey: "meshes", source: "x = 1", devices: 8 }]);
  desk.apply({ of: "x = 1", planned, whatIf: {} }, "Plan on mesh dp=8");
  expect(meshes().rows).toHaveLength(1);
  store.getState().commit("x = 4", "Another");
  expect(meshes()).toMatchObject({ kind: "idle", rows: [] });
});

const way = (text: string, source: string): SplitOption => ({
  ...{ text, isNow: false },
  answer: { ...planned, source },
});

test("ways of an operator come as they are planned, and one is taken as one edit", async () => {
  const { store, weighed, asked, said } = opened();
  const desk = await deskOf(store);
  const done = { ended: desk.weighWays("h") };
  expect(asked).toEqual([{ source: "x = 1", operator: "h", whatIf: {} }]);
  weighed[0]?.say({ done: 0, total: 2 });
  weighed[0]?.say({ way: way("m over dp", "x = 2"), done: 1, total: 2 });
  expect(store.getState().ways).toMatchObject({ kind: "running", operator: "h", done: 1 });
  weighed[0]?.say({ way: way("whole", "x = 3"), done: 2, total: 2 });
  weighed[0]?.end({ kind: "done", value: { kind: "weighed", unavailable: ["n over tp: no"] } });
  await done.ended;
  expect(store.getState().ways).toMatchObject({ kind: "done", unavailable: ["n over tp: no"] });
  expect(said.at(-1)).toBe("2 of 2 ways to split h have a plan.");
  const taken = store.getState().ways?.ways[1];
  if (taken?.answer.kind !== "planned") throw new Error("no plan");
  desk.apply({ of: "x = 1", planned: taken.answer, whatIf: {} }, "Split h: whole");
  expect(store.getState().document.source).toBe("x = 3");
  expect(store.getState().ways?.ways).toHaveLength(2);
  store.getState().commit("x = 9", "Another");
  expect(store.getState().ways).toBeUndefined();
});

test("ways that are stopped stay as far as they came, and an edit ends them", async () => {
  const { store, weighed } = opened();
  const desk = await deskOf(store);
  const done = { ended: desk.weighWays("h") };
  weighed[0]?.say({ way: way("m over dp", "x = 2"), done: 1, total: 2 });
  desk.cancelWays();
  await done.ended;
  const { ways } = store.getState();
  expect(ways).toMatchObject({ kind: "done", note: "Stopped before all were planned." });
  expect(ways?.ways).toHaveLength(1);
  const again = { ended: desk.weighWays("y") };
  store.getState().commit("x = 9", "Another");
  await again.ended;
  expect(store.getState().ways).toBeUndefined();
});
