/** One level of a nested partition: an identifier cut into pieces, or copies of the operator. */
export interface Level {
  /** Absent for copies. */
  readonly identifier?: string;
  readonly count: number;
}

/** A piece of an operator: which piece of each level it is, and the devices that run it. */
export interface AssignedPiece {
  readonly path: readonly number[];
  readonly devices: readonly number[];
}

/**
 * The devices of a uniformly nested partition in the order of its pieces, outermost level first,
 * or why the assignment is none that a mesh can say: every piece needs as many devices as the
 * others, and every device one piece. Pieces without a device get those that are left, in order.
 *
 * @param devices all devices of the plan, in mesh order
 */
export function devicesInOrder(
  pieces: readonly AssignedPiece[],
  devices: readonly number[],
): readonly number[] | "uneven" | "several" | "unknown-device" {
  const named = pieces.flatMap((piece) => piece.devices);
  if (named.some((device) => !devices.includes(device))) return "unknown-device";
  if (new Set(named).size < named.length) return "several";
  const free = devices.filter((device) => !named.includes(device));
  const each = devices.length / pieces.length;
  if (!Number.isInteger(each)) return "uneven";
  const ordered = pieces.flatMap((piece) =>
    piece.devices.length === 0 ? free.splice(0, each) : piece.devices,
  );
  const isEven = pieces.every(({ devices: own }) => own.length === 0 || own.length === each);
  return isEven && ordered.length === devices.length ? ordered : "uneven";
}
