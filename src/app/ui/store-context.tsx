import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import {
  type Actions,
  type AppState,
  type AppStore,
  type AskOnce,
  createAskOnce,
  createCoalescingStore,
  createDeferredStore,
  isWorking,
} from "#app/state";
import { afterPaint } from "./after-paint.ts";
import { createMediaAnswer, type MediaAnswer } from "./media-query.ts";

interface Given {
  readonly store: AppStore;
  readonly actions: Actions;
}

interface Joined extends Given {
  /** The state as drawn: the store's, or a slightly older one. */
  readonly seen: AppStore;
  /** Values of selectors that many components use, each computed once. */
  readonly askOnce: AskOnce<AppState>;
  /**
   * The number of panels that have not drawn the new state yet; a store of its own, since only the
   * page reads it.
   */
  readonly waiting: StoreApi<number>;
  readonly systemDark: MediaAnswer;
}

const Context = createContext<Joined | undefined>(undefined);

/** Gives the store to everything below. */
export function AppProvider({
  store,
  actions,
  children,
}: Given & { readonly children: ReactNode }) {
  const held = useMemo(() => createCoalescingStore(store, wait), [store]);
  useLayoutEffect(() => held.follow(), [held]);
  useLayoutEffect(() => releaseOnInput(held.release), [held]);
  const joined = useMemo(
    () => ({
      ...{ store, actions, seen: held.seen },
      askOnce: createAskOnce(held.seen),
      waiting: createStore(() => 0),
      systemDark: createMediaAnswer("(prefers-color-scheme: dark)"),
    }),
    [store, actions, held],
  );
  return <Context.Provider value={joined}>{children}</Context.Provider>;
}

function wait(milliseconds: number, then: () => void) {
  const handle = setTimeout(then, milliseconds);
  return () => clearTimeout(handle);
}

/** Draws a held back state at the next input, which then acts on the newest text. */
function releaseOnInput(release: () => void): () => void {
  const kinds = ["keydown", "beforeinput", "compositionstart", "pointerdown", "paste", "drop"];
  const options = { capture: true, passive: true };
  for (const kind of kinds) addEventListener(kind, release, options);
  return () => {
    for (const kind of kinds) removeEventListener(kind, release, options);
  };
}

/** Draws its children after the rest of the page when a plan is new. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const joined = useJoined();
  const [{ seen, follow }] = useState(() =>
    createDeferredStore(joined.seen, waitingOf(joined.waiting)),
  );
  useLayoutEffect(follow, [follow]);
  const later = useMemo(() => ({ ...joined, seen, askOnce: createAskOnce(seen) }), [joined, seen]);
  return <Context.Provider value={later}>{children}</Context.Provider>;
}

function waitingOf(waiting: StoreApi<number>) {
  const count = (by: 1 | -1) => waiting.setState((known) => known + by, true);
  return { afterPaint, count };
}

/** One value of the store; the component is drawn again when it changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useJoined().seen, select);
}

/**
 * `useApp` for selectors that every box uses: `select` is a module constant, and is computed once
 * for all.
 */
export function useShared<T>(select: (state: AppState) => T): T {
  const { answer, listen } = useJoined().askOnce(select);
  return useSyncExternalStore(listen, answer);
}

/** Whether a shared selector has this value; drawn again only when that answer changes. */
export function useAppEquals<T>(select: (state: AppState) => T, value: NoInfer<T>): boolean {
  const { answer, listenFor } = useJoined().askOnce(select);
  const listen = useCallback(
    (changed: () => void) => listenFor(value, changed),
    [listenFor, value],
  );
  return useSyncExternalStore(listen, () => Object.is(answer(), value));
}

/** Whether the system asks for dark colours. */
export function useSystemDark(): boolean {
  const { answer, listen } = useJoined().systemDark;
  return useSyncExternalStore(listen, answer);
}

/** The actions of menus and buttons beyond one slice. */
export function useActions(): Actions {
  return useJoined().actions;
}

/** Whether something is being computed or waits to be drawn; also while an edit is held back. */
export function useIsWorking(): boolean {
  const { store, waiting } = useJoined();
  const isAsked = useStore(store, isWorking);
  const isWaiting = useStore(waiting, (count) => count > 0);
  return isAsked || isWaiting;
}

/** Counts a part of the page that has not drawn the new state yet. */
export function useWaiting(isWaiting: boolean): void {
  const { waiting } = useJoined();
  useLayoutEffect(() => {
    if (!isWaiting) return;
    const { count } = waitingOf(waiting);
    count(1);
    return () => count(-1);
  }, [isWaiting, waiting]);
}

/** The store itself, for handlers that read without drawing. */
export function useAppStore(): AppStore {
  return useJoined().store;
}

function useJoined(): Joined {
  const joined = useContext(Context);
  if (joined === undefined) throw new Error("no AppProvider above");
  return joined;
}
