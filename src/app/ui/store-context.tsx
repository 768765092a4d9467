import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import type { Actions, AppState, AppStore } from "#app/state";

interface Joined {
  readonly store: AppStore;
  readonly actions: Actions;
}

const Context = createContext<Joined | undefined>(undefined);

/** Gives the store to everything below. */
export function AppProvider({ children, ...joined }: Joined & { readonly children: ReactNode }) {
  return <Context.Provider value={joined}>{children}</Context.Provider>;
}

/** One value of the store; the component is drawn again when it changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useJoined().store, select);
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
