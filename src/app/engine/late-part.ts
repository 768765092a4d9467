/** Thrown by code that is not loaded yet: the caller begins again once it is. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super("a part of the program could not be loaded");
    this.load = load;
  }
}

/** Replaces stand-ins by the exports of a module. */
type Fill = (exported: readonly unknown[]) => void;

/** A part of the program that is loaded when first needed. */
interface LatePart {
  /** Throws `NotLoaded` until the part is loaded. */
  readonly needed: () => void;
  /**
   * A stand-in for an object or a class of the part; `real` gives the object once the part is
   * loaded.
   */
  readonly standIn: <T extends object>(real: () => T) => T;
  /** Registers the stand-ins of a module, by the module's index in the part. */
  readonly add: (place: number, fill: Fill) => void;
}

/** Loads a part; `words` are of texts that likely need it. */
interface Loader {
  readonly load: () => Promise<void>;
  readonly words: RegExp | undefined;
}

const all: Loader[] = [];

/**
 * A part of the program whose modules are left for later, as a build has them
 * (`late/vite-plugin.ts`).
 *
 * @param loadModules loads the exports of its modules, in their order
 * @param words match texts that likely need the part
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
      // After a failure the next call loads again.
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
      // A stand-in may come with another part, when this one is loaded already.
      if (modules === undefined) fills.set(place, fill);
      else fill(modules[place] ?? []);
    },
  };
}

/** An object that can do nothing until the real one is loaded, and then behaves like it. */
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
    // Only stand-ins of classes are constructed; the type `T` does not tell that.
    construct: (_, given) => Reflect.construct(there() as never, given),
  };
  // The handler makes it a `T`, but a proxy has the type of its target.
  return new Proxy(nothing, handler) as never;
}

/** The target of a proxy: a function, so that the proxy can be constructed. */
function nothing(): void {}

/** Loads all parts that are left for later. */
export async function loadAllParts(): Promise<void> {
  await Promise.all(all.map(({ load }) => load()));
}

/**
 * Begins to load all parts that a text likely needs, without waiting: callers wait where they need
 * a part, and load it again there if loading failed.
 */
export function loadLikely(text: string): void {
  for (const { load, words } of all) if (words?.test(text) === true) load().catch(() => undefined);
}

/**
 * An answer that may need parts which are not loaded yet: it waits for them and begins again.
 * Rejects if one cannot be loaded.
 *
 * @param onWait called with `true` when it begins to wait, and with `false` when it continues
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
