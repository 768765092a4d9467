import { expect, test } from "vitest";
import { command, found } from "./command.ts";

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

test("what a title begins with goes before what it only has in it", () => {
  const named = (title: string, group = "command") => ({
    id: title,
    title,
    group,
    run: () => {},
  });
  const some = [
    named("New plan"),
    named("Share plan"),
    named("What “pinned” means", "word"),
    named("Plan: look for the fastest plan"),
    named("Pin this plan as a baseline"),
  ];
  expect(found(some, "plan", [])[0]?.title).toBe("Plan: look for the fastest plan");
  expect(found(some, "pin", [])[0]?.title).toBe("Pin this plan as a baseline");
  expect(found(some, "pinned", [])[0]?.title).toBe("What “pinned” means");
});

test("what is typed is found in titles and kinds; of equals the one used last is first", () => {
  expect(titles("tensor")).toEqual(["w1", "w2"]);
  expect(titles("tensor", ["w2"])).toEqual(["w2", "w1"]);
  expect(titles("xyz")).toEqual([]);
});

test("a command is found by its further words, behind what has the word in its title", () => {
  const some = [
    command("share", "Share plan", () => {}, { alias: "link address" }),
    command("words", "A word about links", () => {}),
    command("undo", "Undo", () => {}),
  ];
  expect(found(some, "address", []).map(({ id }) => id)).toEqual(["share"]);
  expect(found(some, "link", []).map(({ id }) => id)).toEqual(["words", "share"]);
});
