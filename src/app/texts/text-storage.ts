/** Where texts are kept; every access may fail where storage is switched off or full. */
export interface TextStorage {
  /** `undefined` when nothing is there. */
  read(key: string): string | undefined;
  /** False when the browser refuses: storage is switched off, or no room is left. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): readonly string[];
}

/** A storage of the browser; without it, nothing is kept and nothing breaks. */
export function browserStorage(storage: () => Storage): TextStorage {
  return {
    read: (key) => attempt(() => storage().getItem(key) ?? undefined, undefined),
    write: (key, value) =>
      attempt(() => {
        storage().setItem(key, value);
        return true;
      }, false),
    remove: (key) => attempt(() => storage().removeItem(key), undefined),
    keys: () => attempt(() => Object.keys(storage()), []),
  };
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
