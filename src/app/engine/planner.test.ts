import { describe, expect, test } from "vitest";
import type { PlanAnswer, PlanAskedOnce, Planned, PlanWord } from "./plan-protocol.ts";
import { createPlanner } from "./planner.ts";
import type { Port } from "./worker-client.ts";

/** Workers that say only what a test lets them say. */
function workers() {
  const started: {
    readonly asked: PlanAskedOnce[];
    readonly say: (word: PlanWord) => void;
    readonly fail: () => void;
    isEnded: boolean;
  }[] = [];
  const spawn = (): Port<PlanAskedOnce, PlanWord> => {
    const heard: ((event: { readonly data: PlanWord }) => void)[] = [];
    const failed: ((event: { readonly message?: string }) => void)[] = [];
    const worker = {
      asked: [] as PlanAskedOnce[],
      say: (data: PlanWord) => heard.map((hear) => hear({ data })),
      fail: () => failed.map((hear) => hear({ message: "no code" })),
      isEnded: false,
    };
    started.push(worker);
    return {
      postMessage: (asked) => worker.asked.push(asked),
      addEventListener: (kind: string, listener: never) => {
        (kind === "message" ? heard : failed).push(listener);
      },
      terminate: () => {
        worker.isEnded = true;
      },
    };
  };
  return { started, planner: createPlanner(spawn) };
}

const planned: Planned = {
  kind: "planned",
  before: 2,
  seconds: 1,
  bound: 1,
  computeSeconds: 4e-4,
  held: [],
  communicationSeconds: 6e-4,
  bytes: 8,
  model: "8xH100",
  changes: [],
  patterns: [],
  pins: [],
  sizes: [],
  notes: [],
};

const refused: PlanAnswer = { kind: "refused", message: "nothing" };

describe("the planner", () => {
  test("tells the stages and the answer of what it was asked", async () => {
    const { started, planner } = workers();
    const stages: string[] = [];
    const reply = planner.plan({ source: "a" }, (news) => {
      if (news.kind === "stage") stages.push(news.stage);
    });
    started[0]?.say({ kind: "stage", id: 1, stage: "searching" });
    started[0]?.say({ kind: "answer", id: 1, answer: refused });
    expect(await reply).toEqual({ kind: "done", value: refused });
    expect(stages).toEqual(["searching"]);
  });

  test("tells everything that is heard before the answer", async () => {
    const { started, planner } = workers();
    const heard: string[] = [];
    const reply = planner.plan({ source: "a" }, ({ kind }) => heard.push(kind));
    const short = { kind: "infeasible", message: "short" } as const;
    started[0]?.say({ kind: "found", id: 1, planned });
    started[0]?.say({ kind: "short", id: 1, answer: short });
    started[0]?.say({ kind: "answer", id: 1, answer: short });
    expect(await reply).toEqual({ kind: "done", value: short });
    expect(heard).toEqual(["found", "short"]);
  });

  test("ends the worker when it is stopped, and asks a fresh one next", async () => {
    const { started, planner } = workers();
    const first = planner.plan({ source: "a" }, () => {});
    planner.stop();
    expect(await first).toEqual({ kind: "superseded" });
    expect(started[0]?.isEnded).toBe(true);
    void planner.plan({ source: "b", memoryLimit: 8 }, () => {});
    expect(started[1]?.asked).toEqual([{ id: 2, source: "b", memoryLimit: 8 }]);
  });

  test("lets a newer request take the place of an older one", async () => {
    const { started, planner } = workers();
    const first = planner.plan({ source: "a" }, () => {});
    const second = planner.plan({ source: "b" }, () => {});
    expect(await first).toEqual({ kind: "superseded" });
    started[0]?.say({ kind: "answer", id: 1, answer: refused });
    started[1]?.say({ kind: "failed", id: 2, message: "a fault" });
    expect(await second).toEqual({ kind: "failed", message: "a fault" });
  });

  test("says so where its worker cannot be loaded", async () => {
    const { started, planner } = workers();
    const reply = planner.plan({ source: "a" }, () => {});
    started[0]?.fail();
    expect(await reply).toEqual({ kind: "failed", message: "no code" });
  });

  test("surveys on another worker than it plans, and stops each alone", async () => {
    const { started, planner } = workers();
    const counts: number[] = [];
    const plan = planner.plan({ source: "a" }, () => {});
    const asked = { survey: "meshes", source: "a", devices: 8 } as const;
    const survey = planner.survey(asked, ({ done }) => counts.push(done));
    expect(started.map(({ asked: all }) => all)).toEqual([
      [{ source: "a", id: 1 }],
      [{ ...asked, id: 1 }],
    ]);
    planner.stop();
    expect(await plan).toEqual({ kind: "superseded" });
    started[1]?.say({ kind: "row", id: 1, done: 1, total: 2 });
    started[1]?.say({ kind: "answer", id: 1, answer: { kind: "surveyed" } });
    expect(await survey).toEqual({ kind: "done", value: { kind: "surveyed" } });
    expect(counts).toEqual([1]);
  });
});
