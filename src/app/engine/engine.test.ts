import { expect, test } from "vitest";
import { compile } from "#compile";
import { tensorId } from "#core/ir";
import type { Gesture } from "#edit";
import { type CompilerPort, createEngine } from "./index.ts";
import type { Questions } from "./protocol.ts";
import type { Question } from "./question.ts";
import { createSender, type SentMessage } from "./wire.ts";
import type { Loaded } from "./worker-client.ts";

/** Port of a worker whose answers the test sends. */
function heldPort() {
  const asked: Question<Questions>[] = [];
  let hear: (event: { data: SentMessage | Loaded }) => void = () => {};
  let fail: (event: { message: string }) => void = () => {};
  const state = { terminated: false };
  const port: CompilerPort = {
    postMessage: (question) => asked.push(question),
    addEventListener: (kind: string, listener: never) => {
      if (kind === "message") hear = listener;
      else fail = listener;
    },
    terminate: () => {
      state.terminated = true;
    },
  };
  const refuse = (index: number): SentMessage => ({
    kind: "gesture",
    id: asked[index]?.id ?? -1,
    answer: { outcome: { ok: false, reason: `refused ${asked[index]?.asked.source}` } },
  });
  return {
    port,
    asked,
    state,
    refuse,
    load: (isLoaded = true) => hear({ data: { isLoaded } }),
    say: (data: SentMessage) => hear({ data }),
    crash: () => fail({ message: "out of memory" }),
  };
}

const never = () => () => {};
const gesture: Gesture = { kind: "whole", tensor: tensorId("x"), dim: 0 };
const gestureOn = (source: string) => ({
  ...{ source, gesture, single: [], open: [], drawing: undefined },
});

test("a newer text supersedes those that wait and the one under way", async () => {
  const held = heldPort();
  const engine = createEngine(() => held.port, never);
  const replies = [engine.compile("a", []), engine.compile("b", []), engine.compile("c", [])];
  expect(held.asked.map(({ asked }) => asked.source)).toEqual(["a"]);
  expect(await replies[0]).toEqual({ kind: "superseded" });
  expect(await replies[1]).toEqual({ kind: "superseded" });
  held.say({ id: held.asked[0]?.id ?? 0, failure: "late" });
  expect(held.asked.map(({ asked }) => asked.source)).toEqual(["a", "c"]);
});

test("gestures are answered in order and never superseded", async () => {
  const held = heldPort();
  const engine = createEngine(() => held.port, never);
  const replies = [engine.ask("gesture", gestureOn("a")), engine.ask("gesture", gestureOn("b"))];
  held.say(held.refuse(0));
  held.say(held.refuse(1));
  expect(await Promise.all(replies)).toMatchObject([
    { kind: "done", value: { outcome: { reason: "refused a" } } },
    { kind: "done", value: { outcome: { reason: "refused b" } } },
  ]);
});

test("the text that a gesture wrote is not asked for again, unless it is drawn otherwise", async () => {
  const held = heldPort();
  const engine = createEngine(() => held.port, never);
  const written = engine.ask("gesture", gestureOn("a"));
  const sent = createSender();
  const next = { compiled: compile("mesh = Mesh(dp=2)\n") };
  const outcome = { ok: true, label: "Whole", source: "b" } as const;
  held.say(sent({ kind: "gesture", id: held.asked[0]?.id ?? 0, answer: { outcome, next } }));
  await written;
  expect(await engine.compile("b", [])).toMatchObject({
    kind: "done",
    value: { compiled: { source: "b", mesh: next.compiled.mesh } },
  });
  expect(held.asked).toHaveLength(1);
  void engine.compile("b", [], "rows");
  expect(held.asked).toHaveLength(2);
});

test("a newer question of an editor supersedes those of its own kind alone", async () => {
  const held = heldPort();
  const engine = createEngine(() => held.port, never);
  const under = engine.ask("assist", { source: "a", request: { kind: "definition", offset: 1 } });
  const [stale, hover, newest] = [
    engine.ask("assist", { source: "a", request: { kind: "complete", offset: 1 } }),
    engine.ask("assist", { source: "a", request: { kind: "hover", offset: 1 } }),
    engine.ask("assist", { source: "ab", request: { kind: "complete", offset: 2 } }),
  ];
  expect(await stale).toEqual({ kind: "superseded" });
  held.say({ kind: "assist", id: held.asked[0]?.id ?? 0, answer: { kind: "definition" } });
  held.say({ kind: "assist", id: held.asked[1]?.id ?? 0, answer: { kind: "hover" } });
  const list = { span: { from: 2, to: 2 }, items: [] };
  held.say({ kind: "assist", id: held.asked[2]?.id ?? 0, answer: { kind: "complete", list } });
  expect(await Promise.all([under, hover, newest])).toMatchObject([
    { kind: "done", value: { kind: "definition" } },
    { kind: "done", value: { kind: "hover" } },
    { kind: "done", value: { kind: "complete" } },
  ]);
});

test("a worker that dies is replaced and its question answered as failed", async () => {
  const first = heldPort();
  const second = heldPort();
  const ports = [first.port, second.port];
  const engine = createEngine(() => ports.shift() ?? second.port, never);
  const lost = engine.ask("gesture", gestureOn("a"));
  const kept = engine.ask("gesture", gestureOn("b"));
  first.crash();
  expect(await lost).toEqual({ kind: "failed", message: "out of memory" });
  expect(first.state.terminated).toBe(true);
  second.say(second.refuse(0));
  expect(await kept).toMatchObject({ kind: "done" });
});

