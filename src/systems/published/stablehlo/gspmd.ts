// Shardings in `mhlo.sharding` form: tiles over a numbered device list, without a mesh.

import { product } from "#core/arithmetic";

/** A factor of a device list: `size` devices whose ids are `stride` apart. */
interface Factor {
  readonly size: number;
  readonly stride: number;
}

/** A sharding: per dim the device factors that cut it, major first. */
interface Tiling {
  readonly dims: readonly (readonly Factor[])[];
}

/** A mesh on which every sharding of a file cuts dims by whole axes. */
export interface TiledMesh {
  /** Axes, outermost first. */
  readonly axes: readonly (readonly [name: string, size: number])[];
  /** Axis names per dim of a sharding; `undefined` for another kind of sharding. */
  readonly namesOf: (sharding: string) => readonly (readonly string[])[] | undefined;
}

/** Dims of a replicated sharding. */
const whole: readonly (readonly string[])[] = [];

/** The distinct shardings of a text, as written. */
export function tiledShardingsIn(text: string): readonly string[] {
  return [
    ...new Set([...text.matchAll(/mhlo\.sharding = "([^"]*)"/gu)].map(([, each = ""]) => each)),
  ];
}

/** The coarsest mesh for shardings; `undefined` when their devices do not fit one order of axes. */
export function tiledMesh(shardings: readonly string[]): TiledMesh | undefined {
  const read = new Map(shardings.map((text) => [text, tilingOf(text)]));
  const factors = [...read.values()].flatMap((each) => each?.dims.flat() ?? []);
  const devices = Math.max(0, ...shardings.map(devicesOf));
  if (factors.length === 0 || devices < 2) return undefined;
  const ends = factors.flatMap(({ size, stride }) => [stride, stride * size]);
  const cuts = [...new Set([1, devices, ...ends])].sort((a, b) => a - b);
  if (cuts.some((cut, at) => at > 0 && cut % (cuts[at - 1] ?? 1) !== 0)) return undefined;
  const inner = cuts
    .slice(1)
    .map((cut, at) => ({ size: cut / (cuts[at] ?? 1), stride: cuts[at] ?? 1 }));
  const axes = [...inner].reverse().map((each, at) => ({ ...each, name: `axis_${at}` }));
  const namesIn = ({ size, stride }: Factor) =>
    axes
      .filter((axis) => axis.stride >= stride && axis.stride < stride * size)
      .map(({ name }) => name);
  return {
    axes: axes.map(({ name, size }) => [name, size]),
    namesOf: (sharding) => {
      if (/^\{replicated\}$/u.test(sharding)) return whole;
      return read.get(sharding)?.dims.map((dim) => dim.flatMap(namesIn));
    },
  };
}

/** `{devices=[2,1,4]<=[2,4]T(1,0) last_tile_dim_replicate}`. */
const tiled =
  /^\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))\s*(last_tile_dim_replicate|last_tile_dims=\{(?:replicated(?:, ?)?)+\})?\}$/u;

function numbersIn(text: string | undefined): readonly number[] {
  return text === undefined || text === "" ? [] : text.split(",").map(Number);
}

function devicesOf(text: string): number {
  return product(numbersIn(tiled.exec(text)?.[1]));
}

/** Most devices in a list. */
const mostDevices = 65_536;

function tilingOf(text: string): Tiling | undefined {
  const [, tile, shape, order, list, rest] = tiled.exec(text) ?? [];
  const sizes = numbersIn(tile);
  const count = product(sizes);
  if (sizes.length === 0 || count > mostDevices || count < 1) return undefined;
  const listed = numbersIn(list);
  if (list !== undefined && listed.some((device, at) => device !== at)) return undefined;
  const source = list === undefined ? numbersIn(shape) : [count];
  if (product(source) !== count) return undefined;
  const strides = source.map((_, at) => product(source.slice(at + 1)));
  const places = order === undefined ? source.map((_, at) => at) : numbersIn(order);
  const sequence = places.map((at) => ({ size: source[at] ?? 1, stride: strides[at] ?? 1 }));
  const dims = shared(sequence, sizes);
  const behind = rest === undefined ? 0 : (rest.match(/replicated/gu)?.length ?? 1);
  return dims && { dims: dims.slice(0, dims.length - behind) };
}

/** Distributes the factors of the device list over the dims of a tile, major first. */
function shared(sequence: readonly Factor[], sizes: readonly number[]): Tiling["dims"] | undefined {
  const left = sequence.filter(({ size }) => size > 1);
  const made: Factor[][] = [];
  for (const size of sizes) {
    const own: Factor[] = [];
    let open = size;
    while (open > 1) {
      const next = left.shift();
      if (next === undefined) return undefined;
      const took = Math.min(open, next.size);
      if (open % took !== 0 || next.size % took !== 0) return undefined;
      own.push({ size: took, stride: (next.stride * next.size) / took });
      if (took < next.size) left.unshift({ size: next.size / took, stride: next.stride });
      open /= took;
    }
    made.push(own);
  }
  return made;
}
