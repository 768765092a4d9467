import { product } from "#core/arithmetic";
import type { AssignedPiece, Level } from "#language/document/trace";

export type { AssignedPiece, Level };

/** A factor of a level, outermost first: its pieces lie on different devices, or all on one. */
export interface LevelFactor {
  readonly level: number;
  readonly count: number;
  readonly isOnDevice: boolean;
}

/** The placement of a nested partition on the devices. */
export interface Assignment {
  /** Factors of all levels, outermost level first; factors of 1 are left out. */
  readonly factors: readonly LevelFactor[];
  /** The devices in row-major order of the factors between devices, then of the copies. */
  readonly devices: readonly number[];
}

/**
 * The placement of a uniformly nested partition, or the reason why a mesh cannot express it: every
 * piece needs equally many devices, or every device equally many pieces. Several pieces per device
 * (co-shard) are factors inside a device, before or after those between devices (dimops.md §8).
 * Pieces without a device get the remaining ones, in order.
 *
 * @param devices all devices of the plan, in mesh order
 */
export function assignmentOf(
  levels: readonly Level[],
  pieces: readonly AssignedPiece[],
  devices: readonly number[],
): Assignment | "uneven" | "several" | "unsayable" | "unknown-device" {
  const named = pieces.flatMap((piece) => piece.devices);
  if (named.some((device) => !devices.includes(device))) return "unknown-device";
  if (pieces.length > devices.length) return sharedByPieces(levels, pieces, devices);
  if (new Set(named).size < named.length) return "several";
  const free = devices.filter((device) => !named.includes(device));
  const each = devices.length / pieces.length;
  if (!Number.isInteger(each)) return "uneven";
  const ordered = pieces.flatMap((piece) =>
    piece.devices.length === 0 ? free.splice(0, each) : piece.devices,
  );
  const isEven = pieces.every(({ devices: own }) => own.length === 0 || own.length === each);
  if (!isEven || ordered.length < devices.length) return "uneven";
  const factors = levels.map(({ count }, level) => ({ level, count, isOnDevice: false }));
  return { factors: factors.filter(({ count }) => count > 1), devices: ordered };
}

function sharedByPieces(
  levels: readonly Level[],
  pieces: readonly AssignedPiece[],
  devices: readonly number[],
): Assignment | "uneven" | "unsayable" {
  const each = pieces.length / devices.length;
  if (!Number.isInteger(each)) return "uneven";
  const isOpen = pieces.every((piece) => piece.devices.length === 0);
  const on = pieces.map((piece, at) =>
    isOpen ? devices[Math.floor(at / each)] : piece.devices[0],
  );
  const held = devices.map((device) => on.filter((other) => other === device).length);
  if (held.some((count) => count !== each)) return "uneven";
  const factors = levels.flatMap((_, level) => factorsOf(levels, level, on));
  const isCopied = factors.some(
    ({ level, isOnDevice }) => isOnDevice && levels[level]?.identifier === undefined,
  );
  const between = factors.filter(({ isOnDevice }) => !isOnDevice);
  if (isCopied || product(between.map(({ count }) => count)) !== devices.length) return "unsayable";
  return { factors, devices: orderedBy(factors, on) };
}

/** The devices, in order of the first piece on each of them. */
function orderedBy(
  factors: readonly LevelFactor[],
  on: readonly (number | undefined)[],
): readonly number[] {
  let stride = on.length;
  const places = factors.reduce<readonly number[]>(
    (starts, { count, isOnDevice }) => {
      stride /= count;
      const steps = isOnDevice ? [0] : Array.from({ length: count }, (_, at) => at * stride);
      return starts.flatMap((start) => steps.map((step) => start + step));
    },
    [0],
  );
  return places.flatMap((place) => on[place] ?? []);
}

/** The factors of a level, in the order of its primes that keeps the most pieces on one device. */
function factorsOf(
  levels: readonly Level[],
  level: number,
  on: readonly (number | undefined)[],
): readonly LevelFactor[] {
  const inner = product(levels.slice(level + 1).map(({ count }) => count));
  const inside = (found: readonly LevelFactor[]) =>
    product(found.flatMap(({ count, isOnDevice }) => (isOnDevice ? [count] : [])));
  let best: readonly LevelFactor[] = [];
  for (const primes of ordersOf(primesOf(levels[level]?.count ?? 1))) {
    let stride = inner * product(primes);
    const found = primes.map((count): LevelFactor => {
      stride /= count;
      return { level, count, isOnDevice: isConstant(on, stride, count) };
    });
    if (best.length === 0 || inside(found) > inside(best)) best = found;
  }
  return joined(best);
}

/** Whether pieces that differ only in one digit of their index lie on one device. */
function isConstant(on: readonly (number | undefined)[], stride: number, count: number): boolean {
  return on.every((device, at) => device === on[at - (Math.floor(at / stride) % count) * stride]);
}

function joined(factors: readonly LevelFactor[]): readonly LevelFactor[] {
  const done: LevelFactor[] = [];
  for (const factor of factors) {
    const last = done.at(-1);
    if (last?.isOnDevice !== factor.isOnDevice) done.push(factor);
    else done.splice(-1, 1, { ...last, count: last.count * factor.count });
  }
  return done;
}

function primesOf(count: number): readonly number[] {
  const prime = Array.from({ length: count }, (_, at) => at + 2).find((each) => count % each === 0);
  return prime === undefined || count < 2 ? [] : [prime, ...primesOf(count / prime)];
}

/** All distinct permutations of a list. */
function ordersOf(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return [[]];
  return [...new Set(list)].flatMap((first) => {
    const at = list.indexOf(first);
    return ordersOf(list.toSpliced(at, 1)).map((rest) => [first, ...rest]);
  });
}
