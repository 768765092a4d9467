/** Error thrown on use of code that is not loaded; the caller loads it and starts over. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super("a part of the program could not be loaded");
    this.load = load;
  }
}

/** Connects stand-ins to the exports of their loaded module. */
type Fill = (exported: readonly unknown[]) => void;

/** Part of the program that is loaded on first use. */
interface LatePart {
  /** Throws `NotLoaded` unless the part is loaded. */
  readonly needed: () => void;
  /**
   * Stand-in for an object or a class of the part; `real` returns the object once the part is
   * loaded.
   */
  readonly standIn: <T extends object>(real: () => T) => T;
  /** Registers the stand-ins of the module with index `place` in the part. */
  readonly add: (place: number, fill: Fill) => void;
}

/** Loader of a part; `words` matches texts that probably need it. */
interface Loader {
  readonly load: () => Promise<void>;
  readonly words: RegExp | undefined;
}

const all: Loader[] = [];

/**
 * Late-loaded part of the program, as the build plugin generates it (`late/vite-plugin.ts`).
 *
 * @param loadModules loads the exports of the part's modules, in order
 * @param words matches texts that probably need the part
 * @internal
 */
export function latePart(
  loadModules: () => Promise<readonly (readonly unknown[])[]>,
  words?: RegExp,
): LatePart {
  const fills = new Map<number, Fill>();
  let modules: readonly (readonly unknown[])[] | undefined;
  let loading: Promise<void> | undefined;
  const loaded = async () => {
    const found = await loadModules();
    for (const [place, fill] of fills) fill(found[place] ?? []);
    modules = found;
  };
  const load = () => {
    loading ??= loaded().catch((fault: unknown) => {
      // Clears the failed attempt, so that the next call loads again.
      loading = undefined;
      throw fault;
    });
    return loading;
  };
  all.push({ load, words });
  const needed = () => {
    if (modules === undefined) throw new NotLoaded(load);
  };
  return {
    needed,
    standIn: (real) => standInFor(real, needed),
    add: (place, fill) => {
      // Another part can add stand-ins after this one is loaded.
      if (modules === undefined) fills.set(place, fill);
      else fill(modules[place] ?? []);
    },
  };
}

/** Proxy that throws `NotLoaded` until the real object is loaded, and forwards to it afterwards. */
function standInFor<T extends object>(real: () => T, needed: () => void): T {
  const there = () => {
    needed();
    return real();
  };
  const handler: ProxyHandler<typeof nothing> = {
    get: (_, name) => {
      const object = there();
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
    has: (_, name) => Reflect.has(there(), name),
    ownKeys: () => Reflect.ownKeys(there()),
    // `T` may be no class, but only stand-ins of classes are constructed.
    construct: (_, given) => Reflect.construct(there() as never, given),
  };
  // The proxy's type is that of its target, although the handler makes it behave as a `T`.
  return new Proxy(nothing, handler) as never;
}

/** Target of the proxies; a function, since only proxies of functions can be constructed. */
function nothing(): void {}

/** Loads all late parts. */
export async function loadAllParts(): Promise<void> {
  await Promise.all(all.map(({ load }) => load()));
}

/**
 * Starts loading all parts that a text probably needs, without waiting. Later users wait for the
 * part, and retry if loading failed.
 */
export function loadLikely(text: string): void {
  for (const { load, words } of all) if (words?.test(text) === true) load().catch(() => undefined);
}

/**
 * Runs `answer`, which may throw `NotLoaded`: loads the missing part and runs it again. Rejects if
 * a part cannot be loaded.
 *
 * @param onWait called with `true` before a load, and with `false` after it
 */
export async function whenThere<T>(
  answer: () => Promise<T>,
  onWait: (isWaiting: boolean) => void,
): Promise<T> {
  for (;;) {
    try {
      return await answer();
    } catch (fault) {
      if (!(fault instanceof NotLoaded)) throw fault;
      onWait(true);
      await fault.load();
      onWait(false);
    }
  }
}
