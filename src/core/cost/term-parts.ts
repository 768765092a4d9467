import { type Term, termOf } from "#core/collective";

/** The time before and after the work of a kernel. */
export function started(seconds: number): Term {
  return termOf("start and end", [{ symbol: "start", value: seconds, unit: "s" }]);
}

/** Bytes at a rate. */
export function bytesOver(name: string, bytes: number, bandwidth: number): Term {
  return termOf(name, [
    { symbol: "read and written", value: bytes, unit: "B" },
    { symbol: "bandwidth reached", value: bandwidth, unit: "B/s", divides: true },
  ]);
}

/** Operations at a rate. */
export function operationsOver(name: string, operations: number, rate: number): Term {
  return termOf(name, [
    { symbol: "operations", value: operations, unit: "FLOP" },
    { symbol: "rate reached", value: rate, unit: "FLOP/s", divides: true },
  ]);
}

/** The sum of terms, in seconds. */
export function total(terms: readonly Term[]): number {
  return terms.reduce((sum, { value }) => sum + value, 0);
}
