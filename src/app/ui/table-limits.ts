import type { DeviceId, DeviceMesh } from "#core/mesh";

/**
 * The most rows of the hidden tables of all tensors; with more, only the selected tensor has its
 * table.
 */
const rowsInAll = 5_000;

/** The most elements of hidden tables, so that a page has at most 20,000 in all. */
const elementsInAll = 12_000;

/** The most elements of the drawn table of one tensor. */
const drawnElements = 1_800;

/** The most rows of the drawn table; a line counts the others. */
const drawnRows = 256;

/** The elements of a row: the row, its device, one cell per dim, the local shape and the state. */
function elementsOfRow(rank: number): number {
  return rank + 4;
}

/** Whether the page may have the tables of all tensors of these ranks, one row per device. */
export function mayAllStand(ranks: readonly number[], devices: number): boolean {
  const elements = ranks.reduce((sum, rank) => sum + elementsOfRow(rank), 0) * devices;
  return ranks.length * devices <= rowsInAll && elements <= elementsInAll;
}

/** The most rows of the hidden table of one tensor. */
export function mostHiddenRows(rank: number): number {
  return Math.min(rowsInAll, Math.floor(elementsInAll / elementsOfRow(rank)));
}

/** The most rows of the drawn table of one tensor. */
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
