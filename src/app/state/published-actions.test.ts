import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { PublishedProgram } from "#systems/published";
import { createPublishedActions } from "./published-actions.ts";
import { type PublishedSlice, publishedSlice } from "./published-slice.ts";
import type { PublishedReader, Services } from "./services.ts";
import type { AppStore } from "./store.ts";

type AskedFile = Parameters<PublishedReader["read"]>[0];

/** A reader whose answers wait; like the real one it abandons a file when another is requested. */
function heldReader() {
  const asked: { readonly file: AskedFile; readonly answer: (isSuperseded?: boolean) => void }[] =
    [];
  const reader: PublishedReader = {
    read: (file) => {
      asked.at(-1)?.answer(true);
      return new Promise((resolve) => {
        // These tests need only the choice and the text of the made program.
        const made = { choice: file.choice, program: JSON.stringify(file.choice) };
        const answer = (isSuperseded = false) =>
          resolve(
            isSuperseded
              ? { kind: "superseded" }
              : {
                  kind: "done",
                  value: { ok: true, value: made as unknown as PublishedProgram, diagnostics: [] },
                },
          );
        asked.push({ file, answer });
      });
    },
    stop: () => undefined,
  };
  return { reader, asked };
}

test("a choice that comes while another is read is added to it", async () => {
  const { reader, asked } = heldReader();
  const texts: string[] = [];
  const amend = (text: string) => texts.push(text);
  // The store has only the tested slice, and the one service that it uses.
  const store = createStore<PublishedSlice & { readonly amend: typeof amend }>()((...api) => ({
    ...publishedSlice()(...(api as unknown as Parameters<ReturnType<typeof publishedSlice>>)),
    amend,
  }));
  const actions = createPublishedActions(
    store as unknown as AppStore,
    { reader } as unknown as Services,
  );
  const file = { name: "config.json", content: new Blob([]), format: "config.json" };
  // In the form that the reader produces.
  const made = { choice: { batch: 1, sequence: 4096, isTraining: false }, title: "A" };
  store.getState().notePublished({ kind: "read", file, made: made as unknown as PublishedProgram });
  const first = actions.choosePublished({ batch: 8 });
  const second = actions.choosePublished({ isTraining: true });
  asked.at(-1)?.answer();
  await Promise.all([first, second]);
  const both = { batch: 8, sequence: 4096, isTraining: true };
  expect(asked.at(-1)?.file.choice).toEqual(both);
  expect(texts).toEqual([JSON.stringify(both)]);
  const third = actions.choosePublished({ batch: 2 });
  asked.at(-1)?.answer();
  await third;
  expect(texts.at(-1)).toBe(JSON.stringify({ ...both, batch: 2 }));
});
