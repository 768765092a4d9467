import type { BodyChecker, createPublishedReader, Engine, Planner, Runner } from "#app/engine";
import type { Presence, Shelf, TextStorage } from "#app/texts";
import type { LateLinks } from "./address/links.ts";

/** Reads published files in a worker. */
export type PublishedReader = ReturnType<typeof createPublishedReader>;

/** Services from outside the store: workers, storage and loaders. Tests pass their own. */
export interface Services {
  readonly engine: Engine;
  readonly runner: Runner;
  /** Loads the planner; rejects if that fails. Absent if plans are not searched. */
  readonly planner?: () => Promise<Planner>;
  /** Absent if function bodies are not checked in the background. */
  readonly bodies?: BodyChecker;
  /** Absent if no published files are read. */
  readonly reader?: PublishedReader;
  /** Storage of settings. */
  readonly storage: Pick<TextStorage, "read" | "write">;
  readonly links: LateLinks;
  /** The reader's texts. */
  readonly shelf: Shelf;
  /** Texts shown by other pages; absent if no other page can show any. */
  readonly presence?: Presence;
  /** Calls back after the drawn state has been painted; absent if nothing is painted. */
  readonly afterPaint?: (then: () => void) => void;
}
