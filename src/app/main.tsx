import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import {
  createBodyChecker,
  createEngine,
  createRunner,
  spawnBodyChecker,
  spawnRunner,
} from "#app/engine";
import { createCompilerSpawner } from "#app/first";
import { isFramedByOthers } from "#app/share";
import {
  browserKeep,
  createActions,
  createAppStore,
  modeOf,
  noKeep,
  type Services,
} from "#app/state";
import { App, AppProvider, FramedPage } from "#app/ui";

const wait = (milliseconds: number, then: () => void) => {
  const handle = setTimeout(then, milliseconds);
  return () => clearTimeout(handle);
};

/** The page is at work for so long at most before it has drawn its plan and its editor. */
const keptAfterMilliseconds = 3_000;

const isEmbedded = modeOf(location.href) === "embed";
const isFramed = !isEmbedded && isFramedByOthers(window);
const services: Services = {
  engine: createEngine(createCompilerSpawner(), wait),
  runner: createRunner(spawnRunner, wait),
  bodies: createBodyChecker(spawnBodyChecker, wait),
  keep: isEmbedded || isFramed ? noKeep() : browserKeep(),
};
const store = createAppStore(services, location.href);
const actions = createActions(store, services);
const kept = store.getState().theme;
const isDark =
  kept === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : kept === "dark";
document.documentElement.dataset["theme"] = isDark ? "dark" : "light";

addEventListener("hashchange", ({ newURL }) => actions.follow(newURL));
store.subscribe(({ document: open, refusal }, before) => {
  // Anything else may change between the new address and the event that tells of it.
  if (open === before.document && refusal === before.refusal) return;
  const isOwn = open.origin.kind === "draft" && refusal === undefined;
  if (isOwn && location.hash !== "") history.replaceState(null, "", location.pathname);
});

if (import.meta.env.PROD && !isEmbedded && "serviceWorker" in navigator) {
  // Without it the page works all the same, only not without a network; it loads every file, so
  // what the page shows first comes first.
  const keepFiles = () => void navigator.serviceWorker.register("service-worker.js");
  addEventListener("load", () => wait(keptAfterMilliseconds, keepFiles));
}

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
