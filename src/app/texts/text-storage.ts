/** Where texts are kept; every access may fail where storage is switched off or full. */
export interface TextStorage {
  /** `undefined` when nothing is there. */
  read(key: string): string | undefined;
  /** False when the browser refuses: storage is switched off, or no room is left. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): readonly string[];
  /** Whether the last write was refused though there may be room: the browser lets nothing be kept. */
  isDenied?(): boolean;
}

/** A storage of the browser; without it, nothing is kept and nothing breaks. */
export function browserStorage(
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): TextStorage {
  let isDenied = false;
  return {
    read: (key) => attempt(() => storage().getItem(key) ?? undefined, undefined),
    write: (key, value) => {
      try {
        storage().setItem(key, value);
        isDenied = false;
        return true;
      } catch (thrown) {
        isDenied = !isOfRoom(thrown);
        return false;
      }
    },
    remove: (key) => attempt(() => storage().removeItem(key), undefined),
    keys: () => attempt(() => Object.keys(storage()), []),
    isDenied: () => isDenied,
  };
}

/** The errors that browsers throw when no room is left. */
function isOfRoom(thrown: unknown): boolean {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : "";
  return name === "QuotaExceededError" || name === "NS_ERROR_DOM_QUOTA_REACHED";
}

/** A storage that keeps nothing, for a page inside another page. */
export function noStorage(): TextStorage {
  return { read: () => undefined, write: () => true, remove: () => {}, keys: () => [] };
}

/** Storage throws where it is switched off or full. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
