import { lazy, Suspense, useCallback } from "react";
import { type AppState, shown } from "#app/state";
import { goToText } from "../go-to-text.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useLater } from "../use-later.ts";
import { useLetterKeys } from "./use-letter-keys.ts";
import { usePaletteKeys } from "./use-palette-keys.ts";
import { useTypedAhead } from "./use-typed-ahead.ts";

const load = async () => await import("./OpenSheet.tsx");
const OpenSheet = lazy(async () => ({ default: (await load()).OpenSheet }));

/** Milliseconds after the first plan at which the sheets are preloaded. */
const aheadMilliseconds = 3_000;

/** The sheet that is open over the page, if any, and the keys that open one. */
export function Sheets() {
  const sheet = useApp((state) => state.sheet);
  const openSheet = useApp((state) => state.openSheet);
  usePaletteKeys();
  const takeTyped = useTypedAhead();
  const store = useAppStore();
  const { shelf } = useActions();
  const tend = useCallback(() => {
    void load()
      .then(({ tendPlans }) => tendPlans(store, shelf))
      .catch(() => undefined);
  }, [store, shelf]);
  useLater(aheadMilliseconds, tend);
  // A talk has its own keys, and none that change the plan.
  const isTalk = useApp((state) => state.mode === "present");
  useLetterKeys({
    "?": () => openSheet("shortcuts"),
  });
  useLetterKeys(
    isTalk
      ? {}
      : {
          "/": () => openSheet("palette"),
          p: () => void store.getState().startPlan(),
          r: () => void store.getState().startRun(),
          e: () => goToText(store.getState()),
          c: () => pinOrUnpin(store.getState()),
          v: () => store.getState().pinBaseline(),
          d: () => {
            const { tensorDrawing, drawTensors } = store.getState();
            drawTensors(tensorDrawing === "whole" ? "device" : "whole");
          },
        },
  );
  return (
    <Suspense fallback={null}>
      {sheet !== undefined && <OpenSheet sheet={sheet} takeTyped={takeTyped} />}
    </Suspense>
  );
}

/** Pins the plan on screen, or unpins it. */
function pinOrUnpin(state: AppState): void {
  const source = shown(state)?.source;
  const pinned = state.baselines.find(({ compiled }) => compiled.source === source);
  if (pinned === undefined) state.pinBaseline();
  else state.unpinBaseline(pinned);
}
