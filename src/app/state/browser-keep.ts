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

/** Storage throws where it is switched off or full. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
