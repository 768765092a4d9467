/** The reason why a link is not opened. */
export interface Refused {
  readonly kind: "refused";
  readonly refusal: "damaged" | "newer" | "too-large" | "not-a-link";
  /** One sentence for the reader, with counts if there are any. */
  readonly message: string;
}

/** A refusal with its sentence. */
export function refused(refusal: Refused["refusal"], message: string): Refused {
  return { kind: "refused", refusal, message };
}

/** A count with separated thousands: `2 946`. */
export function spaced(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}
