import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Reply, Runner, RunRequest, RunStage, RunVerdict } from "#app/engine";
import type { PlacedCollective } from "#app/scene";
import { type RunFields, runSlice } from "./run-slice.ts";

const equal: RunVerdict = { kind: "equal", tensorCount: 5, deviceCount: 4, notes: [] };
const sentence = "Equals the unsharded program: 5 tensors, 4 devices, bit for bit.";
const gather: PlacedCollective = { step: 3, collective: "all-gather", redistribution: 0 };

/** Runs that end when the test says so; a newer one supersedes the older. */
function opened() {
  const asked: RunRequest[] = [];
  const ends: ((reply: Reply<RunVerdict>) => void)[] = [];
  const stages: ((stage: RunStage) => void)[] = [];
  const stop = () => ends.at(-1)?.({ kind: "superseded" });
  const runner: Runner = {
    run: (request, onStage) => {
      stop();
      asked.push(request);
      stages.push(onStage);
      return new Promise((settle) => ends.push(settle));
    },
    stop,
  };
  const said: string[] = [];
  const store = createStore<RunFields>()((...api) => ({
    document: { source: "x = 1", opening: 0 },
    say: (notice) => said.push(notice?.text ?? ""),
    ...runSlice(runner)(...api),
  }));
  return { store, asked, ends, stages, said, run: () => store.getState().run };
}

test("a run says how far it is, then its verdict, which is read out", async () => {
  const { store, asked, ends, stages, said, run } = opened();
  const done = store.getState().startRun();
  expect(run()).toEqual({ kind: "running", stage: "reading" });
  stages[0]?.("devices");
  expect(run()).toEqual({ kind: "running", stage: "devices" });
  ends[0]?.({ kind: "done", value: equal });
  await done;
  expect(run()).toEqual({ kind: "done", verdict: equal });
  expect(asked).toEqual([{ source: "x = 1" }]);
  expect(said).toEqual([sentence]);
});

test("a run without a collective keeps what was left out", async () => {
  const { store, asked, ends, run } = opened();
  const done = store.getState().startRun(gather);
  ends[0]?.({ kind: "done", value: equal });
  await done;
  expect(asked).toEqual([{ source: "x = 1", without: 3 }]);
  expect(run()).toEqual({ kind: "done", without: gather, verdict: equal });
});

test("the newest of two runs wins", async () => {
  const { store, ends, said, run } = opened();
  const older = store.getState().startRun(gather);
  const newer = store.getState().startRun();
  await older;
  expect(run()).toEqual({ kind: "running", stage: "reading" });
  ends[1]?.({ kind: "done", value: equal });
  await newer;
  expect(run()).toEqual({ kind: "done", verdict: equal });
  expect(said).toEqual([sentence]);
});

test("a fault of ours is the run's own, with its message", async () => {
  const { store, ends, said, run } = opened();
  const done = store.getState().startRun();
  ends[0]?.({ kind: "failed", message: "out of memory" });
  await done;
  expect(run()).toEqual({ kind: "failed", message: "out of memory" });
  expect(said).toEqual(["The check could not be carried out: out of memory. Your text is safe."]);
});

test("a run that is cancelled leaves nothing behind and says so; one of another text says nothing", async () => {
  const { store, said, run } = opened();
  const cancelled = store.getState().startRun();
  store.getState().cancelRun();
  await cancelled;
  expect([run(), said]).toEqual([{ kind: "none" }, ["The check is cancelled."]]);
  const forgotten = store.getState().startRun();
  store.getState().forgetRun();
  await forgotten;
  expect([run(), said]).toEqual([{ kind: "none" }, ["The check is cancelled."]]);
});
