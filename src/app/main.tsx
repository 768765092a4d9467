import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createCompilerSpawner } from "#app/early-worker";
import { isFramedByOthers, isInsideMode, modeOf } from "#app/embedding";
import {
  createBodyChecker,
  createEngine,
  lateRunner,
  loadPlanner,
  spawnBodyChecker,
  spawnRunner,
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
import { App, AppProvider, editorLoaded, FramedPage } from "#app/ui";

const wait = (milliseconds: number, then: () => void) => {
  const handle = setTimeout(then, milliseconds);
  return () => clearTimeout(handle);
};

/** The page draws its plan and opens its editor within so long after the plan has been worked out. */
const laterMilliseconds = 3_000;

/** A page that was reloaded may still be known as another one for so long. */
const lookAgainMilliseconds = 1_000;

/** By then another page that has written shows the text that it goes on with. */
const lookAfterWritingMilliseconds = 100;

const isEmbedded = isInsideMode(modeOf(location.href));
const isFramed = !isEmbedded && isFramedByOthers(window);
/** A page inside another leaves no trace. */
const isInside = isEmbedded || isFramed;

void begin(servicesOf(fresh()));

async function begin(services: Services): Promise<void> {
  const { links } = services;
  /** What no address needs is not waited for: other examples than the first, the code of links. */
  const readyFor = async (address: string) => {
    if (namesExample(address)) await loadExamples().catch(() => undefined);
    if (namesLesson(address)) await loadLessons().catch(() => undefined);
    if (isLink(address)) await links.load().catch(() => undefined);
  };
  await readyFor(location.href);
  const store = createAppStore(services, location.href);
  const actions = createActions(store, services);
  const { from } = store.getState().shownText;
  // An edit looks whether a draft is still the example that it began as.
  if (from.kind === "example" && from.name !== firstExample.name) loadLater();
  const kept = store.getState().theme;
  const isDark =
    kept === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : kept === "dark";
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  const goTo = followAddress(store, actions, isInside ? heldAddress() : addressBar());
  const work = (by: 1 | -1) => store.setState(({ pending }) => ({ pending: pending + by }));
  addEventListener("hashchange", async ({ newURL }) => {
    // What an address needs may have to be loaded first: until then the page shows what was before.
    work(1);
    try {
      await readyFor(newURL);
      goTo(newURL);
    } finally {
      work(-1);
    }
  });
  // Nothing is loaded beside what the first plan needs: a slow network carries one thing at a time.
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

/** Loads all examples without waiting; what needs them asks again. */
function loadLater(): void {
  void loadExamples().catch(() => undefined);
}

/** What the page has of the browser: workers, storage, and what other pages of it show. */
function servicesOf(page: string): Services {
  const storage = isInside ? noStorage() : browserStorage(() => localStorage);
  const presence = lockPresence(isInside ? undefined : navigator.locks, page);
  return {
    engine: createEngine(createCompilerSpawner(), wait),
    runner: lateRunner(spawnRunner, wait),
    planner: loadPlanner,
    bodies: createBodyChecker(spawnBodyChecker, wait),
    links: lateLinks(),
    ...{ storage, presence },
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

/** What other pages do, and that a text which nothing keeps is not left without a question. */
function listen({ shelf, presence }: Services, store: AppStore, actions: Actions): void {
  const look = () => void presence?.refresh();
  addEventListener("storage", ({ key }) => {
    actions.hearStorage(key);
    // A page that has written may have gone on to a text of its own: then the one here is free.
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

/** Keeps the files of the page for when there is no network. */
async function keepFiles(): Promise<void> {
  // In a page of others the browser may refuse the very question, and no trace is left anyway.
  if (!import.meta.env.PROD || isInside || !("serviceWorker" in navigator)) return;
  // Without it the page works all the same, only not without a network; it loads every file, so
  // the editor comes first.
  await editorLoaded();
  await navigator.serviceWorker.register("service-worker.js").catch(() => undefined);
}
