import { coordinatesOf, type DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";

/** Nesting level of the boxes around devices: the shown coordinates of an axis. */
export interface PageLevel {
  readonly axis: string;
  readonly from: number;
  readonly count: number;
}

/** Devices that are drawn one by one: places [`from`, `to`) of an order. */
export interface DevicePage {
  readonly number: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** Most devices of a page, and the least for a page whose boxes follow the mesh axes. */
export const pageLimit = 64;
const leastPage = 16;

/** Page that contains a place, in the order of the mesh. */
export function logicalPage(mesh: DeviceMesh, place: number): DevicePage {
  return pageAt(mesh.devices.length, logicalSize(mesh), place);
}

/** Page that contains a place, in the order of device ids; whole nodes if they fit. */
export function physicalPage(count: number, node: number | undefined, place: number): DevicePage {
  const unit = node ?? pageLimit;
  const size = unit <= pageLimit ? Math.floor(pageLimit / unit) * unit : divisorUpTo(unit);
  return pageAt(count, size, place);
}

/**
 * Boxes of a page, outermost first: inner axes whole, one axis in part; axes of size 1 are left
 * out. Empty if a page ends in the middle of an axis that no small number divides.
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

/** Count in groups of three digits, such as `4 096`. */
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

/** Largest divisor of a size that is at most `limit`. */
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
