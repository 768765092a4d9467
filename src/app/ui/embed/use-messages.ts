import { useCallback, useEffect } from "react";
import { hostOrigin, readMessage } from "#app/embedding";
import { type AppState, type AppStore, selectedTensor, shown } from "#app/state";
import { useActions, useApp, useAppStore } from "../store-context.tsx";

/** Messages posted to the host page, each with `source: "shardboard"` added. */
type Told =
  | { readonly kind: "ready" }
  | { readonly kind: "height"; readonly height: number }
  | {
      readonly kind: "select";
      readonly tensor: string | null;
      readonly operator: string | null;
      readonly redistribution: number | null;
    }
  | { readonly kind: "step"; readonly step: number | null; readonly hop: number | null }
  | { readonly kind: "met"; readonly lesson: string; readonly step: number };

const bar = 45;
const [least, most] = [240, 900];

type Tell = (told: Told) => void;

/**
 * Exchanges messages with the host page: posts state changes, only to a known origin, and obeys its
 * messages.
 */
export function useMessages(): void {
  const store = useAppStore();
  const tell = useCallback(
    (told: Told) => {
      const host = hostOf(store);
      if (host !== undefined) parent.postMessage({ source: "shardboard", ...told }, host);
    },
    [store],
  );
  useHearing();
  useTellings(tell);
  useSteps(tell);
}

/** Posts that the plan is ready, its wanted height in CSS pixels, and the selection. */
function useTellings(tell: Tell): void {
  const layout = useApp((state) => state.laidOut?.layout);
  const isReady = useApp((state) => shown(state) !== undefined);
  const tensor = useApp((state) => selectedTensor(state)?.name);
  const operator = useApp((state) => state.selection.operator);
  const redistribution = useApp((state) => state.selection.redistribution);
  useEffect(() => {
    if (isReady) tell({ kind: "ready" });
  }, [tell, isReady]);
  useEffect(() => {
    if (layout === undefined) return;
    const zoom = Math.min(1, innerWidth / layout.width);
    const height = Math.min(most, Math.max(least, Math.ceil(layout.height * zoom) + bar));
    tell({ kind: "height", height });
  }, [tell, layout]);
  useEffect(() => {
    // The selection of a link may name parts that exist only once the plan is compiled.
    if (!isReady) return;
    tell({
      kind: "select",
      tensor: tensor ?? null,
      operator: operator ?? null,
      redistribution: redistribution === undefined ? null : redistribution + 1,
    });
  }, [tell, isReady, tensor, operator, redistribution]);
}

/** Posts the position among the steps, and that the goal of a lesson's step is met. */
function useSteps(tell: Tell): void {
  const step = useApp(stepOf);
  const hop = useApp(hopOf);
  const lesson = useApp((state) => state.lesson?.lesson.id);
  const met = useApp(({ lesson: open }) => (open?.met.has(open.at) ? open.at + 1 : undefined));
  const isReady = useApp((state) => shown(state) !== undefined);
  useEffect(() => {
    if (isReady) tell({ kind: "step", step, hop });
  }, [tell, isReady, step, hop]);
  useEffect(() => {
    if (lesson !== undefined && met !== undefined) tell({ kind: "met", lesson, step: met });
  }, [tell, lesson, met]);
}

/** Number of the selected redistribution, from 1; null if none is selected. */
function stepOf({ selection, playedStep }: AppState): number | null {
  if (selection.redistribution === undefined || playedStep !== undefined) return null;
  return selection.redistribution + 1;
}

/**
 * Number of completed hops of the selected redistribution; null unless hops are shown one by one.
 */
function hopOf(state: AppState): number | null {
  if (stepOf(state) === null || state.hops !== "ring") return null;
  return Math.floor((state.frame + 1) / 3);
}

/** Obeys messages of the host page, if its origin is allowed. */
function useHearing(): void {
  const actions = useActions();
  const store = useAppStore();
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      const host = hostOf(store);
      if (host === undefined || source !== parent || (host !== "*" && host !== origin)) return;
      const heard = readMessage(data);
      if (heard?.kind === "goto") actions.showAt(heard);
      if (heard?.kind === "text") actions.openText(heard.text);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [store, actions]);
}

/** Origin of the host page; `undefined` without a host page, and for one that is not allowed. */
function hostOf(store: AppStore): string | undefined {
  if (parent === window) return undefined;
  const ancestorOrigins = "ancestorOrigins" in location ? [...location.ancestorOrigins] : [];
  const { referrer } = document;
  return hostOrigin({ ancestorOrigins, referrer }, store.getState().options.parent);
}
