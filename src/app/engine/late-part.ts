/** Thrown where code is needed that is not there yet: what asked for it begins again once it is. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super("a part of the program could not be loaded");
    this.load = load;
  }
}

/** Puts what a module exports in the place of what stood in for it. */
type Fill = (exported: readonly unknown[]) => void;

/** A part of the program that is loaded when it is first needed. */
interface LatePart {
  /** Throws `NotLoaded` until the part is there. */
  readonly needed: () => void;
  /**
   * A stand-in for an object or a class of the part; `real` gives the object once the part is
   * loaded.
   */
  readonly standIn: <T extends object>(real: () => T) => T;
  /** Notes what fills in a module of the part, by its place among them. */
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
 * @param loadModules what its modules export, in their order
 * @param words what stands in a text that likely needs the part
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
      // What stands in may come with another part, when this one is there already.
      if (modules === undefined) fills.set(place, fill);
      else fill(modules[place] ?? []);
    },
  };
}

/** An object that can do nothing until the real one is there, and then does as that does. */
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
    // Only where a class is stood in for is anything constructed, which `T` does not say.
    construct: (_, given) => Reflect.construct(there() as never, given),
  };
  // The handler makes it a `T`; the type of a proxy is that of what it is put over.
  return new Proxy(nothing, handler) as never;
}

/** What a proxy can construct in the place of. */
function nothing(): void {}

/** Loads every part that is left for later. */
export async function loadAllParts(): Promise<void> {
  await Promise.all(all.map(({ load }) => load()));
}

/**
 * Begins to load all parts that a text likely needs. Nothing waits here: a needed part is waited
 * for where it is used, and loaded again there if loading failed.
 */
export function loadLikely(text: string): void {
  for (const { load, words } of all) if (words?.test(text) === true) load().catch(() => undefined);
}

/**
 * An answer that may need parts which are not there yet: then it waits for them and begins again.
 * Rejects when one cannot be loaded.
 *
 * @param onWait hears when it begins to wait, with `true`, and when it goes on
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
