import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Engine, Runner } from "#app/engine";
import * as share from "#app/share";
import { type AppStore, createActions, createAppStore } from "#app/state";
import { testShelf, testStorage } from "../texts/shelf.testing.ts";
import { AppProvider } from "./store-context.tsx";

/**
 * What draws parts of the page as it draws them first; `prepare` says what its store holds then. A
 * test that has it lets hooks answer without a page:
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
    // The engine never answers, so that the store stays as it is before a text is read.
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

/** The words of markup, without drawings. */
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

/** Captions and rows of all tables in markup, a line each; cells are parted by bars. */
export function tableLines(markup: string): readonly string[] {
  return [...markup.matchAll(/<caption.*?<\/caption>|<tr.*?<\/tr>/g)].map(([line]) =>
    [...line.matchAll(/<(caption|th|td)\b[^>]*>(.*?)<\/\1>/g)]
      .map(([, , inside = ""]) => plainText(inside))
      .join(" | "),
  );
}
