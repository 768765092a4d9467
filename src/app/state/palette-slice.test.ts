import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { operatorId } from "#core/ir";
import { type PaletteSlice, paletteSlice } from "./palette-slice.ts";
import type { Services } from "./services.ts";
import { type ViewSlice, viewSlice } from "./view-slice.ts";

function opener(entries: Readonly<Record<string, string>> = {}) {
  const all = new Map(Object.entries(entries));
  const keep: Services["storage"] = {
    read: (key) => all.get(key),
    write: (key, value) => {
      all.set(key, value);
      return true;
    },
  };
  return () =>
    createStore<PaletteSlice & ViewSlice>()((...api) => ({
      ...viewSlice("system")(...api),
      ...paletteSlice(keep)(...api),
    }));
}

test("the commands used last come first, each once, and no more than six", () => {
  const open = opener({ "shardboard.recents": '["a","b",4]' });
  for (const command of ["b", "c", "d", "e", "f", "g"]) open().getState().remember(command);
  expect(open().getState().recents).toEqual(["g", "f", "e", "d", "c", "b"]);
});

test("what is sought is selected too, and asking again is another request", () => {
  const store = opener()();
  const selection = { operator: operatorId("h") };
  store.getState().seek(selection);
  const first = store.getState().sought;
  store.getState().seek(selection);
  expect(store.getState().selection).toEqual(selection);
  expect(store.getState().sought).toEqual(first);
  expect(store.getState().sought).not.toBe(first);
});
