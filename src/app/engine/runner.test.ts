import { expect, test, vi } from "vitest";
import { tensorId } from "#core/ir";
import type { RunRequest } from "./index.ts";
import { lateRunner } from "./late-runner.ts";
import type { Message, Question } from "./question.ts";
import type { QuestionPort } from "./question-client.ts";
import type { RunQuestions } from "./run-protocol.ts";
import { onIntegers as settings, equalReport as verdict } from "./run-report.testing.ts";
import { createRunner } from "./runner.ts";
import type { Loaded } from "./worker-client.ts";

/** Workers whose answers the test sends, in the order of spawning. */
function heldWorkers() {
  const workers: HeldWorker[] = [];
  const spawn = (): QuestionPort<RunQuestions> => {
    const worker: HeldWorker = { asked: [], isEnded: false, say: () => {}, crash: () => {} };
    workers.push(worker);
    return {
      postMessage: (question) => worker.asked.push(question),
      addEventListener: (kind: string, listener: never) => {
        const hear: (event: { data: Message<RunQuestions> | Loaded }) => void = listener;
        const fail: (event: { message: string }) => void = listener;
        if (kind === "message") worker.say = (data) => hear({ data });
        else worker.crash = (message) => fail({ message });
      },
      terminate: () => {
        worker.isEnded = true;
      },
    };
  };
  return { workers, spawn };
}

interface HeldWorker {
  readonly asked: Question<RunQuestions>[];
  isEnded: boolean;
  say: (answer: Message<RunQuestions> | Loaded) => void;
  crash: (message: string) => void;
}

const loaded: Loaded = { isLoaded: true };
const never = () => () => {};
const of = (source: string): RunRequest => ({ source, settings });

test("no worker is started before the first run", () => {
  const { workers, spawn } = heldWorkers();
  createRunner(spawn, never).stop();
  expect(workers).toEqual([]);
});

test("a run says how far it is and ends in its verdict; the worker stays for the next", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const stages: string[] = [];
  const first = runner.run(of("a"), ({ stage }) => stages.push(stage));
  workers[0]?.say({ kind: "run", id: 1, news: { stage: "devices" } });
  workers[0]?.say({ kind: "run", id: 1, answer: verdict });
  expect(await first).toEqual({ kind: "done", value: verdict });
  expect(stages).toEqual(["devices"]);
  void runner.run({ ...of("b"), fault: { step: 2, how: "drop" } }, () => {});
  expect(workers).toHaveLength(1);
  expect(workers[0]?.asked).toEqual([
    { kind: "run", id: 1, asked: of("a") },
    { kind: "run", id: 2, asked: { ...of("b"), fault: { step: 2, how: "drop" } } },
  ]);
});

test("a newer run tells the worker that the older one is not wanted, which says no more", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const stages: string[] = [];
  const older = runner.run(of("a"), ({ stage }) => stages.push(stage));
  const newer = runner.run(of("b"), () => {});
  expect(await older).toEqual({ kind: "superseded" });
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false]);
  expect(workers[0]?.asked.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    "run 1",
    "cancel 2",
    "run 3",
  ]);
  workers[0]?.say({ kind: "run", id: 1, news: { stage: "devices" } });
  workers[0]?.say({ kind: "cancel", id: 2, answer: undefined });
  workers[0]?.say({ kind: "run", id: 3, answer: verdict });
  expect(await newer).toMatchObject({ kind: "done" });
  expect(stages).toEqual([]);
});

/** Timer that the test fires, by its length in milliseconds. */
function heldTimer() {
  const due = new Map<number, () => void>();
  const timer = (milliseconds: number, then: () => void) => {
    due.set(milliseconds, then);
    return () => due.delete(milliseconds);
  };
  return { timer, goOff: (milliseconds: number) => due.get(milliseconds)?.() };
}

test("a run that is stopped is superseded; its worker stays if it ends the run soon", async () => {
  const { workers, spawn } = heldWorkers();
  const { timer, goOff } = heldTimer();
  const runner = createRunner(spawn, timer);
  const run = runner.run(of("a"), () => {});
  runner.stop();
  expect(await run).toEqual({ kind: "superseded" });
  workers[0]?.say({ kind: "cancel", id: 2, answer: undefined });
  goOff(100);
  expect(workers[0]?.isEnded).toBe(false);
});

