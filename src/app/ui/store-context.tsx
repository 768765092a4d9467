import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { useStore } from "zustand";
import { type Actions, type AppState, type AppStore, createLaterStore } from "#app/state";
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
  const joined = useMemo(() => ({ store, actions, seen: store }), [store, actions]);
  return <Context.Provider value={joined}>{children}</Context.Provider>;
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

/** The store itself, for handlers that read without drawing. */
export function useAppStore(): AppStore {
  return useJoined().store;
}

function useJoined(): Joined {
  const joined = useContext(Context);
  if (joined === undefined) throw new Error("no AppProvider above");
  return joined;
}
