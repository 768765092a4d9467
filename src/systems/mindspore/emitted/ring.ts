import { product } from "#core/arithmetic";
import { sequenceDim } from "../primitives/attention.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import type { PlacedOperator } from "./placed-operators.ts";

/** Ring attention: keys and values circulate between the devices that share a sequence. */
export interface Ring {
  /** Number of attention operators in the graph. */
  readonly runs: number;
  /** The messages of a rank in order; all use the group of all devices. */
  readonly sent: readonly ("Send" | "Receive" | "NeighborExchange")[];
}

/**
 * The ring of an attention with `enable_ring_attention` or `enable_flash_sp` whose queries are
 * sharded along the sequence; `undefined` for any other operator. Recorded from MindSpore 2.10's
 * compiler for rings of 2, 4 and 8 devices, for `enable_flash_sp` on every rank.
 */
export function ringOf(
  { traced, model, strategies = [] }: PlacedOperator,
  rank: number,
): Ring | undefined {
  const { attributes = [], arguments: given = {} } = traced.primitive ?? {};
  const isOn = (name: string) =>
    attributes.findLast((attribute) => attribute.name === name)?.value === true;
  const dim = sequenceDim(given.input_layout);
  const devices = strategies[0]?.[dim] ?? 1;
  if (devices === 1 || model === undefined) return undefined;
  if (isOn("enable_flash_sp")) {
    const [entry = -1] = [model.inputMaps[0]?.[dim] ?? -1].flat();
    return flashRing(devices, placeIn(model.deviceMatrix, entry, rank));
  }
  if (!isOn("enable_ring_attention")) return undefined;
  const isPaired = isOn("enable_ra_send_recv") || isOn("enable_ra_context_parallel");
  const step = isPaired ? (["Send", "Receive"] as const) : (["NeighborExchange"] as const);
  return { runs: devices, sent: Array.from({ length: devices - 1 }, () => step).flat() };
}

/**
 * Ring of a causal mask (`enable_flash_sp`): the first devices have less to compute, and send more
 * than they receive. The order of Sends and Receives is not modelled.
 */
function flashRing(devices: number, place: number): Ring {
  const sends = (3 * devices) / 2 - 1 - place;
  const receives = devices / 2 + place;
  return {
    runs: devices + 1,
    sent: [
      ...Array.from({ length: sends }, () => "Send" as const),
      ...Array.from({ length: receives }, () => "Receive" as const),
    ],
  };
}

/** Coordinate of a rank along an axis of the device matrix. */
function placeIn(deviceMatrix: readonly number[], axis: number, rank: number): number {
  const behind = product(deviceMatrix.slice(deviceMatrix.length - axis));
  return Math.floor(rank / behind) % axisSizeOf(deviceMatrix, axis);
}
