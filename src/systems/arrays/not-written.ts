/** That a program cannot be written as code of an engine, with the reason as half a sentence. */
export class NotWritten extends Error {}
