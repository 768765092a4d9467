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

/** The reply that an answer makes, of a kind that was not expected a fault. */
export function replyFrom<Answered extends { readonly kind: string }, T>(
  answer: Answered,
  read: (answer: Answered) => T | undefined,
): Reply<T> {
  const value = read(answer);
  if (value !== undefined) return { kind: "done", value };
  return { kind: "failed", message: `unexpected ${answer.kind}` };
}