/** Ports controlled by the test, in the order of spawning, and timers by their length. */
function heldPorts() {
  const ports = [heldPort(), heldPort()];
  const due: { readonly milliseconds: number; readonly pass: () => void }[] = [];
  let spawned = 0;
  const engine = createEngine(
    () => {
      spawned += 1;
      return (ports[spawned - 1] ?? heldPort()).port;
    },
    (milliseconds, pass) => {
      due.push({ milliseconds, pass });
      return () => {};
    },
  );
  return { engine, ports, due };
}

test("a question past its deadline fails and its worker is stopped", async () => {
  const { engine, ports, due } = heldPorts();
  const slow = engine.ask("gesture", gestureOn("a"));
  ports[0]?.load();
  expect(due[0]?.milliseconds).toBe(20_000);
  due[0]?.pass();
  expect(await slow).toEqual({ kind: "failed", message: "it takes too long" });
  expect(ports[0]?.state.terminated).toBe(true);
});

test("a worker has all the time that its code takes to come, a fresh one too", async () => {
  const { engine, ports, due } = heldPorts();
  const [first, second] = ports;
  const slow = engine.ask("gesture", gestureOn("a"));
  expect(due).toEqual([]);
  first?.load();
  expect(due).toHaveLength(1);
  due[0]?.pass();
  await slow;
  void engine.ask("gesture", gestureOn("b"));
  expect(due).toHaveLength(1);
  second?.load();
  expect(due.map(({ milliseconds }) => milliseconds)).toEqual([20_000, 20_000]);
});

test("no deadline runs while a worker waits for more of its code", () => {
  const held = heldPort();
  const running = new Set<number>();
  const engine = createEngine(
    () => held.port,
    (milliseconds) => {
      running.add(milliseconds);
      return () => running.delete(milliseconds);
    },
  );
  const told: boolean[] = [];
  engine.onLoaded((isLoaded) => told.push(isLoaded));
  void engine.ask("gesture", gestureOn("a"));
  const said = [true, false, true, false, true];
  const seen = said.map((isLoaded) => {
    held.load(isLoaded);
    return running.size;
  });
  expect(seen).toEqual([1, 0, 1, 0, 1]);
  expect(told).toEqual(said);
});

test("a text that takes too long has one diagnostic, and nothing else is asked of it", async () => {
  const { engine, ports, due } = heldPorts();
  const [first, second] = ports;
  const slow = engine.compile("while True: pass", []);
  first?.load();
  due[0]?.pass();
  expect(first?.state.terminated).toBe(true);
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(second?.asked.map(({ asked }) => asked.source)).toEqual([""]);
  second?.say(
    createSender()({
      kind: "compile",
      id: second.asked[0]?.id ?? 0,
      answer: { compiled: compile("") },
    }),
  );
  expect(await slow).toMatchObject({
    kind: "done",
    value: {
      compiled: {
        source: "while True: pass",
        diagnostics: [{ code: "limits/too-long", severity: "error" }],
      },
    },
  });
  const words = await engine.ask("assist", {
    source: "while True: pass",
    request: { kind: "hover", offset: 0 },
  });
  expect(words).toEqual({ kind: "failed", message: "it takes too long" });
  void engine.compile("x = 1", []);
  expect(second?.asked.map(({ asked }) => asked.source)).toEqual(["", "x = 1"]);
});

test("what is under way and what waits fails when it is stopped, and the next finds a fresh worker", async () => {
  const first = heldPort();
  const second = heldPort();
  const ports = [first.port, second.port];
  const engine = createEngine(() => ports.shift() ?? second.port, never);
  engine.stop();
  const under = engine.ask("gesture", gestureOn("a"));
  const waits = engine.ask("gesture", gestureOn("b"));
  engine.stop();
  expect(await Promise.all([under, waits])).toEqual([
    { kind: "failed", message: "stopped" },
    { kind: "failed", message: "stopped" },
  ]);
  expect(first.state.terminated).toBe(true);
  const next = engine.ask("gesture", gestureOn("c"));
  second.say(second.refuse(0));
  expect(await next).toMatchObject({ kind: "done" });
});

test("a text that was there a moment ago is answered at once, and what is under way is given up", async () => {
  const held = heldPort();
  const engine = createEngine(() => held.port, never);
  const say = (index: number, source: string) =>
    held.say(
      createSender()({
        kind: "compile",
        id: held.asked[index]?.id ?? 0,
        answer: { compiled: compile(source) },
      }),
    );
  const [one, other] = ["h = 1", "h = 2"];
  const first = engine.compile(one, []);
  say(0, one);
  const known = await first;
  const under = engine.compile(other, []);
  expect(await engine.compile(one, [])).toEqual(known);
  expect(await under).toEqual({ kind: "superseded" });
  expect(held.asked.map(({ asked }) => asked.source)).toEqual([one, other]);
  say(1, other);
  const opened = engine.compile(one, ["layers"]);
  expect(held.asked.map(({ asked }) => asked.source)).toEqual([one, other, one]);
  say(2, one);
  expect(await opened).toMatchObject({ kind: "done", value: { compiled: { source: one } } });
});
