/**
 * The outcome of a request: its value; `superseded` by a newer request; `failed` by an internal
 * fault.
 */
export type Reply<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "superseded" }
  | { readonly kind: "failed"; readonly message: string };

/** The message of a question that a newer one has superseded. */
export const superseded = "superseded";

/** The reply to a question that ended without an answer, from the message of its end. */
export function unanswered(message: string): Reply<never> {
  return message === superseded ? { kind: "superseded" } : { kind: "failed", message };
}
