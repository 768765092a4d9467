import type { BodyChecker, Engine, Runner } from "#app/engine";

/** Where texts are kept between visits; `undefined` when nothing is there. */
export interface Keep {
  read(key: string): string | undefined;
  /** False when the browser refuses: private mode, or no room left. */
  write(key: string, value: string): boolean;
}

/** What the store needs of the world; tests pass their own. */
export interface Services {
  readonly engine: Engine;
  readonly runner: Runner;
  /** Absent where nothing is checked in the background. */
  readonly bodies?: BodyChecker;
  readonly keep: Keep;
}
