import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { everyExample } from "#app/examples";
import { exampleHints, type GuideSlice, guideSlice } from "./guide-slice.ts";
import { type SettingsSlice, settingsSlice } from "./settings-slice.ts";

/** A page over the browser storage of a test. */
function page(kept: Map<string, string>) {
  const storage = {
    read: (key: string) => kept.get(key),
    write: (key: string, value: string) => kept.set(key, value) === kept,
  };
  return createStore<GuideSlice & SettingsSlice>()((...api) => ({
    ...settingsSlice(storage)(...api),
    ...guideSlice(true)(...api),
  }));
}

test("the welcome and the hints that a reader takes away stay away", () => {
  const kept = new Map<string, string>();
  const store = page(kept);
  expect(store.getState().isWelcomeShown).toBe(true);
  store.getState().endWelcome();
  store.getState().endHints();
  expect(store.getState().isWelcomeShown).toBe(false);
  expect(page(kept).getState().settings).toMatchObject({ isWelcomed: true, hasHints: false });
});

test("hints belong to examples that are there, and other texts have none", () => {
  const hinted = everyExample.filter(({ name }) => exampleHints(name).length > 0);
  expect(hinted.map(({ name }) => name)).toEqual(["llama3-8b", "two-matmuls", "two-axes-one-dim"]);
  expect(exampleHints(undefined)).toEqual([]);
  expect(exampleHints("constructor")).toEqual([]);
  for (const { name, hint } of everyExample) {
    expect(exampleHints(name).includes("edit")).toBe(hint !== undefined);
  }
});
