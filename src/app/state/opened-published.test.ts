import { expect, test } from "vitest";
import type { Reply } from "#app/engine";
import * as share from "#app/share";
import type { Checked } from "#core/diagnostics";
import type { PublishedProgram } from "#systems/published";
import { testShelf, testStorage } from "../texts/shelf.testing.ts";
import { createActions } from "./actions.ts";
import { createAppStore, titleOf } from "./index.ts";
import type { PublishedReader } from "./services.ts";

const made: PublishedProgram = {
  ...{ format: "config.json", title: "LlamaForCausalLM", program: "x = Tensor((8, 4))\n" },
  ...{ sentence: "LlamaForCausalLM.", notes: [] },
};

const config = { name: "config.json", content: new Blob(['{"model_type": "llama"}']) };

/** A store whose reader answers on request. */
function opened() {
  let answer: (reply: Reply<Checked<PublishedProgram>>) => void = () => {};
  const reader: PublishedReader = {
    read: (_, hear) => {
      hear?.({ operators: 4000 });
      return new Promise((settle) => {
        answer = settle;
      });
    },
    stop: () => answer({ kind: "superseded" }),
  };
  const storage = testStorage();
  const failed = async () => ({ kind: "failed" as const, message: "not here" });
  const services = {
    engine: {
      onLoaded: () => {},
      ...{ compile: failed, ask: failed, stop: () => {}, dispose: () => {} },
    },
    runner: {
      run: failed,
      look: async () => ({ kind: "nothing" as const, why: "nothing has run" }),
      stop: () => {},
    },
    links: { now: () => share, load: async () => share },
    ...{ storage, shelf: testShelf(storage, { shelter: testStorage() }), reader },
  };
  const store = createAppStore(services, "https://host/");
  const actions = createActions(store, services);
  const isRead = async () => {
    while (store.getState().published.kind !== "reading")
      await new Promise((next) => setTimeout(next, 1));
  };
  return {
    store,
    actions,
    isRead,
    done: () => answer({ kind: "done", value: { ok: true, value: made, diagnostics: [] } }),
  };
}

test("an imported model keeps its name when its text is changed", async () => {
  const { store, actions, isRead, done } = opened();
  const opening = actions.openPublished(config);
  await isRead();
  done();
  expect(await opening).toBe(true);
  expect(titleOf(store.getState())).toBe("LlamaForCausalLM");
  store.getState().commit("x = Tensor((8, 8))\n", "Run it as a trainer is told");
  expect(titleOf(store.getState())).toBe("LlamaForCausalLM");
});

test("while a file is read the page says how far, and reading can be given up", async () => {
  const { store, actions, isRead } = opened();
  const before = store.getState().document.source;
  const opening = actions.openPublished(config);
  await isRead();
  expect(store.getState().published).toEqual({
    kind: "reading",
    name: "config.json",
    operators: 4000,
  });
  actions.stopReading();
  await opening;
  expect(store.getState().published).toEqual({ kind: "none" });
  expect(store.getState().document.source).toBe(before);
});
