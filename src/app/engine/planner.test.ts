import { describe, expect, test } from "vitest";
import type { PlanAnswer, Planned, Searches } from "./plan-protocol.ts";
import { createPlanner } from "./planner.ts";
import type { Message, Question } from "./question.ts";
import type { QuestionPort } from "./question-client.ts";

type Word = Message<Searches>;

/** Worker ports whose messages the test sends. */
function workers() {
  const started: {
    readonly asked: Question<Searches>[];
    readonly say: (word: Word) => void;
    readonly fail: () => void;
    isEnded: boolean;
  }[] = [];
  const spawn = (): QuestionPort<Searches> => {
    const heard: ((event: { readonly data: Word }) => void)[] = [];
    const failed: ((event: { readonly message?: string }) => void)[] = [];
    const worker = {
      asked: [] as Question<Searches>[],
      say: (data: Word) => heard.map((hear) => hear({ data })),
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
  hiddenSeconds: 0,
  limit: "device",
  bytes: 8,
  model: "8xH100",
  changes: [],
  patterns: [],
  sentences: [],
  pins: [],
  sizes: [],
  notes: [],
};

const refused: PlanAnswer = { kind: "refused", message: "nothing" };

describe("the planner", () => {
  test("tells the stages and the answer of what it was asked", async () => {
    const { started, planner } = workers();
    const stages: string[] = [];
    const reply = planner.plan.begin({ source: "a" }, (news) => {
      if (news.kind === "stage") stages.push(news.stage);
    });
    started[0]?.say({ kind: "plan", id: 1, news: { kind: "stage", stage: "searching" } });
    started[0]?.say({ kind: "plan", id: 1, answer: refused });
    expect(await reply).toEqual({ kind: "done", value: refused });
    expect(stages).toEqual(["searching"]);
  });

  test("tells everything that is heard before the answer", async () => {
    const { started, planner } = workers();
    const heard: string[] = [];
    const reply = planner.plan.begin({ source: "a" }, ({ kind }) => heard.push(kind));
    const short = { kind: "infeasible", message: "short" } as const;
    started[0]?.say({ kind: "plan", id: 1, news: { kind: "found", planned } });
    started[0]?.say({ kind: "plan", id: 1, news: { kind: "short", answer: short } });
    started[0]?.say({ kind: "plan", id: 1, answer: short });
    expect(await reply).toEqual({ kind: "done", value: short });
    expect(heard).toEqual(["found", "short"]);
  });

  test("ends the worker when it is stopped, and asks a fresh one next", async () => {
    const { started, planner } = workers();
    const first = planner.plan.begin({ source: "a" }, () => {});
    planner.plan.stop();
    expect(await first).toEqual({ kind: "superseded" });
    expect(started[0]?.isEnded).toBe(true);
    void planner.plan.begin({ source: "b", memoryLimit: 8 }, () => {});
    expect(started[1]?.asked).toEqual([
      { kind: "plan", id: 2, asked: { source: "b", memoryLimit: 8 } },
    ]);
  });

  test("lets a newer request take the place of an older one", async () => {
    const { started, planner } = workers();
    const first = planner.plan.begin({ source: "a" }, () => {});
    const second = planner.plan.begin({ source: "b" }, () => {});
    expect(await first).toEqual({ kind: "superseded" });
    started[0]?.say({ kind: "plan", id: 1, answer: refused });
    started[1]?.say({ id: 2, failure: "a fault" });
    expect(await second).toEqual({ kind: "failed", message: "a fault" });
  });

  test("says so where its worker cannot be loaded", async () => {
    const { started, planner } = workers();
    const reply = planner.plan.begin({ source: "a" }, () => {});
    started[0]?.fail();
    expect(await reply).toEqual({ kind: "failed", message: "no code" });
  });

  test("surveys on another worker than it plans, and stops each alone", async () => {
    const { started, planner } = workers();
    const counts: number[] = [];
    const plan = planner.plan.begin({ source: "a" }, () => {});
    const asked = { survey: "meshes", source: "a", devices: 8 } as const;
    const survey = planner.survey.begin(asked, ({ done }) => counts.push(done));
    expect(started.map(({ asked: all }) => all)).toEqual([
      [{ kind: "plan", id: 1, asked: { source: "a" } }],
      [{ kind: "survey", id: 1, asked }],
    ]);
    planner.plan.stop();
    expect(await plan).toEqual({ kind: "superseded" });
    started[1]?.say({ kind: "survey", id: 1, news: { done: 1, total: 2 } });
    started[1]?.say({ kind: "survey", id: 1, answer: { kind: "surveyed" } });
    expect(await survey).toEqual({ kind: "done", value: { kind: "surveyed" } });
    expect(counts).toEqual([1]);
  });
});