test("a worker that is too busy to end a run is ended, and another does what it was asked since", async () => {
  const { workers, spawn } = heldWorkers();
  const { timer, goOff } = heldTimer();
  const runner = createRunner(spawn, timer);
  void runner.run(of("a"), () => {});
  const newer = runner.run(of("b"), () => {});
  workers[0]?.say(loaded);
  goOff(100);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  expect(workers[1]?.asked).toEqual([{ kind: "run", id: 3, asked: of("b") }]);
  workers[1]?.say({ kind: "run", id: 3, answer: verdict });
  expect(await newer).toEqual({ kind: "done", value: verdict });
  void runner.run(of("c"), () => {});
  runner.stop();
  goOff(100);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test("a fault, a crash and a worker that does not load are failures, and the next run starts anew", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const fault = runner.run(of("a"), () => {});
  workers[0]?.say({ id: 1, failure: "a bug" });
  expect(await fault).toEqual({ kind: "failed", message: "a bug" });
  const crash = runner.run(of("a"), () => {});
  workers[0]?.crash("out of memory");
  expect(await crash).toEqual({ kind: "failed", message: "out of memory" });
  const missing = runner.run(of("a"), () => {});
  workers[1]?.crash("");
  expect(await missing).toEqual({ kind: "failed", message: "its worker could not be loaded" });
  void runner.run(of("a"), () => {});
  expect(workers).toHaveLength(3);
});

test("a run whose worker fails it on a GPU goes on on the CPU of another, which says why", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const stages: string[] = [];
  const request: RunRequest = { source: "a", settings: { ...settings, engine: "webgpu" } };
  const run = runner.run(request, ({ stage }) => stages.push(stage));
  workers[0]?.crash("out of memory");
  await vi.waitFor(() => expect(workers).toHaveLength(2));
  const asked = { ...request, cpuBecause: "its worker ended: out of memory" };
  expect(workers[1]?.asked).toEqual([{ kind: "run", id: 2, asked }]);
  workers[1]?.say({ kind: "run", id: 2, answer: verdict });
  expect(await run).toEqual({ kind: "done", value: verdict });
  expect(stages).toEqual(["again"]);
});

test("a run past its deadline fails and its worker is ended", async () => {
  const { workers, spawn } = heldWorkers();
  const due: (() => void)[] = [];
  const runner = createRunner(spawn, (_milliseconds, then) => {
    due.push(then);
    return () => {};
  });
  const slow = runner.run(of("a"), () => {});
  workers[0]?.say(loaded);
  due[0]?.();
  expect(await slow).toEqual({ kind: "failed", message: "no answer within 180 s" });
  expect(workers[0]?.isEnded).toBe(true);
});

test("a look is answered by the worker of the last run, and by nobody while one runs", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const look = { kind: "tensor", tensor: tensorId("h") } as const;
  expect(await runner.look(look)).toMatchObject({ kind: "nothing" });
  const run = runner.run(of("a"), () => {});
  expect(await runner.look(look)).toMatchObject({ kind: "nothing" });
  workers[0]?.say({ kind: "run", id: 1, answer: verdict });
  await run;
  const seen = runner.look(look);
  expect(workers[0]?.asked.at(-1)).toEqual({ kind: "look", id: 2, asked: look });
  workers[0]?.say({ kind: "look", id: 2, answer: { kind: "tensor", devices: [] } });
  expect(await seen).toEqual({ kind: "tensor", devices: [] });
});

test("a look whose worker ends is answered with nothing", async () => {
  const { workers, spawn } = heldWorkers();
  const runner = createRunner(spawn, never);
  const run = runner.run(of("a"), () => {});
  workers[0]?.say({ kind: "run", id: 1, answer: verdict });
  await run;
  const seen = runner.look({ kind: "tensor", tensor: tensorId("h") });
  void runner.run(of("b"), () => {});
  workers[0]?.crash("out of memory");
  expect(await seen).toMatchObject({ kind: "nothing" });
});

test("the code of a late runner comes with its first run; a stop before that is kept to", async () => {
  const { workers, spawn } = heldWorkers();
  let loads = 0;
  const runner = lateRunner(spawn, never, async () => {
    loads += 1;
    if (loads === 1) throw new Error("no network");
    return import("./runner.ts");
  });
  runner.stop();
  expect(await runner.look({ kind: "tensor", tensor: tensorId("y") })).toEqual(
    expect.objectContaining({ kind: "nothing" }),
  );
  expect(loads).toBe(0);
  expect(await runner.run(of("a"), () => {})).toEqual(expect.objectContaining({ kind: "failed" }));
  const stopped = runner.run(of("b"), () => {});
  runner.stop();
  expect(await stopped).toEqual({ kind: "superseded" });
  expect(workers).toEqual([]);
  const done = runner.run(of("c"), () => {});
  await vi.waitFor(() => expect(workers[0]?.asked).toHaveLength(1));
  workers[0]?.say({ kind: "run", id: 1, answer: verdict });
  expect(await done).toEqual({ kind: "done", value: verdict });
});
