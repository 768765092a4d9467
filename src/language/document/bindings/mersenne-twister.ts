/**
 * Generator of Python's `random`: MT19937 after Matsumoto and Nishimura, "Mersenne Twister", ACM
 * TOMACS 8 (1998), seeded by an array as CPython's `random.seed(int)` does.
 */
const length = 624;
const shift = 397;

/** State of a generator: its words, and how many of them are used. */
export interface TwisterState {
  readonly words: Uint32Array;
  used: number;
}

/** State for an integer seed; the sign is ignored. */
export function seeded(seed: bigint): TwisterState {
  const keys: number[] = [];
  for (let rest = seed < 0n ? -seed : seed; rest > 0n; rest >>= 32n) {
    keys.push(Number(rest & 0xffffffffn));
  }
  return byArray(keys.length === 0 ? [0] : keys);
}

export function copyOf({ words, used }: TwisterState): TwisterState {
  return { words: words.slice(), used };
}

/** The next `count` random bits, at most 32. */
export function bits32(state: TwisterState, count: number): number {
  return count === 0 ? 0 : next(state) >>> (32 - count);
}

/** Uniform float in [0, 1) with 53 random bits. */
export function fraction(state: TwisterState): number {
  const [high, low] = [next(state) >>> 5, next(state) >>> 6];
  return (high * 67108864 + low) / 9007199254740992;
}

/** Uniform integer in [0, limit), for limits of at most 32 bits, by rejection. */
export function below(state: TwisterState, limit: number): number {
  const count = limit.toString(2).length;
  let drawn = bits32(state, count);
  while (drawn >= limit) drawn = bits32(state, count);
  return drawn;
}

function byNumber(seed: number): Uint32Array {
  const words = new Uint32Array(length);
  words[0] = seed;
  for (let at = 1; at < length; at++) {
    const last = words[at - 1] ?? 0;
    words[at] = Math.imul(1812433253, last ^ (last >>> 30)) + at;
  }
  return words;
}

function byArray(keys: readonly number[]): TwisterState {
  const words = byNumber(19650218);
  let at = 1;
  const step = (factor: number, added: number) => {
    const last = words[at - 1] ?? 0;
    words[at] = ((words[at] ?? 0) ^ Math.imul(last ^ (last >>> 30), factor)) + added;
    at += 1;
    if (at < length) return;
    words[0] = words[length - 1] ?? 0;
    at = 1;
  };
  for (let count = 0; count < Math.max(length, keys.length); count++) {
    const key = count % keys.length;
    step(1664525, (keys[key] ?? 0) + key);
  }
  for (let count = 1; count < length; count++) step(1566083941, -at);
  words[0] = 0x80000000;
  return { words, used: length };
}

function refill(state: TwisterState): void {
  const { words } = state;
  for (let at = 0; at < length; at++) {
    const [one, other] = [words[at] ?? 0, words[(at + 1) % length] ?? 0];
    const mixed = (one & 0x80000000) | (other & 0x7fffffff);
    const odd = mixed & 1 ? 0x9908b0df : 0;
    words[at] = (words[(at + shift) % length] ?? 0) ^ (mixed >>> 1) ^ odd;
  }
  state.used = 0;
}

function next(state: TwisterState): number {
  if (state.used >= length) refill(state);
  let word = state.words[state.used++] ?? 0;
  word ^= word >>> 11;
  word ^= (word << 7) & 0x9d2c5680;
  word ^= (word << 15) & 0xefc60000;
  return (word ^ (word >>> 18)) >>> 0;
}
