import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { useStore } from "zustand";
import {
  type Actions,
  type AppState,
  type AppStore,
  createHeldStore,
  createLaterStore,
} from "#app/state";
import { afterPaint } from "./after-paint.ts";

interface Given {
  readonly store: AppStore;
  readonly actions: Actions;
}

interface Joined extends Given {
  /** What is drawn: the store, or what it said a moment ago. */
  readonly seen: AppStore;
}

const Context = createContext<Joined | undefined>(undefined);

/** Gives the store to everything below. */
export function AppProvider({
  store,
  actions,
  children,
}: Given & { readonly children: ReactNode }) {
  const held = useMemo(() => createHeldStore(store, wait), [store]);
  useLayoutEffect(() => held.follow(), [held]);
  useLayoutEffect(() => releaseOnInput(held.release), [held]);
  const joined = useMemo(() => ({ store, actions, seen: held.seen }), [store, actions, held]);
  return <Context.Provider value={joined}>{children}</Context.Provider>;
}

function wait(milliseconds: number, then: () => void) {
  const handle = setTimeout(then, milliseconds);
  return () => clearTimeout(handle);
}

/** Whoever types or presses next does so on the page as it is: an editor has the newest text. */
function releaseOnInput(release: () => void): () => void {
  const kinds = ["keydown", "beforeinput", "compositionstart", "pointerdown", "paste", "drop"];
  const options = { capture: true, passive: true };
  for (const kind of kinds) addEventListener(kind, release, options);
  return () => {
    for (const kind of kinds) removeEventListener(kind, release, options);
  };
}

/** What is below is drawn after the rest of the page when a plan is new. */
export function Later({ children }: { readonly children: ReactNode }) {
  const joined = useJoined();
  const [{ seen, follow }] = useState(() => createLaterStore(joined.seen, waitingOf(joined.store)));
  useLayoutEffect(follow, [follow]);
  const later = useMemo(() => ({ ...joined, seen }), [joined, seen]);
  return <Context.Provider value={later}>{children}</Context.Provider>;
}

/** While something waits the page counts as working. */
function waitingOf(store: AppStore) {
  const count = (by: 1 | -1) => store.setState(({ pending }) => ({ pending: pending + by }));
  return { afterPaint, count };
}

/** One value of the store; the component is drawn again when it changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useJoined().seen, select);
}

/** What menus and buttons do beyond one slice. */
export function useActions(): Actions {
  return useJoined().actions;
}

/** One value of the store as it is now, also while an edit waits to be drawn. */
export function useNow<T>(select: (state: AppState) => T): T {
  return useStore(useJoined().store, select);
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
