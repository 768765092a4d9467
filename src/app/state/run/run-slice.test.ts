import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Reply, RunFault, Runner, RunProgress, RunRequest, RunVerdict } from "#app/engine";
import { equalReport as equal } from "../../engine/run-report.testing.ts";
import { type RunFields, runSlice } from "./run-slice.ts";

const gather: RunFault = { step: 3, how: "drop" };

/** Runs that end on request; a newer one supersedes the older. */
function opened() {
  const asked: RunRequest[] = [];
  const ends: ((reply: Reply<RunVerdict>) => void)[] = [];
  const stages: ((progress: RunProgress) => void)[] = [];
  const stop = () => ends.at(-1)?.({ kind: "superseded" });
  const runner: Runner = {
    run: (request, onStage) => {
      stop();
      asked.push(request);
      stages.push(onStage);
      return new Promise((settle) => ends.push(settle));
    },
    look: async () => ({ kind: "nothing", why: "nothing has run" }),
    stop,
  };
  const said: string[] = [];
  const tabs: string[] = [];
  const store = createStore<RunFields>()((...api) => ({
    document: { source: "x = 1", opening: 0 },
    say: (notice) => said.push(notice?.text ?? ""),
    showSheet: (tab) => tabs.push(tab),
    ...runSlice(runner)(...api),
  }));
  return { store, asked, ends, stages, said, tabs, run: () => store.getState().run };
}

test("a run says how far it is, then its verdict, which is read out", async () => {
  const { store, asked, ends, stages, said, tabs, run } = opened();
  const done = store.getState().startRun();
  expect(run()).toEqual({ kind: "running", progress: { stage: "reading" } });
  stages[0]?.({ stage: "devices" });
  expect(run()).toEqual({ kind: "running", progress: { stage: "devices" } });
  ends[0]?.({ kind: "done", value: equal });
  await done;
  expect(run()).toEqual({ kind: "done", verdict: equal });
  const { runSettings: settings } = store.getState();
  expect(asked).toEqual([{ source: "x = 1", settings }]);
  expect(said).toEqual([equal.sentence]);
  expect(tabs).toEqual(["run"]);
});

test("a run with a fault put in keeps which", async () => {
  const { store, asked, ends, run } = opened();
  const done = store.getState().startRun(gather);
  ends[0]?.({ kind: "done", value: equal });
  await done;
  expect(asked).toMatchObject([{ source: "x = 1", fault: gather }]);
  expect(run()).toEqual({ kind: "done", fault: gather, verdict: equal });
});

test("the newest of two runs wins", async () => {
  const { store, ends, said, run } = opened();
  const older = store.getState().startRun(gather);
  const newer = store.getState().startRun();
  await older;
  expect(run()).toEqual({ kind: "running", progress: { stage: "reading" } });
  ends[1]?.({ kind: "done", value: equal });
  await newer;
  expect(run()).toEqual({ kind: "done", verdict: equal });
  expect(said).toEqual([equal.sentence]);
});

test("a fault of ours is the run's own, with its message", async () => {
  const { store, ends, said, run } = opened();
  const done = store.getState().startRun();
  ends[0]?.({ kind: "failed", message: "out of memory" });
  await done;
  expect(run()).toEqual({ kind: "failed", message: "out of memory" });
  expect(said).toEqual(["The run could not be carried out: out of memory. Your text is safe."]);
});

test("a run that is cancelled leaves nothing behind and says so; one of another text says nothing", async () => {
  const { store, said, run } = opened();
  const cancelled = store.getState().startRun();
  store.getState().cancelRun();
  await cancelled;
  expect([run(), said]).toEqual([{ kind: "none" }, ["The run is cancelled."]]);
  const forgotten = store.getState().startRun();
  store.getState().forgetRun();
  await forgotten;
  expect([run(), said]).toEqual([{ kind: "none" }, ["The run is cancelled."]]);
});

test("the next run is run on what was set last", async () => {
  const { store, asked } = opened();
  store.getState().setRun({ seed: 7, values: "floats" });
  store.getState().setRun({ sizes: "own" });
  void store.getState().startRun();
  expect(asked[0]?.settings).toEqual({
    engine: "webgpu",
    values: "floats",
    seed: 7,
    sizes: "own",
    own: [],
  });
});
