/** Tells other pages which text this one shows, and learns what they show. */
export interface Presence {
  readonly show: (id: string) => void;
  /** Ids of the texts that other pages showed when it was asked last. */
  readonly elsewhere: () => ReadonlySet<string>;
  /** Asks again. */
  readonly refresh: () => Promise<void>;
}

const prefix = "shardboard.shown.";

/**
 * By a lock that a page holds for its text: it goes with the page, also where that ends in a crash.
 * Where there are no locks (a page without TLS), nobody is known to be elsewhere.
 *
 * @param page tells this page from all others
 */
export function lockPresence(locks: LockManager | undefined, page: string): Presence {
  let release = () => {};
  let others: ReadonlySet<string> = new Set();
  return {
    show: (id) => {
      release();
      const shown = new Promise<void>((done) => {
        release = done;
      });
      void locks?.request(`${prefix}${id}.${page}`, () => shown).catch(() => undefined);
    },
    elsewhere: () => others,
    refresh: async () => {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
      others = new Set(held.flatMap(({ name = "" }) => shownElsewhere(name, page) ?? []));
    },
  };
}

function shownElsewhere(lock: string, page: string): string | undefined {
  if (!lock.startsWith(prefix)) return undefined;
  const [id, holder] = lock.slice(prefix.length).split(".");
  return holder === page ? undefined : id;
}
