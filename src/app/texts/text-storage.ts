/** Storage of texts; every access may fail if the storage is disabled or full. */
export interface TextStorage {
  /** The stored value; `undefined` if there is none. */
  read(key: string): string | undefined;
  /** Returns false if the browser refuses: the storage is disabled or full. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): readonly string[];
  /**
   * Whether the last write was refused for a reason other than space: the browser allows no
   * storage.
   */
  isDenied?(): boolean;
}

/** A storage of the browser; if it is unavailable, nothing is stored and no call throws. */
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

/** Whether an error is one that browsers throw for a full storage. */
function isOfRoom(thrown: unknown): boolean {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : "";
  return name === "QuotaExceededError" || name === "NS_ERROR_DOM_QUOTA_REACHED";
}

/** A storage that stores nothing, for an embedded page. */
export function noStorage(): TextStorage {
  return { read: () => undefined, write: () => true, remove: () => {}, keys: () => [] };
}

/** Calls `act`, and returns `otherwise` if the disabled or full storage throws. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
