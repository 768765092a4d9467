import type { BodyChecker, createPublishedReader, Engine, Planner, Runner } from "#app/engine";
import type { Presence, Shelf, TextStorage } from "#app/texts";
import type { LateLinks } from "./address/links.ts";

/** Reads published files aside. */
export type PublishedReader = ReturnType<typeof createPublishedReader>;

/** Services from outside the store: workers, storage and loaders. Tests pass their own. */
export interface Services {
  readonly engine: Engine;
  readonly runner: Runner;
  /** Loads the planner; rejects when that fails. Absent where plans are not searched. */
  readonly planner?: () => Promise<Planner>;
  /** Absent where bodies of functions are not checked in the background. */
  readonly bodies?: BodyChecker;
  /** Absent where no published files are read. */
  readonly reader?: PublishedReader;
  /** Where settings are kept. */
  readonly storage: Pick<TextStorage, "read" | "write">;
  readonly links: LateLinks;
  /** The reader's texts. */
  readonly shelf: Shelf;
  /** Which texts other pages show; absent where no other page can show any. */
  readonly presence?: Presence;
  /** Calls back when what is drawn has been painted; absent where nothing is painted. */
  readonly afterPaint?: (then: () => void) => void;
}
