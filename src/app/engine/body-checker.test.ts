import { expect, test } from "vitest";
import { bodyFindings } from "./body-findings.ts";
import { createBodyChecker } from "./index.ts";
import type { Message, Question } from "./question.ts";
import type { QuestionPort } from "./question-client.ts";
import type { BodyQuestions } from "./run-protocol.ts";
import type { Loaded } from "./worker-client.ts";

/** Checker whose worker and timer the test controls. */
function held() {
  const asked: Question<BodyQuestions>[] = [];
  const waits: { milliseconds: number; then: () => void; isOff: boolean }[] = [];
  let say: (answer: Message<BodyQuestions> | Loaded) => void = () => {};
  let crash: (message: string) => void = () => {};
  let spawned = 0;
  const spawn = (): QuestionPort<BodyQuestions> => {
    spawned += 1;
    return {
      postMessage: (question) => asked.push(question),
      addEventListener: (kind: string, listener: never) => {
        const hear: (event: { data: Message<BodyQuestions> | Loaded }) => void = listener;
        const fail: (event: { message: string }) => void = listener;
        if (kind === "message") say = (data) => hear({ data });
        else crash = (message) => fail({ message });
      },
      terminate: () => {},
    };
  };
  const checker = createBodyChecker(spawn, (milliseconds, then) => {
    const wait = { milliseconds, then, isOff: false };
    waits.push(wait);
    return () => {
      wait.isOff = true;
    };
  });
  /** Fires the pending timers of the given length. */
  const pass = (milliseconds: number) => {
    for (const wait of waits.splice(0)) {
      if (wait.isOff) continue;
      if (wait.milliseconds === milliseconds) wait.then();
      else waits.push(wait);
    }
  };
  const tell = {
    load: () => say({ isLoaded: true }),
    say: (answer: Message<BodyQuestions>) => say(answer),
    crash: (text: string) => crash(text),
  };
  return { checker, asked, pass, spawned: () => spawned, ...tell };
}

test("a text is asked about once no other one has come for a while", async () => {
  const { checker, asked, pass, say, spawned } = held();
  const first = checker.check("a");
  const second = checker.check("ab");
  expect(spawned()).toBe(0);
  pass(700);
  expect(asked).toEqual([{ kind: "bodies", id: 1, asked: { source: "ab" } }]);
  say({ kind: "bodies", id: 1, answer: [] });
  expect(await first).toEqual({ kind: "superseded" });
  expect(await second).toEqual({ kind: "done", value: [] });
});

test("a check under way ends before the newest text is asked about", async () => {
  const { checker, asked, pass, say } = held();
  const first = checker.check("a");
  pass(700);
  const second = checker.check("b");
  pass(700);
  expect(asked).toHaveLength(1);
  say({ kind: "bodies", id: 1, answer: [] });
  expect(await first).toEqual({ kind: "superseded" });
  pass(700);
  expect(asked.map((each) => each.asked.source)).toEqual(["a", "b"]);
  say({ kind: "bodies", id: 2, answer: [] });
  expect(await second).toEqual({ kind: "done", value: [] });
});

test("a text that is no more is not asked about, and the next one is", async () => {
  const { checker, asked, pass, say } = held();
  const first = checker.check("a");
  checker.giveUp();
  pass(700);
  expect(await first).toEqual({ kind: "superseded" });
  expect(asked).toEqual([]);
  const second = checker.check("b");
  pass(700);
  checker.giveUp();
  say({ kind: "bodies", id: 1, answer: [] });
  pass(700);
  expect(await second).toEqual({ kind: "superseded" });
  expect(asked).toHaveLength(1);
});

test("a worker that dies or takes too long is replaced", async () => {
  const { checker, pass, load, crash, spawned } = held();
  const first = checker.check("a");
  pass(700);
  crash("boom");
  expect(await first).toEqual({ kind: "failed", message: "boom" });
  const second = checker.check("b");
  pass(700);
  load();
  pass(20_000);
  expect(await second).toEqual({ kind: "failed", message: "no answer within 20 s" });
  expect(spawned()).toBe(2);
});

const wrong = `import torch
import nnscaler

@nnscaler.register_op('m k, k n -> m n')
def f(x, w):
    return torch.matmul(x, w)

y = f(Tensor((8, 16)), Parameter((16, 32)))
`;

test("an annotation that the body contradicts is found, with the mark that it lacks", () => {
  const found = bodyFindings(wrong);
  expect(found.map(({ code }) => code)).toEqual(["nnscaler/body-disagrees"]);
  expect(found[0]?.message).toContain('so it is "k+"');
  expect(found[0]?.fixes?.[0]?.title).toBe('Sum over "k": k+');
});

test("a right annotation and a text that cannot be read have nothing to say", () => {
  for (const source of [wrong.replaceAll(" k", " k+"), "y = (", "{}", ""]) {
    expect(bodyFindings(source)).toEqual([]);
  }
});
