import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createCompilerSpawner } from "#app/early-worker";
import { isFramedByOthers, isInsideMode, modeOf } from "#app/embedding";
import {
  createBodyChecker,
  createEngine,
  createPublishedReader,
  lateRunner,
  loadPlanner,
  spawners,
} from "#app/engine";
import { firstExample } from "#app/first-example";
import {
  type Actions,
  type AppStore,
  createActions,
  createAppStore,
  loadLessons,
  type Services,
} from "#app/state";
import {
  type AddressBar,
  followAddress,
  isLink,
  lateLinks,
  loadExamples,
  namesExample,
  namesLesson,
} from "#app/state/address";
import { browserStorage, lockPresence, noStorage } from "#app/texts";
import { App, AppProvider, afterPaint, editorLoaded, FramedPage } from "#app/ui";

const wait = (milliseconds: number, then: () => void) => {
  const handle = setTimeout(then, milliseconds);
  return () => clearTimeout(handle);
};

/**
 * Milliseconds after the first compile in which the page has drawn the plan and opened the editor.
 */
const laterMilliseconds = 3_000;

/**
 * Milliseconds in which other pages may still count the page before a reload as a page of its own.
 */
const lookAgainMilliseconds = 1_000;

/** Milliseconds in which another page that has just written opens the text that it goes on with. */
const lookAfterWritingMilliseconds = 100;

const isEmbedded = isInsideMode(modeOf(location.href));
const isFramed = !isEmbedded && isFramedByOthers(window);
/** A page inside another leaves no trace. */
const isInside = isEmbedded || isFramed;

void begin(servicesOf(fresh()));

async function begin(services: Services): Promise<void> {
  const { links } = services;
  /**
   * Waits only for the parts that this address needs: not for other examples than the first, nor
   * for the code of links.
   */
  const readyFor = async (address: string) => {
    if (namesExample(address)) await loadExamples().catch(() => undefined);
    if (namesLesson(address)) await loadLessons().catch(() => undefined);
    if (isLink(address)) await links.load().catch(() => undefined);
  };
  await readyFor(location.href);
  const store = createAppStore(services, location.href);
  const actions = createActions(store, services);
  const { from } = store.getState().shownText;
  // Each edit compares the draft with the example that it began as, so all examples have to be
  // there.
  if (from.kind === "example" && from.name !== firstExample.name) loadLater();
  const kept = store.getState().theme;
  const isDark =
    kept === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : kept === "dark";
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  const goTo = followAddress(store, actions, isInside ? heldAddress() : addressBar());
  const work = (by: 1 | -1) => store.setState(({ pending }) => ({ pending: pending + by }));
  addEventListener("hashchange", async ({ newURL }) => {
    // An address may need code that is not loaded yet. Until that has come, the page shows what it
    // showed before.
    work(1);
    try {
      await readyFor(newURL);
      goTo(newURL);
    } finally {
      work(-1);
    }
  });
  // The first plan's files load alone, since a slow network carries one thing at a time.
  whenWorkedOut(store, () =>
    wait(laterMilliseconds, () => {
      void links.load().catch(() => undefined);
      loadLater();
      void keepFiles();
    }),
  );
  listen(services, store, actions);
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no element with the id root");
  createRoot(root).render(
    <StrictMode>
      {isFramed ? (
        <FramedPage />
      ) : (
        <AppProvider store={store} actions={actions}>
          <App />
        </AppProvider>
      )}
    </StrictMode>,
  );
}

/** Loads all examples in the background; code that needs them asks again. */
function loadLater(): void {
  void loadExamples().catch(() => undefined);
}

/** The services that the browser gives: workers, storage, and word from other open pages. */
function servicesOf(page: string): Services {
  const storage = isInside ? noStorage() : browserStorage(() => localStorage);
  const presence = lockPresence(isInside ? undefined : navigator.locks, page);
  return {
    engine: createEngine(createCompilerSpawner(), wait),
    runner: lateRunner(spawners.runner, wait),
    planner: loadPlanner,
    bodies: createBodyChecker(spawners.bodyChecker, wait),
    reader: createPublishedReader(spawners.reader, wait),
    links: lateLinks(),
    ...{ storage, presence, afterPaint },
    shelf: {
      ...{ storage, page, fresh },
      shelter: isInside ? storage : browserStorage(() => sessionStorage),
      memory: new Map(),
      elsewhere: presence.elsewhere,
      now: Date.now,
    },
  };
}

/** Ten letters and digits that nobody had before. */
function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}

function addressBar(): AddressBar {
  const { pathname, search } = location;
  const addressOf = (fragment: string) => `${pathname}${search}${fragment}`;
  return {
    fragment: () => location.hash,
    push: (fragment) => history.pushState(null, "", addressOf(fragment)),
    replace: (fragment) => history.replaceState(null, "", addressOf(fragment)),
  };
}

/** The address of a page inside another, which stays as the page around has written it. */
function heldAddress(): AddressBar {
  return { fragment: () => location.hash, push: () => undefined, replace: () => undefined };
}

/** Hears other pages of this browser, and asks before a page is left whose text is not stored. */
function listen({ shelf, presence }: Services, store: AppStore, actions: Actions): void {
  const look = () => void presence?.refresh();
  addEventListener("storage", ({ key }) => {
    actions.hearStorage(key);
    // The other page may now edit a copy of its own, so that this text is free.
    wait(lookAfterWritingMilliseconds, look);
  });
  addEventListener("beforeunload", (event) => {
    if (isInside) return;
    if (shelf.memory.size > 0 || store.getState().shownText.kept === "tab") event.preventDefault();
  });
  look();
  wait(lookAgainMilliseconds, look);
  addEventListener("focus", look);
}

/** Calls back when the first plan has been worked out, or cannot be. */
function whenWorkedOut(store: AppStore, then: () => void): void {
  const stop = store.subscribe(({ compiled }) => {
    if (compiled.kind === "compiling") return;
    stop();
    then();
  });
}

/** Stores the files of the page for use without a network. */
async function keepFiles(): Promise<void> {
  // Inside another site's page nothing is stored, and the browser may refuse even to ask for a
  // service worker.
  if (!import.meta.env.PROD || isInside || !("serviceWorker" in navigator)) return;
  // The service worker only makes the page work offline. It loads every file, so the editor comes
  // first.
  await editorLoaded();
  await navigator.serviceWorker.register("service-worker.js").catch(() => undefined);
}
