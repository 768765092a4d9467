/**
 * The outcome of a request: its value; `superseded` by a newer request; `failed` by an internal
 * fault.
 */
export type Reply<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "superseded" }
  | { readonly kind: "failed"; readonly message: string };

/** Failure message of a question that a newer one replaces. */
export const superseded = "superseded";

/** Reply to a question that ended without an answer; `message` tells why. */
export function unanswered(message: string): Reply<never> {
  return message === superseded ? { kind: "superseded" } : { kind: "failed", message };
}
