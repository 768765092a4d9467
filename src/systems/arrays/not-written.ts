/**
 * Thrown when a program cannot be written as code of an engine; the message is the reason as half a
 * sentence.
 */
export class NotWritten extends Error {
  /** Paths of modules whose cuts cannot be expressed: a change of any of them may help. */
  readonly modules: readonly string[];
  constructor(reason: string, modules: readonly (string | undefined)[] = []) {
    super(reason);
    this.modules = modules.filter((path) => path !== undefined);
  }
}

/** Runs the writing of a module; an error without modules is attributed to this one. */
export function ofModule<T>(path: string | undefined, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const isOpen = error instanceof NotWritten && error.modules.length === 0;
    throw isOpen ? new NotWritten(error.message, [path]) : error;
  }
}
