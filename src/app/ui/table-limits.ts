import type { DeviceId, DeviceMesh } from "#core/mesh";

/** Most rows of all hidden tables together; beyond, only one tensor has a table. */
const rowsInAll = 5_000;

/** Most elements of the hidden tables, so that a page has at most 20,000 in all. */
const elementsInAll = 12_000;

/** Most elements of the visible table of one tensor. */
const drawnElements = 1_800;

/** Most rows of the visible table; a line counts the rest. */
const drawnRows = 256;

/** Elements of a row: the row, its device, one cell per dim, the local shape and the state. */
function elementsOfRow(rank: number): number {
  return rank + 4;
}

/**
 * Whether the hidden tables of tensors of these ranks all fit into the page, with a row per device.
 */
export function mayAllStand(ranks: readonly number[], devices: number): boolean {
  const elements = ranks.reduce((sum, rank) => sum + elementsOfRow(rank), 0) * devices;
  return ranks.length * devices <= rowsInAll && elements <= elementsInAll;
}

/** Most rows of one tensor's hidden table. */
export function mostHiddenRows(rank: number): number {
  return Math.min(rowsInAll, Math.floor(elementsInAll / elementsOfRow(rank)));
}

/** Most rows of one tensor's visible table. */
export function mostDrawnRows(rank: number): number {
  return Math.min(drawnRows, Math.floor(drawnElements / elementsOfRow(rank)));
}

/**
 * Devices shown by a table of at most `most` rows, by id: the page that contains `around`, else the
 * first page.
 */
export function devicesOfTable(
  { devices }: DeviceMesh,
  most: number,
  around: DeviceId | undefined,
): readonly DeviceId[] {
  if (devices.length <= most) return [...devices].sort((a, b) => a - b);
  const isInOrder = devices.every((device, index) => device === index);
  const ordered = isInOrder ? devices : [...devices].sort((a, b) => a - b);
  const at = around === undefined ? 0 : Math.max(0, ordered.indexOf(around));
  const first = at - (at % most);
  return ordered.slice(first, first + most);
}
