import type { Span } from "#core/diagnostics";
import type { Runtime } from "./runtime.ts";
import type { Value } from "./value.ts";

const longText = 256;
const smallInteger = 1n << 62n;

/**
 * Counts what looking through a value costs beyond one step, where it is one long text or one long
 * integer; items of containers are counted where they are visited.
 */
export function chargeSize(rt: Runtime, value: Value, span: Span): void {
  if (value.kind === "str") {
    if (value.value.length > longText) rt.tick(value.value.length >> 3, span);
  } else if (value.kind === "int" && !isSmall(value.value)) {
    rt.tick(bitBound(value.value) >> 8, span);
  }
}

/** Counts a product or a quotient of integers by the product of their lengths. */
export function chargeProduct(rt: Runtime, a: bigint, b: bigint, span: Span, times = 1): void {
  const words = (bitBound(a) / 64) * (bitBound(b) / 64);
  rt.tick(times * (1 + Math.floor(words / 64)), span);
}

/** Counts a search for one text in another: at worst both are compared at many places. */
export function chargeSearch(rt: Runtime, text: string, part: string, span: Span): void {
  rt.tick((text.length >> 3) + Math.floor((text.length * part.length) / 65_536), span);
}

function isSmall(value: bigint): boolean {
  return value < smallInteger && value > -smallInteger;
}

const bounds = Array.from({ length: 16 }, (_, at) => 64 << at);
const powers = bounds.map((bits) => 1n << BigInt(bits));

/**
 * At least as many bits as an integer has, at most twice as many (64 for small ones): only lengths
 * are compared, so this costs nothing, unlike counting bits.
 */
function bitBound(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const at = powers.findIndex((power) => magnitude < power);
  return bounds[at] ?? 2 * (bounds.at(-1) ?? 0);
}
