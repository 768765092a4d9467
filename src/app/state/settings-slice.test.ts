import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Services } from "./services.ts";
import { type SettingsSlice, settingsSlice } from "./settings-slice.ts";

function kept(entries: Readonly<Record<string, string>> = {}) {
  const all = new Map(Object.entries(entries));
  const keep: Services["storage"] = {
    read: (key) => all.get(key),
    write: (key, value) => {
      all.set(key, value);
      return true;
    },
  };
  return { keep, open: () => createStore<SettingsSlice>()(settingsSlice(keep)).getState() };
}

test("a setting is there again at the next visit", () => {
  const { open } = kept();
  open().set({ notation: "jax" });
  open().set({ hasLetterKeys: false });
  open().set({ panels: { program: 320 } });
  open().set({ isProgramFolded: true });
  expect(open().settings).toEqual({
    motion: "system",
    notation: "jax",
    panels: { program: 320 },
    hasLetterKeys: false,
    isForwardOnly: false,
    isProgramFolded: true,
    isWelcomed: false,
    hasHints: true,
    heat: "time",
  });
});

test.each([
  ...["{", "[]", "7", '{"motion":"wild","notation":3}', "null"],
  '{"panels":{"program":"wide","side":-4,"roof":7}}',
])("settings kept as %s read as the standard ones", (text) => {
  expect(kept({ "shardboard.settings": text }).open().settings).toEqual({
    motion: "system",
    notation: "ours",
    panels: {},
    hasLetterKeys: true,
    isForwardOnly: false,
    isProgramFolded: false,
    isWelcomed: false,
    hasHints: true,
    heat: "time",
  });
});
