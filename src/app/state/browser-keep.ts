import type { Keep } from "./services.ts";

/** The browser's own storage of this site; without it, nothing is kept and nothing breaks. */
export function browserKeep(): Keep {
  return {
    read: (key) => attempt(() => localStorage.getItem(key) ?? undefined, undefined),
    write: (key, value) =>
      attempt(() => {
        localStorage.setItem(key, value);
        return true;
      }, false),
  };
}

/** Keeps nothing and finds nothing: a page inside another leaves no trace. */
export function noKeep(): Keep {
  return { read: () => undefined, write: () => true };
}

/** Storage throws where it is switched off or full. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
