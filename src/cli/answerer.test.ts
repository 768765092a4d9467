import { expect, test } from "vitest";
import { Answerer, type AnswerThread, type Gauge } from "./answerer.ts";
import type { Printed, Work } from "./printed.ts";

type End = "out-of-memory" | "ended";

/** A fake thread whose answers the test triggers; it records the work posted to it. */
class FakeThread implements AnswerThread {
  readonly posted: number[] = [];
  busy = 0;
  hasEnded = false;
  answered: (id: number, printed: Printed) => void = () => {};
  ended: (end: End) => void = () => {};
  post(id: number): void {
    this.posted.push(id);
  }
  busyWith(): number {
    return this.busy;
  }
  onAnswer(listener: (id: number, printed: Printed) => void): void {
    this.answered = listener;
  }
  onEnd(listener: (end: End) => void): void {
    this.ended = listener;
  }
  end(): void {
    this.hasEnded = true;
  }
}

/** A gauge with figures set by the test, which calls `look` itself. */
function fakeGauge() {
  const gauge = {
    cpu: 0,
    bytes: 0,
    look: () => {},
    isLooking: false,
    cpuSeconds: () => gauge.cpu,
    residentBytes: () => gauge.bytes,
    every: (_: number, look: () => void) => {
      Object.assign(gauge, { look, isLooking: true });
      return () => {
        gauge.isLooking = false;
      };
    },
  };
  return gauge satisfies Gauge;
}

function setUp() {
  const threads: FakeThread[] = [];
  const gauge = fakeGauge();
  const spawn = () => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread;
  };
  const limits = { cpuSeconds: 1, bytes: 100 };
  return { threads, gauge, answerer: new Answerer(spawn, gauge, limits) };
}

const line = (id: number): Work => ({
  kind: "line",
  line: JSON.stringify({ id, command: "plan", args: { program: "x = 1" } }),
});

const parsed = async (printed: Promise<Printed>) => JSON.parse((await printed).text);

test("a search may take longer than other work, unless its seconds are said", async () => {
  const optimize: Work = { kind: "command", argv: ["optimize", "FILE"] };
  for (const [searchSeconds, stays] of [
    [10, true],
    [undefined, false],
  ] as const) {
    const { threads, gauge } = setUp();
    const thread = new FakeThread();
    const search = searchSeconds && { search: { cpuSeconds: searchSeconds, bytes: 300 } };
    const limits = { cpuSeconds: 1, bytes: 100, ...search };
    const answer = new Answerer(() => thread, gauge, limits).answer(optimize);
    expect(threads).toEqual([]);
    thread.busy = 1;
    gauge.look();
    gauge.cpu = 9;
    gauge.look();
    expect(thread.hasEnded).toBe(!stays);
    gauge.cpu = 11;
    gauge.look();
    thread.ended("ended");
    const seconds = searchSeconds ?? 1;
    expect((await answer).text).toContain(`takes more than ${seconds} s of computing time`);
  }
});

test("a search may hold more than other work", async () => {
  for (const [command, stays] of [
    ["optimize", true],
    ["plan", false],
  ] as const) {
    const { gauge } = setUp();
    const thread = new FakeThread();
    const limits = { cpuSeconds: 1, bytes: 100, search: { cpuSeconds: 1, bytes: 300 } };
    const work: Work = { kind: "command", argv: [command, "FILE"] };
    const answer = new Answerer(() => thread, gauge, limits).answer(work);
    thread.busy = 1;
    gauge.look();
    gauge.bytes = 200;
    gauge.look();
    expect(thread.hasEnded).toBe(!stays);
    gauge.bytes = 301;
    gauge.look();
    thread.ended("ended");
    expect((await answer).text).toContain("too-large");
  }
});

test("work that takes longer than it may is answered so, and what waits is done by a new thread", async () => {
  const { threads, gauge, answerer } = setUp();
  const [slow, next] = [answerer.answer(line(7)), answerer.answer(line(8))];
  const [first] = threads;
  if (first === undefined) throw new Error("no thread");
  first.busy = 1;
  gauge.look();
  gauge.cpu = 0.9;
  gauge.look();
  expect(first.hasEnded).toBe(false);
  gauge.cpu = 1.1;
  gauge.look();
  expect(first.hasEnded).toBe(true);
  first.ended("ended");
  expect(await parsed(slow)).toMatchObject({
    id: 7,
    ok: false,
    diagnostics: [
      {
        code: "limits/too-long",
        message:
          '"plan" takes more than 1 s of computing time and was stopped: "program" has 5 characters',
      },
    ],
  });
  expect(threads[1]?.posted).toEqual([2]);
  threads[1]?.answered(2, { text: '{"id":8}\n', ok: true });
  expect(await parsed(next)).toEqual({ id: 8 });
  expect(gauge.isLooking).toBe(false);
});

test("time counts from where each work begins", () => {
  const { threads, gauge, answerer } = setUp();
  for (const id of [1, 2, 3]) void answerer.answer(line(id));
  for (const id of [1, 2, 3]) {
    Object.assign(threads[0] ?? {}, { busy: id });
    gauge.look();
    gauge.cpu += 0.9;
    gauge.look();
    threads[0]?.answered(id, { text: "", ok: true });
  }
  expect(threads[0]?.hasEnded).toBe(false);
});

test.each<[string, (thread: FakeThread, gauge: { bytes: number; look: () => void }) => void]>([
  [
    "memory grows beyond its limit",
    (thread, gauge) => {
      gauge.look();
      gauge.bytes = 101;
      gauge.look();
      thread.ended("ended");
    },
  ],
  ["the thread runs out of memory by itself", (thread) => thread.ended("out-of-memory")],
])("%s: the answer says so", async (_, happen) => {
  const { threads, gauge, answerer } = setUp();
  const printed = answerer.answer(line(1));
  const [thread] = threads;
  if (thread === undefined) throw new Error("no thread");
  thread.busy = 1;
  happen(thread, gauge);
  expect(await parsed(printed)).toMatchObject({ diagnostics: [{ code: "limits/too-large" }] });
});

test("an answer that still came while the thread was ended is the answer", async () => {
  const { threads, gauge, answerer } = setUp();
  const printed = answerer.answer(line(1));
  const [thread] = threads;
  if (thread === undefined) throw new Error("no thread");
  thread.busy = 1;
  gauge.look();
  gauge.cpu = 2;
  gauge.look();
  thread.answered(1, { text: '{"ok":true}\n', ok: true });
  thread.ended("ended");
  expect(await parsed(printed)).toEqual({ ok: true });
});

test("threads that never come up answer with a fault, each piece of work once", async () => {
  const { threads, answerer } = setUp();
  const printed = [answerer.answer(line(1)), answerer.answer(line(2))];
  threads[0]?.ended("ended");
  threads[1]?.ended("ended");
  for (const each of printed) {
    expect(await parsed(each)).toMatchObject({ diagnostics: [{ code: "cli/internal-error" }] });
  }
  expect(threads.length).toBe(2);
});
