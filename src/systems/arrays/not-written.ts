/**
 * A program cannot be written as code of an engine; the message is the reason as half a sentence.
 */
export class NotWritten extends Error {
  /** The modules whose cuts have no words there, by path: any of them may be the one to change. */
  readonly modules: readonly string[];
  constructor(reason: string, modules: readonly (string | undefined)[] = []) {
    super(reason);
    this.modules = modules.filter((path) => path !== undefined);
  }
}

/** What a module is written as; where it cannot be, that is the module's. */
export function ofModule<T>(path: string | undefined, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const isOpen = error instanceof NotWritten && error.modules.length === 0;
    throw isOpen ? new NotWritten(error.message, [path]) : error;
  }
}
