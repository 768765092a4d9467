import fc from "fast-check";
import { expect, test } from "vitest";
import type { Engine, Runner } from "#app/engine";
import * as share from "#app/share";
import { listTexts, type Shelf } from "#app/texts";
import { type TestStorage, testShelf, testStorage } from "../texts/shelf.testing.ts";
import { createActions } from "./actions.ts";
import { followAddress } from "./address/address.ts";
import { createAppStore } from "./store.ts";

/** An engine that computes nothing, since storing a text does not depend on it. */
const failed = async () => ({ kind: "failed" as const, message: "not here" });
const engine: Engine = {
  onLoaded: () => {},
  ...{ compile: failed, ask: failed, stop: () => {}, dispose: () => {} },
};
const look: Runner["look"] = async () => ({ kind: "nothing", why: "nothing has run" });
const runner: Runner = { run: failed, look, stop: () => {} };

/** A browser: one storage for all tabs, and a history and a storage per tab. */
interface Tab {
  readonly shelter: TestStorage;
  readonly entries: string[];
  at: number;
  page: ReturnType<typeof openPage>;
}

function openPage(
  storage: TestStorage,
  tab: Pick<Tab, "shelter" | "entries" | "at">,
  shownBy: ShownBy,
) {
  const shelf: Shelf = testShelf(storage, {
    shelter: tab.shelter,
    elsewhere: () => shownBy(shelf.page),
  });
  const links = { now: () => share, load: async () => share };
  const services = { engine, runner, links, shelf, storage };
  const store = createAppStore(services, `https://host/${tab.entries[tab.at] ?? ""}`);
  const actions = createActions(store, services);
  const goTo = followAddress(store, actions, {
    fragment: () => tab.entries[tab.at] ?? "",
    push: (fragment) => {
      tab.entries.splice(tab.at + 1, tab.entries.length, fragment);
      tab.at += 1;
    },
    replace: (fragment) => {
      tab.entries[tab.at] = fragment;
    },
  });
  return { shelf, store, actions, goTo };
}

/** A tab with its own address bar. */
function openTab(storage: TestStorage, shownBy: ShownBy): Tab {
  const begun = { shelter: testStorage(), entries: [""], at: 0 };
  const tab: Tab = { ...begun, page: openPage(storage, begun, () => new Set()) };
  tab.page = openPage(storage, tab, shownBy);
  return tab;
}

/** The texts that other pages show, as far as browsers report it. */
type ShownBy = (page: string) => ReadonlySet<string>;

type Act =
  | { readonly kind: "type" | "undo" | "example" | "new" | "reload" | "file" | "hear" | "storage" }
  | { readonly kind: "open" | "link" | "go"; readonly which: number }
  | { readonly kind: "full"; readonly is: boolean };

const act: fc.Arbitrary<{ tab: number; act: Act }> = fc.record({
  tab: fc.nat(1),
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Act>({ kind: "type" }) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Act>(
        ...(["example", "new", "reload", "file", "hear", "storage"] as const).map((kind) => ({
          kind,
        })),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom<"open" | "link" | "go">("open", "link", "go"),
        which: fc.nat(3),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant<"full">("full"), is: fc.boolean() }) },
  ),
});

/** Performs one action in a tab like its reader; returns the typed token, if any. */
function perform(tab: Tab, act: Act, storage: TestStorage, typed: number, shownBy: ShownBy) {
  const { store, actions, goTo } = tab.page;
  switch (act.kind) {
    case "type": {
      const token = `<${typed}>`;
      store.getState().type(`${store.getState().document.source}${token}`, typed * 1_000);
      return token;
    }
    case "undo":
      store.getState().undo();
      return undefined;
    case "example":
      actions.openExample("mindspore-net");
      return undefined;
    case "new":
      actions.newPlan();
      return undefined;
    case "storage":
      actions.keepPlan();
      return undefined;
    case "file":
      actions.openFile(new TextEncoder().encode("x = 1\n"), "net.py");
      return undefined;
    case "link":
      tab.entries.splice(tab.at + 1, tab.entries.length, `#src=link${act.which}`);
      tab.at += 1;
      goTo(`https://host/#src=link${act.which}`);
      return undefined;
    case "open": {
      const listed = listTexts(tab.page.shelf)[act.which];
      if (listed?.kind === "text") actions.openPlan(listed.text.id);
      return undefined;
    }
    case "go": {
      const at = Math.max(0, Math.min(tab.entries.length - 1, tab.at + (act.which % 2) * 2 - 1));
      if (at === tab.at) return undefined;
      tab.at = at;
      goTo(`https://host/${tab.entries[at] ?? ""}`);
      return undefined;
    }
    case "hear":
      actions.hearStorage(null);
      return undefined;
    case "reload":
      tab.page = openPage(storage, tab, shownBy);
      return undefined;
    case "full":
      storage.isFull = act.is;
      return undefined;
  }
}

/** Everything that some tab can still show: on screen, in the list, or in its own storage. */
function findable(tabs: readonly Tab[]): string {
  const sources = tabs.flatMap(({ page }) => [
    page.store.getState().document.source,
    ...listTexts(page.shelf).map((each) => (each.kind === "text" ? each.text.source : "")),
  ]);
  return sources.join("\n");
}

const knows = [
  ["know of one another", true],
  ["do not know of one another", false],
] as const;

test.each(knows)(
  "two tabs that %s lose no character, whatever is opened, reloaded, left and full",
  (_, isKnown) => {
    const holds = fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const storage = testStorage();
      const tabs: Tab[] = [];
      const shownBy: ShownBy = (page) => {
        const others = tabs.filter((tab) => tab.page.shelf.page !== page);
        return new Set(
          isKnown ? others.map((tab) => String(tab.page.store.getState().shownText.id)) : [],
        );
      };
      tabs.push(openTab(storage, shownBy), openTab(storage, shownBy));
      const tokens: string[] = [];
      for (const { tab: place, act } of acts) {
        const tab = tabs[place];
        if (tab === undefined) throw new Error("there are two tabs");
        const before = tab.page.store.getState().shownText.id;
        const token = perform(tab, act, storage, tokens.length, shownBy);
        if (token === undefined) continue;
        tokens.push(token);
        // A typed token is in the shown text, which is the text from before or a fork of it.
        expect(tab.page.store.getState().document.source).toContain(token);
        const { id, forkOf } = tab.page.store.getState().shownText;
        expect([id, forkOf]).toContain(before);
        const all = findable(tabs);
        for (const each of tokens) expect(all).toContain(each);
      }
      const all = findable(tabs);
      for (const each of tokens) expect(all).toContain(each);
    });
    fc.assert(holds, { seed: 1, numRuns: process.env["SOAK"] ? 3_000 : 60 });
  },
);

test("Back and Forward show each text with its last character", () => {
  const holds = fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
    const storage = testStorage();
    const tab = openTab(storage, () => new Set());
    const last = new Map<string, string>();
    let typed = 0;
    for (const { act } of acts) {
      const token = perform(tab, act, storage, typed, () => new Set());
      const { shownText, document } = tab.page.store.getState();
      if (token !== undefined) {
        typed += 1;
        last.set(shownText.id, document.source);
      } else if (act.kind !== "undo") {
        expect(document.source).toBe(last.get(shownText.id) ?? document.source);
      }
    }
  });
  fc.assert(holds, { seed: 1, numRuns: process.env["SOAK"] ? 3_000 : 60 });
});
