import type { DeviceId, DeviceMesh } from "#core/mesh";

/** Rows that the hidden tables of all tensors have together; beyond it one tensor has its table. */
const rowsInAll = 5_000;

/** Elements that hidden tables are made of, so that a page has at most 20,000 in all. */
const elementsInAll = 12_000;

/** Elements that the drawn table of one tensor is made of. */
const drawnElements = 1_800;

/** Rows of the drawn table; a line says how many more there are. */
const drawnRows = 256;

/** A row, its device, one cell for each dim, the local shape and the state. */
function elementsOfRow(rank: number): number {
  return rank + 4;
}

/** Whether the tables of tensors of these ranks may all stand in the page, a row a device. */
export function mayAllStand(ranks: readonly number[], devices: number): boolean {
  const elements = ranks.reduce((sum, rank) => sum + elementsOfRow(rank), 0) * devices;
  return ranks.length * devices <= rowsInAll && elements <= elementsInAll;
}

/** How many rows the hidden table of one tensor has at most. */
export function mostHiddenRows(rank: number): number {
  return Math.min(rowsInAll, Math.floor(elementsInAll / elementsOfRow(rank)));
}

/** How many rows the drawn table of one tensor has at most. */
export function mostDrawnRows(rank: number): number {
  return Math.min(drawnRows, Math.floor(drawnElements / elementsOfRow(rank)));
}

/**
 * The devices whose rows a table of at most `most` rows shows, by id: a page of them, with `around`
 * in it or else the first.
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
