import { product } from "#core/arithmetic";
import type { Combine } from "#core/ir/body";
import type { BufferId } from "./gpu-program.ts";
import { joinText } from "./join-text.ts";
import { KernelText, literalIndex, type Term } from "./kernel-text.ts";
import { type Kernel, kernelOf, launchOf, overCells } from "./launch.ts";
import { numberLiteral } from "./numbers.ts";
import { placesIn } from "./places.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/** A region that moves: from one place, or joined from several, to one place or several. */
export interface Transfer {
  /** Words of its first element. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly lengths: readonly number[];
  readonly fromStrides: readonly number[];
  readonly toStrides: readonly number[];
}

/** The rule that joins the numbers of several places into one. */
export interface Join {
  readonly combine: Combine;
  readonly scale: number;
}

/** Elements of a region. */
export function volume(lengths: readonly number[]): number {
  return product(lengths);
}

/** Whether the last dim of a region is contiguous at both ends. */
export function isRow({ fromStrides, toStrides }: Transfer): boolean {
  return (fromStrides.at(-1) ?? 1) === 1 && (toStrides.at(-1) ?? 1) === 1;
}

/** Words that a GPU moves at once: four if all regions of a form begin and end at vectors. */
function widthOf(transfers: readonly Transfer[], { isCpu }: ProgramBuilder["limits"]): 1 | 4 {
  const isWhole = (words: readonly number[]) => words.every((word) => word % 4 === 0);
  const isEven = transfers.every(
    (each) =>
      isRow(each) &&
      isWhole([...each.from, ...each.to, each.lengths.at(-1) ?? 1]) &&
      isWhole([...each.fromStrides.slice(0, -1), ...each.toStrides.slice(0, -1)]),
  );
  return isEven && !isCpu ? 4 : 1;
}

/** The same region, counted in vectors. */
function inVectors(transfer: Transfer): Transfer {
  const quarter = (words: readonly number[]) => words.map((word) => word / 4);
  const { from, to, lengths, fromStrides, toStrides } = transfer;
  return {
    ...{ from: quarter(from), to: quarter(to) },
    lengths: [...lengths.slice(0, -1), (lengths.at(-1) ?? 4) / 4],
    fromStrides: [...quarter(fromStrides.slice(0, -1)), 1],
    toStrides: [...quarter(toStrides.slice(0, -1)), 1],
  };
}

/** A kernel that moves regions of one form, each an instance. */
export function transferKernel(
  { numbers, limits }: ProgramBuilder,
  [source, target]: readonly [BufferId, BufferId],
  given: readonly Transfer[],
  join: Join | undefined,
): Kernel {
  const width = widthOf(given, limits);
  const transfers = width === 4 ? given.map(inVectors) : given;
  const [first] = transfers;
  const lengths = first?.lengths ?? [];
  const text = new KernelText(join === undefined ? "u32" : numbers.type);
  const cells = volume(lengths);
  const launch = launchOf(cells, transfers.length, limits);
  const [sources, targets] = [
    columns(
      text,
      transfers.map(({ from }) => from),
    ),
    columns(
      text,
      transfers.map(({ to }) => to),
    ),
  ];
  overCells(text, launch, (cell) => {
    const places = placesIn(lengths, cell, text);
    const wordsAt = (bases: readonly Term[], strides: readonly number[]) => {
      const moved = places.reduce(
        (sum, place, dim) => text.sum(sum, text.scaled(place, strides[dim] ?? 0)),
        literalIndex(0),
      );
      return bases.map((base) => text.sum(base, moved).text);
    };
    const read = text.buffer(source, "read", width);
    const parts = wordsAt(sources, first?.fromStrides ?? []).map((word) => `${read}[${word}]`);
    text.statement(`let value = ${joinedParts(parts, join, text)};`);
    const write = text.buffer(target, "read_write", width);
    for (const word of wordsAt(targets, first?.toStrides ?? [])) {
      text.statement(`${write}[${word}] = value;`);
    }
  });
  return kernelOf(text, launch, width * cells * (sources.length + 1), limits);
}

/** The numbers from several places, joined in their order. */
function joinedParts(
  [head = "", ...rest]: readonly string[],
  join: Join | undefined,
  text: KernelText,
): string {
  if (join === undefined) return head;
  text.statement(`var joined = ${head};`);
  for (const part of rest) text.statement(`joined = ${joinText(join.combine, "joined", part)};`);
  if (join.scale !== 1) text.statement(`joined = ${scaled(join.scale, text)};`);
  return "joined";
}

/** An average of integers stays an integer, because its sum is a multiple of the divisor. */
function scaled(scale: number, text: KernelText): string {
  if (text.type === "i32") return `joined / ${Math.round(1 / scale)}i`;
  return `joined * ${numberLiteral(scale, text).text}`;
}

function columns(text: KernelText, rows: readonly (readonly number[])[]): readonly Term[] {
  return (rows[0] ?? []).map((_, at) => text.column(rows.map((row) => row[at] ?? 0)));
}
