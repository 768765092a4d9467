import { scaleLog } from "d3-scale";
import { type PointerEvent, useRef } from "react";
import type { EvidenceRow } from "#app/evidence";
import { formatBytes, formatSeconds } from "#app/scene/text";
import { keyed } from "../drawing/keyed.ts";
import { useWidth } from "../use-width.ts";

interface Props {
  readonly rows: readonly EvidenceRow[];
  readonly lit: EvidenceRow | undefined;
  readonly onLight: (row: EvidenceRow | undefined) => void;
}

const inset = { left: 62, right: 12, top: 24, bottom: 38 };
const mostWide = 440;
/** Half-width of the band around the diagonal: rows in it are within 25 %. */
const band = 0.25;
/** Distance (px) within which a point reacts to the pointer. */
const reach = 16;

/** Measured figures against the model's on logarithmic axes; equal figures lie on the diagonal. */
export function EvidenceScatter({ rows, lit, onLight }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = Math.min(mostWide, useWidth(box, mostWide));
  const height = Math.round(0.85 * width);
  const known = rows.filter(({ modelled }) => !Number.isNaN(modelled));
  const scales = scalesOf(known, width, height);
  const { x, y } = scales;
  const format = rows[0]?.quantity === "seconds" ? formatSeconds : formatBytes;
  const light = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent) =>
    onLight(
      nearest(known, ({ measured, modelled }) =>
        Math.hypot(x(measured) - offsetX, y(modelled) - offsetY),
      ),
    );
  return (
    <figure className="evidence-scatter" data-testid="evidence-scatter">
      <div ref={box}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${known.length} measured figures against those of the model; the table says each`}
          onPointerMove={light}
          onPointerLeave={() => onLight(undefined)}
        >
          <EvenBand scales={scales} width={width} height={height} />
          <Axis scale={x} at={height - inset.bottom} format={format} isAcross />
          <Axis scale={y} at={inset.left} format={format} />
          <text className="title" x={width - inset.right} y={height - 4} textAnchor="end">
            measured
          </text>
          <text className="title" x={inset.left} y={12} textAnchor="end">
            model
          </text>
          {keyed(known).map(({ key, item }) => (
            <circle key={key} className="point" cx={x(item.measured)} cy={y(item.modelled)} r={3} />
          ))}
          {lit !== undefined && !Number.isNaN(lit.modelled) && (
            <circle className="point lit" cx={x(lit.measured)} cy={y(lit.modelled)} r={5} />
          )}
        </svg>
      </div>
      <figcaption>
        {lit === undefined
          ? "On the line the model says what was measured; in the band it is within 25 %."
          : `${lit.name}: measured ${format(lit.measured)}, model ${format(lit.modelled)}`}
      </figcaption>
    </figure>
  );
}

/** The nearest row; `undefined` if none is within reach. */
function nearest(
  rows: readonly EvidenceRow[],
  distance: (row: EvidenceRow) => number,
): EvidenceRow | undefined {
  const row = rows.reduce<EvidenceRow | undefined>(
    (best, each) => (best === undefined || distance(each) < distance(best) ? each : best),
    undefined,
  );
  return row !== undefined && distance(row) <= reach ? row : undefined;
}

interface EvenBandProps {
  readonly scales: ReturnType<typeof scalesOf>;
  readonly width: number;
  readonly height: number;
}

/** The diagonal of equal figures, and the band around it. */
function EvenBand({ scales: { x, y, from, to }, width, height }: EvenBandProps) {
  const corner = (a: number, b: number) => `${x(a)} ${y(b)}`;
  return (
    <>
      <clipPath id="evidence-plot">
        <rect
          x={inset.left}
          y={inset.top}
          width={Math.max(0, width - inset.left - inset.right)}
          height={Math.max(0, height - inset.top - inset.bottom)}
        />
      </clipPath>
      <g clipPath="url(#evidence-plot)">
        <path
          className="band"
          d={`M${corner(from, from * (1 - band))}L${corner(to, to * (1 - band))}L${corner(to, to * (1 + band))}L${corner(from, from * (1 + band))}Z`}
        />
        <path className="even" d={`M${corner(from, from)}L${corner(to, to)}`} />
      </g>
    </>
  );
}

function scalesOf(rows: readonly EvidenceRow[], width: number, height: number) {
  const values = rows.flatMap(({ measured, modelled }) => [measured, modelled]);
  const [least, most] = values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)];
  const [from, to] = [least / 1.4, most * 1.4];
  return {
    ...{ from, to },
    x: scaleLog([from, to], [inset.left, width - inset.right]),
    y: scaleLog([from, to], [height - inset.bottom, inset.top]),
  };
}

interface AxisProps {
  readonly scale: ReturnType<typeof scaleLog>;
  readonly at: number;
  readonly format: (value: number) => string;
  readonly isAcross?: boolean;
}

function Axis({ scale, at, format, isAcross = false }: AxisProps) {
  const [from = 0, to = 0] = scale.range();
  const [least = 1, most = 10] = scale.domain();
  return (
    <g className="axis">
      <path d={isAcross ? `M${from} ${at}H${to}` : `M${at} ${from}V${to}`} />
      {ticksOf(least, most).map((tick) => (
        <g
          key={tick}
          transform={
            isAcross ? `translate(${scale(tick)} ${at})` : `translate(${at} ${scale(tick)})`
          }
        >
          <path d={isAcross ? "M0 0V4" : "M0 0H-4"} />
          <text
            {...(isAcross ? { y: 16, textAnchor: "middle" } : { x: -7, y: 4, textAnchor: "end" })}
          >
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

/**
 * Tick values: powers of ten, and their multiples by 2 and 5 if the range is below three powers of
 * ten; at most about six.
 */
function ticksOf(least: number, most: number): readonly number[] {
  const powers = Array.from(
    { length: Math.ceil(Math.log10(most)) - Math.floor(Math.log10(least)) + 1 },
    (_, at) => 10 ** (Math.floor(Math.log10(least)) + at),
  );
  const isNarrow = most / least < 1000;
  const factors = isNarrow ? [1, 2, 5] : [1];
  const ticks = powers.flatMap((power) => factors.map((factor) => factor * power));
  const inside = ticks.filter((tick) => tick >= least && tick <= most);
  const every = Math.ceil(inside.length / 6);
  return inside.filter((_, at) => at % every === 0);
}
