import { coordinatesOf, type DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";

/** One level of the outlines around devices: the coordinates of an axis that a page shows. */
export interface PageLevel {
  readonly axis: string;
  readonly from: number;
  readonly count: number;
}

/** The devices that are drawn one by one: places `from` up to `to`, not included, of an order. */
export interface DevicePage {
  readonly number: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The most devices of a page, and the least of a page whose outlines are the mesh's. */
export const pageLimit = 64;
const leastPage = 16;

/** The page that contains a place of the mesh's order. */
export function logicalPage(mesh: DeviceMesh, place: number): DevicePage {
  return pageAt(mesh.devices.length, logicalSize(mesh), place);
}

/** The page of devices by their ids, with whole nodes where they fit. */
export function physicalPage(count: number, node: number | undefined, place: number): DevicePage {
  const unit = node ?? pageLimit;
  const size = unit <= pageLimit ? Math.floor(pageLimit / unit) * unit : divisorUpTo(unit);
  return pageAt(count, size, place);
}

/**
 * The outlines of a page, outermost first: inner axes whole, one axis in part; axes of size 1 are
 * left out. None where a page ends within an axis that no small number divides.
 */
export function pageLevels(mesh: DeviceMesh, page: DevicePage): readonly PageLevel[] {
  const start = coordinatesOf(mesh, page.from);
  let left = page.to - page.from;
  const levels: PageLevel[] = [];
  for (const { name, size } of mesh.axes.toReversed()) {
    if (left <= 1) break;
    const count = Math.min(size, left);
    if (count < size && (fieldOf(start, name) ?? 0) + count > size) return [];
    if (size > 1)
      levels.push({ axis: name, from: count === size ? 0 : (fieldOf(start, name) ?? 0), count });
    left = Math.ceil(left / count);
  }
  const size = levels.reduce((product, { count }) => product * count, 1);
  const isWhole = size === page.to - page.from && page.from % size === 0;
  return isWhole ? levels.reverse() : [];
}

/** `4 096`: a count in groups of three digits. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/gu, "\u202f");
}

function logicalSize(mesh: DeviceMesh): number {
  let size = 1;
  for (const axis of mesh.axes.toReversed()) {
    if (size * axis.size > pageLimit) {
      const page = size * divisorUpTo(axis.size, pageLimit / size);
      return page < leastPage ? pageLimit : page;
    }
    size *= axis.size;
  }
  return size;
}

/** The largest divisor of a size that is at most a limit. */
function divisorUpTo(size: number, limit: number = pageLimit): number {
  for (let divisor = Math.floor(limit); divisor > 1; divisor -= 1) {
    if (size % divisor === 0) return divisor;
  }
  return 1;
}

function pageAt(count: number, size: number, place: number): DevicePage {
  const number = Math.floor(Math.min(Math.max(place, 0), count - 1) / size);
  const from = number * size;
  return { number, count: Math.ceil(count / size), from, to: Math.min(count, from + size) };
}
