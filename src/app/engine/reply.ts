/** What came of a request: a value, nothing because a newer one came, or a fault of ours. */
export type Reply<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "superseded" }
  | { readonly kind: "failed"; readonly message: string };

/** Why a question that a newer one made pointless has no answer. */
export const superseded = "superseded";

/** The reply to a question that has no answer, by why. */
export function unanswered(message: string): Reply<never> {
  return message === superseded ? { kind: "superseded" } : { kind: "failed", message };
}
