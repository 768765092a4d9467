import { expect, test } from "vitest";
import { createAnswerer, type Message, replyIn } from "./question.ts";

/** Questions of a worker: one that counts upwards, and one with an empty answer. */
interface Table {
  count: { takes: { readonly to: number }; gives: string; tells: number };
  ping: { takes: object; gives: undefined };
}

async function saidOf(to: number): Promise<readonly Message<Table>[]> {
  const said: Message<Table>[] = [];
  const answer = createAnswerer<Table>(
    {
      count: (asked, tell) => {
        for (let at = 1; at <= asked.to; at += 1) tell(at);
        if (asked.to > 2) throw new Error("too far");
        return "counted";
      },
      ping: async () => undefined,
    },
    (message) => said.push(message),
  );
  await answer({ id: 1, kind: "count", asked: { to } });
  await answer({ id: 2, kind: "ping", asked: {} });
  return said;
}

test("news come before the answer; a fault takes the answer's place", async () => {
  expect(await saidOf(2)).toEqual([
    { id: 1, kind: "count", news: 1 },
    { id: 1, kind: "count", news: 2 },
    { id: 1, kind: "count", answer: "counted" },
    { id: 2, kind: "ping", answer: undefined },
  ]);
  expect((await saidOf(3)).slice(-2)).toEqual([
    { id: 1, failure: "too far" },
    { id: 2, kind: "ping", answer: undefined },
  ]);
});

test("a reply is read of the answer of its kind alone", () => {
  const heard: number[] = [];
  const hear = (news: number) => heard.push(news);
  expect(replyIn<Table, "count">({ id: 1, kind: "count", news: 7 }, "count", hear)).toBe(undefined);
  expect(heard).toEqual([7]);
  expect(replyIn<Table, "ping">({ id: 1, kind: "ping", answer: undefined }, "ping")).toEqual({
    kind: "done",
    value: undefined,
  });
  expect(replyIn<Table, "ping">({ id: 1, kind: "count", answer: "counted" }, "ping")).toEqual({
    kind: "failed",
    message: "unexpected count",
  });
});
