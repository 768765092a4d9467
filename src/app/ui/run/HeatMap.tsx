import { useEffect, useRef } from "react";
import type { InspectedBlock } from "#app/engine";
import { useApp } from "../store-context.tsx";
import { createHeat, heatColours } from "./heat-colours.ts";
import { wrongOutline } from "./wrong-outline.ts";

interface Props {
  readonly name: string;
  readonly block: InspectedBlock;
  /** Absolute value that has the strongest colour. */
  readonly most: number;
}

/** Most cells of a block that is written as numbers, and most columns. */
const [mostNumbers, widest] = [32, 8];

/** Side of a drawing, and least and greatest side of a cell, in pixels. */
const [side, leastCell, mostCell] = [80, 2, 10];

/** Device's block of a tensor: numbers for a small block, colours for a large one. */
export function HeatMap({ name, block, most }: Props) {
  const { device, rows, columns, wrong } = block;
  const isFew = rows * columns <= mostNumbers && columns <= widest;
  return (
    <figure className="heat" data-device={device} data-wrong={wrong.length}>
      {isFew ? <Numbers block={block} /> : <Colours name={name} block={block} most={most} />}
      <figcaption>
        <b className="mono">{device}</b> <span className="mono mut">{boxText(block)}</span>
        {wrong.length > 0 && <span className="run-count nowrap"> {wrong.length} wrong</span>}
      </figcaption>
    </figure>
  );
}

function Numbers({ block: { rows, columns, values, wrong } }: Pick<Props, "block">) {
  const isWrong = new Set(wrong);
  return (
    <table className="heat-numbers">
      <tbody>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
          <tr key={row}>
            {Array.from({ length: columns }, (_, column) => {
              const at = row * columns + column;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: so are columns
                <td key={column} className={isWrong.has(at) ? "wrong" : undefined}>
                  {numberText(values[at] ?? Number.NaN)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Colours({ name, block, most }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useApp((state) => state.theme);
  const cell = Math.max(
    leastCell,
    Math.min(mostCell, Math.floor(side / Math.max(block.rows, block.columns))),
  );
  useEffect(() => {
    // Painted again when the theme changes, since the colours are the theme's.
    if (canvas.current !== null && theme !== undefined) paint(canvas.current, block, most, cell);
  }, [block, most, cell, theme]);
  const [width, height] = [block.columns * cell, block.rows * cell];
  return (
    <canvas
      ref={canvas}
      width={2 * width}
      height={2 * height}
      style={{ width, height }}
      role="img"
      aria-label={sentenceOf(name, block)}
    />
  );
}

function paint(canvas: HTMLCanvasElement, block: InspectedBlock, most: number, cell: number): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const colours = heatColours(canvas);
  const heat = createHeat(colours, most);
  context.setTransform(2, 0, 0, 2, 0, 0);
  const { columns, values, wrong } = block;
  const cellCorner = (at: number) =>
    [(at % columns) * cell, Math.floor(at / columns) * cell] as const;
  for (const [at, number] of values.entries()) {
    context.fillStyle = heat(number);
    context.fillRect(...cellCorner(at), cell, cell);
  }
  context.strokeStyle = colours.wrong;
  context.lineWidth = 2;
  context.beginPath();
  for (const [x, y, toX, toY] of wrongOutline(wrong, columns)) {
    context.moveTo(x * cell, y * cell);
    context.lineTo(toX * cell, toY * cell);
  }
  context.stroke();
}

/** Word joiner, which keeps a range on one line. */
const joiner = "\u2060";

/** Place of a block in the tensor of the run, such as `0…7 × 8…15`. */
function boxText({ box }: InspectedBlock): string {
  return box.map(([start, stop]) => `${start}…${joiner}${stop - 1}`).join(" × ");
}

function sentenceOf(name: string, block: InspectedBlock): string {
  const finite = [...block.values].filter((number) => Number.isFinite(number));
  const lost = block.values.length - finite.length;
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const [tall, wide] = block.tile;
  const means = tall * wide > 1 ? `, each cell the mean of ${tall} by ${wide}` : "";
  const range = finite.length === 0 ? "no numbers" : `${numberText(least)} to ${numberText(most)}`;
  return [
    `${name} on device ${block.device}, ${boxText(block)}: ${range}${means}`,
    ...(lost > 0 ? [`${lost} cells without a number`] : []),
    ...(block.wrong.length > 0 ? [`${block.wrong.length} wrong`] : []),
  ].join("; ");
}

/**
 * Number of at most three significant digits with a true minus sign; `none` if it is not finite.
 */
function numberText(number: number): string {
  if (!Number.isFinite(number)) return "none";
  const text = Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(3)));
  return text.replaceAll("-", "−");
}
