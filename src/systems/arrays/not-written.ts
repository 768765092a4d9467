/**
 * A program cannot be written as code of an engine; the message is the reason as half a sentence.
 */
export class NotWritten extends Error {
  /** The module whose cut has no words there, by its path, where it is one. */
  readonly module: string | undefined;
  constructor(reason: string, module?: string) {
    super(reason);
    this.module = module;
  }
}

/** What a module is written as; where it cannot be, that is the module's. */
export function ofModule<T>(path: string | undefined, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const isOpen = error instanceof NotWritten && error.module === undefined;
    throw isOpen ? new NotWritten(error.message, path) : error;
  }
}
