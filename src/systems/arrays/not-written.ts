/** That a program cannot be written as JAX code, with the reason as half a sentence. */
export class NotWritten extends Error {}
