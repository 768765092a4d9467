import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { PlanAnswer, Planner, Reply } from "#app/engine";
import { type Planned, type PlannerFields, plannerSlice } from "./planner-slice.ts";

const planned: Planned = {
  kind: "planned",
  source: "x = 2",
  before: 2e-3,
  seconds: 1e-3,
  bound: 1e-3,
  bytes: 8,
  model: "a device",
  changes: [],
  pins: [],
  notes: [],
};

/** Searches that end when the test says so; a newer one supersedes the older. */
function opened() {
  const asked: unknown[] = [];
  const ends: ((reply: Reply<PlanAnswer>) => void)[] = [];
  const stop = () => ends.at(-1)?.({ kind: "superseded" });
  const planner: Planner = {
    plan: (request) => {
      stop();
      asked.push(request);
      return new Promise((settle) => ends.push(settle));
    },
    stop,
  };
  const store = createStore<PlannerFields>()((...api) => ({
    document: { source: "x = 1", opening: 0 },
    compiled: { kind: "compiling" },
    commit: (source) => {
      api[0]({ document: { source, opening: 0 } });
      api[1]().forgetPlan();
    },
    say: () => {},
    ...plannerSlice(planner)(...api),
  }));
  return { store, asked, ends, planning: () => store.getState().planning };
}

async function found() {
  const all = opened();
  const done = all.store.getState().startPlan();
  all.ends[0]?.({ kind: "done", value: planned });
  await done;
  return all;
}

test("a search asks with the limit, opens the panel and keeps what it finds", async () => {
  const { store, asked, ends, planning } = opened();
  store.getState().limitMemory(8e9);
  const done = store.getState().startPlan();
  expect(planning()).toEqual({ kind: "searching", stage: "reading" });
  expect(store.getState().isPlannerOpen).toBe(true);
  ends[0]?.({ kind: "done", value: planned });
  await done;
  expect(asked).toEqual([{ source: "x = 1", memoryLimit: 8e9 }]);
  expect(planning()).toEqual({ kind: "done", of: "x = 1", planned });
});

test("what was found holds of the text before and after it is applied, and of no other", async () => {
  const { store, planning } = await found();
  store.getState().applyPlan();
  expect(store.getState().document.source).toBe("x = 2");
  expect(planning().kind).toBe("done");
  store.getState().commit("x = 1", "Undo");
  expect(planning().kind).toBe("done");
  store.getState().commit("x = 3", "Another");
  expect(planning()).toEqual({ kind: "idle", note: "The text is another one now." });
});

test("a search that is cancelled, or whose text is edited, leaves the text as it is", async () => {
  for (const act of ["cancelPlan", "forgetPlan"] as const) {
    const { store, planning } = opened();
    const done = store.getState().startPlan();
    store.getState()[act]();
    await done;
    expect(planning().kind).toBe("idle");
    store.getState().applyPlan();
    expect(store.getState().document.source).toBe("x = 1");
  }
});

test("why there is no plan is kept with the limit that none met", async () => {
  const { store, ends, planning } = opened();
  store.getState().limitMemory(5);
  const done = store.getState().startPlan();
  ends[0]?.({ kind: "done", value: { kind: "infeasible", message: "short", leastBytes: 9 } });
  await done;
  expect(planning()).toEqual({ kind: "infeasible", message: "short", leastBytes: 9, limit: 5 });
});
