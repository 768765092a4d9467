import { useCallback, useEffect } from "react";
import { hostOrigin, readMessage } from "#app/embedding";
import { type AppState, type AppStore, selectedTensor, shown } from "#app/state";
import { useActions, useApp, useAppStore } from "../store-context.tsx";

/** Messages to the surrounding page; each also has `source: "shardboard"`. */
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

/** Exchanges messages with the surrounding page, where its origin is known. */
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

/** Says that the plan is drawn, the height that it wants, and the selection. */
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
    // A selection that a link names may not exist before the plan is compiled.
    if (!isReady) return;
    tell({
      kind: "select",
      tensor: tensor ?? null,
      operator: operator ?? null,
      redistribution: redistribution === undefined ? null : redistribution + 1,
    });
  }, [tell, isReady, tensor, operator, redistribution]);
}

/** Says the position among the steps, and when the goal of a lesson's step is met. */
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

/** The number of the shown redistribution, from 1. */
function stepOf({ selection, playedStep }: AppState): number | null {
  if (selection.redistribution === undefined || playedStep !== undefined) return null;
  return selection.redistribution + 1;
}

/** The number of its hops that are done, where they are shown one by one. */
function hopOf(state: AppState): number | null {
  if (stepOf(state) === null || state.hops !== "ring") return null;
  return Math.floor((state.frame + 1) / 3);
}

/** Obeys messages of the surrounding page, if that page may send any. */
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

/**
 * The origin of the surrounding page; undefined without such a page, and for one that may get no
 * messages.
 */
function hostOf(store: AppStore): string | undefined {
  if (parent === window) return undefined;
  const ancestorOrigins = "ancestorOrigins" in location ? [...location.ancestorOrigins] : [];
  const { referrer } = document;
  return hostOrigin({ ancestorOrigins, referrer }, store.getState().options.parent);
}
