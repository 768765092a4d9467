/**
 * A program cannot be written as code of an engine; the message is the reason as half a sentence.
 */
export class NotWritten extends Error {}
