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
 * Delay (ms) after the first compile, by which the page has drawn the plan and opened the editor.
 */
const laterMilliseconds = 3_000;

/** Time (ms) for which other pages may still list this page's former instance after a reload. */
const lookAgainMilliseconds = 1_000;

/** Delay (ms) after which another page that has just written shows the text it continues with. */
const lookAfterWritingMilliseconds = 100;

const isEmbedded = isInsideMode(modeOf(location.href));
const isFramed = !isEmbedded && isFramedByOthers(window);
/** A page embedded in another stores nothing. */
const isInside = isEmbedded || isFramed;

void begin(servicesOf(fresh()));

async function begin(services: Services): Promise<void> {
  const { links } = services;
  /**
   * Waits only for the code that this address needs: examples beyond the first, lessons, or links.
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
  // Each edit compares the draft with the example it began as, so all examples must be loaded.
  if (from.kind === "example" && from.name !== firstExample.name) loadLater();
  const kept = store.getState().theme;
  const isDark =
    kept === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : kept === "dark";
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  const goTo = followAddress(store, actions, isInside ? heldAddress() : addressBar());
  const work = (by: 1 | -1) => store.setState(({ pending }) => ({ pending: pending + by }));
  addEventListener("hashchange", async ({ newURL }) => {
    // An address may need code that is not loaded yet; until it arrives, the page keeps its present
    // content.
    work(1);
    try {
      await readyFor(newURL);
      goTo(newURL);
    } finally {
      work(-1);
    }
  });
  // The first plan's files load first, since a slow network serves one thing at a time.
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

/** Loads all examples in the background; code that needs them loads them again on failure. */
function loadLater(): void {
  void loadExamples().catch(() => undefined);
}

/** The browser's services: workers, storage, and the presence of other open pages. */
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

/** A random id of ten letters and digits. */
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

/** The address bar of an embedded page, whose address never changes. */
function heldAddress(): AddressBar {
  return { fragment: () => location.hash, push: () => undefined, replace: () => undefined };
}

/** Listens to other pages of this browser, and asks before leaving a page with an unstored text. */
function listen({ shelf, presence }: Services, store: AppStore, actions: Actions): void {
  const look = () => void presence?.refresh();
  addEventListener("storage", ({ key }) => {
    actions.hearStorage(key);
    // The other page may now edit a copy of its own, which frees this text.
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

/** Calls back when the first plan has been compiled, or compiling has failed. */
function whenWorkedOut(store: AppStore, then: () => void): void {
  const stop = store.subscribe(({ compiled }) => {
    if (compiled.kind === "compiling") return;
    stop();
    then();
  });
}

/** Stores the files of the page for offline use. */
async function keepFiles(): Promise<void> {
  // An embedded page stores nothing, and the browser may refuse even to look for a service worker.
  if (!import.meta.env.PROD || isInside || !("serviceWorker" in navigator)) return;
  // The service worker only makes the page work offline. It loads every file, so it waits for the
  // editor.
  await editorLoaded();
  await navigator.serviceWorker.register("service-worker.js").catch(() => undefined);
}
