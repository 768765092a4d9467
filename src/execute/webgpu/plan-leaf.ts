import { product } from "#core/arithmetic";
import type { Blocks } from "#core/collective";
import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import { partSize } from "#core/mesh";
import type { Value } from "#core/program";
import { groupedBy } from "#core/records";
import type { DrawRule, Leaf, LeafDraw } from "#execute/reference";
import type { BufferId } from "./gpu-program.ts";
import { KernelText, literalIndex } from "./kernel-text.ts";
import { kernelOf, launchOf, overCells } from "./launch.ts";
import { placesIn } from "./places.ts";
import type { HeldBlock, Holding, Numbers, ProgramBuilder } from "./program-builder.ts";
import { stridesOf } from "./regions.ts";

/** Number of elements from which values are drawn on the device; fewer are written to it faster. */
const worthDrawing = 2 ** 15;

/** The words of devices' blocks of a given tensor. */
export function wordsOf(
  given: Blocks,
  holding: Holding,
  { words, numbers }: { readonly words: number; readonly numbers: Numbers },
): Uint32Array {
  const content = new ArrayBuffer(4 * words);
  const target = numbers.type === "f32" ? new Float32Array(content) : new Int32Array(content);
  for (const [device, held] of holding.blocks) {
    for (const [at, { base }] of held.entries()) {
      target.set(given.get(device)?.[at]?.values ?? [], base);
    }
  }
  return new Uint32Array(content);
}

/**
 * Whether a device may draw the numbers of a tensor itself: by their index in the whole tensor,
 * under any layout except one with contributions.
 */
export function isDrawn(
  value: Value,
  shape: readonly number[],
  leaf: Leaf,
): leaf is Leaf & { readonly draw: LeafDraw } {
  const { draw } = leaf;
  if (draw === undefined) return false;
  const size = product(shape);
  const isPartial = value.layout.partials.some(({ part }) => partSize(part) > 1);
  const isKnown = draw.rule.kind !== "index" || draw.rule.below < 2 ** 20;
  return size >= worthDrawing && !isPartial && isKnown && value.held === undefined;
}

/** The most blocks that one draw fills: more make a kernel long to compile. */
const mostCopies = 16;

/** Blocks of devices that hold the same part of a tensor, which is drawn once for all of them. */
interface DrawnPart {
  readonly box: Box;
  readonly bases: readonly number[];
}

/** Plans kernels that draw the values of blocks directly in their buffer. */
export function planDraw(
  builder: ProgramBuilder,
  label: string,
  shape: readonly number[],
  { buffer, blocks }: Pick<Holding, "buffer" | "blocks">,
  draw: LeafDraw,
): void {
  const classes = groupedBy(drawnParts([...blocks.values()].flat()), (part) =>
    String([part.bases.length, ...part.box.map(lengthOf)]),
  );
  for (const alike of classes.values()) drawParts(builder, label, shape, buffer, alike, draw);
}

function drawnParts(blocks: readonly HeldBlock[]): readonly DrawnPart[] {
  const parts = new Map<string, { box: Box; bases: number[] }[]>();
  for (const { box, base } of blocks) {
    if (volumeOf(box) === 0) continue;
    const key = box.map(({ start, stop }) => `${start}-${stop}`).join();
    const same = parts.get(key) ?? [];
    parts.set(key, same);
    const open = same.at(-1);
    if (open !== undefined && open.bases.length < mostCopies) open.bases.push(base);
    else same.push({ box, bases: [base] });
  }
  return [...parts.values()].flat();
}

/** Draws parts of equal sizes, each for equally many devices. */
function drawParts(
  builder: ProgramBuilder,
  label: string,
  shape: readonly number[],
  buffer: BufferId,
  parts: readonly DrawnPart[],
  draw: LeafDraw,
): void {
  const text = new KernelText(builder.numbers.type);
  const [{ box, bases } = { box: [], bases: [] }] = parts;
  const lengths = box.map(lengthOf);
  const cells = volumeOf(box);
  const launch = launchOf(cells, parts.length, builder.limits);
  const whole = stridesOf(shape.map((size) => ({ start: 0, stop: size })));
  const firsts = parts.map((part) =>
    part.box.reduce((sum, { start }, dim) => sum + start * (whole[dim] ?? 0), 0),
  );
  overCells(text, launch, (cell) => {
    const places = placesIn(lengths, cell, text);
    const index = places.reduce(
      (sum, place, dim) => text.sum(sum, text.scaled(place, whole[dim] ?? 0)),
      text.column(firsts),
    );
    const number = drawnNumber(draw.rule, literalIndex(draw.seed).text, index.text, text);
    text.statement(`let number = ${number};`);
    for (const at of bases.keys()) {
      const word = text.sum(text.column(parts.map((part) => part.bases[at] ?? 0)), cell);
      text.statement(`${text.buffer(buffer, "read_write")}[${word.text}] = number;`);
    }
  });
  builder.kernel(`draw ${label}`, kernelOf(text, launch, cells * 8, builder.limits));
}

/** The text of `drawnAt`: a number from 24 bits. */
function drawnNumber(rule: DrawRule, seed: string, index: string, text: KernelText): string {
  const number = text.type;
  if (rule.kind === "ones") return `${number}(1)`;
  text.helpers.add("bits_at");
  const bits = `bits_at(${seed}, ${index})`;
  switch (rule.kind) {
    case "signed":
      return `f32(i32(${bits}) - 8388608i) / 8388608f`;
    case "positive":
      return `0.25f + f32(${bits} >> 2u) / 4194304f`;
    case "fraction":
      return `f32(2097152u + 3u * (${bits} >> 2u)) / 16777216f`;
    case "sign":
      return `${number}(select(1i, -1i, ${bits} < 8388608u))`;
    case "integer": {
      const limit = `${rule.density * 2 ** 24}u`;
      const drawn = `i32(${bits} * ${2 * rule.range + 1}u / ${limit}) - ${rule.range}i`;
      return `${number}(select(0i, ${drawn}, ${bits} < ${limit}))`;
    }
    case "count":
      return `${number}(1u + ((${bits} * ${rule.range}u) >> 24u))`;
    case "index":
      text.helpers.add("share_of");
      return `${number}(share_of(${bits}, ${rule.below}u))`;
  }
}
