import { expect, test } from "vitest";
import { found } from "./command.ts";

const commands = ["Undo", "Redo", "Share plan", "w1", "w2"].map((title) => ({
  id: title,
  title,
  group: /^w/.test(title) ? "tensor" : "command",
  run: () => {},
}));

const titles = (query: string, recents: readonly string[] = []) =>
  found(commands, query, recents).map(({ title }) => title);

test("with nothing typed the commands used last stand first, then all in their order", () => {
  expect(titles("", ["w2", "gone", "Redo"])).toEqual(["w2", "Redo", "Undo", "Share plan", "w1"]);
});

test("what is typed is found in titles and kinds; of equals the one used last is first", () => {
  expect(titles("tensor")).toEqual(["w1", "w2"]);
  expect(titles("tensor", ["w2"])).toEqual(["w2", "w1"]);
  expect(titles("xyz")).toEqual([]);
});
