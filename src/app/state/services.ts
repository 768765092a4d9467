import type { BodyChecker, Engine, Planner, Runner } from "#app/engine";
import type { Presence, Shelf, TextStorage } from "#app/texts";
import type { LateLinks } from "./links.ts";

/** What the store needs of the world; tests pass their own. */
export interface Services {
  readonly engine: Engine;
  readonly runner: Runner;
  /** Its code comes with the first call, which rejects when it cannot; absent where nothing is planned. */
  readonly planner?: () => Promise<Planner>;
  /** Absent where nothing is checked in the background. */
  readonly bodies?: BodyChecker;
  /** For settings. */
  readonly storage: Pick<TextStorage, "read" | "write">;
  readonly links: LateLinks;
  /** The reader's texts. */
  readonly shelf: Shelf;
  /** Which of them other pages show; absent where there are none. */
  readonly presence?: Presence;
}
