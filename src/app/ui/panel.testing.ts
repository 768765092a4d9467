import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Engine, Runner } from "#app/engine";
import * as share from "#app/share";
import { type AppStore, createActions, createAppStore } from "#app/state";
import { testShelf, testStorage } from "../texts/shelf.testing.ts";
import { AppProvider } from "./store-context.tsx";

/**
 * Returns a function that renders a panel to static markup as at its first render; `prepare` sets
 * up the store. A test that uses it must let stores answer without a server snapshot:
 *
 *     vi.mock("react", async (original) => ({
 *       ...(await original<typeof import("react")>()),
 *       useSyncExternalStore: <T>(_listen: unknown, answer: () => T) => answer(),
 *     }));
 */
export function createPanelPage(prepare?: (store: AppStore) => void): (panel: ReactNode) => string {
  const never = new Promise(() => {});
  const engine = new Proxy({}, { get: (_, name) => (name === "loaded" ? never : () => never) });
  const links = { now: () => share, load: async () => share };
  const storage = testStorage();
  const services = {
    // Fake services never answer: the store stays as on a page before it has compiled a text.
    ...{ engine: engine as Engine, runner: engine as Runner },
    ...{ links, storage, shelf: testShelf(storage) },
  };
  const store = createAppStore(services, "https://host/");
  prepare?.(store);
  const given = { store, actions: createActions(store, services) };
  return (panel) => {
    const around = { ...given, children: panel };
    return renderToStaticMarkup(createElement(AppProvider, around));
  };
}

/** Text of markup, without drawings. */
export function plainText(markup: string): string {
  return markup
    .replace(/<svg.*?<\/svg>/g, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

/** Captions and rows of all tables in markup, one line each, with bars between cells. */
export function tableLines(markup: string): readonly string[] {
  return [...markup.matchAll(/<caption.*?<\/caption>|<tr.*?<\/tr>/g)].map(([line]) =>
    [...line.matchAll(/<(caption|th|td)\b[^>]*>(.*?)<\/\1>/g)]
      .map(([, , inside = ""]) => plainText(inside))
      .join(" | "),
  );
}
