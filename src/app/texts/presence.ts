/** Tells other pages which text this page shows, and learns which ones they show. */
export interface Presence {
  readonly show: (id: string) => void;
  /** Ids of the texts that other pages showed at the last `refresh`. */
  readonly elsewhere: () => ReadonlySet<string>;
  /** Queries the browser again. */
  readonly refresh: () => Promise<void>;
}

const prefix = "shardboard.shown.";

/**
 * Presence by a Web Lock that a page holds for its text: the lock is released with the page, even
 * in a crash. Without locks (a page without TLS) no other page is known.
 *
 * @param page id of this page
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
