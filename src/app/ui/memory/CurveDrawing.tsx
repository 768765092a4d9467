import type { MemoryCurve } from "#app/scene/figures";
import { formatBytes } from "#app/scene/text";
import type { CurvePlot } from "./curve-plot.ts";

interface Props {
  readonly curve: MemoryCurve;
  readonly plot: CurvePlot;
  /** The step under the cursor. */
  readonly at: number;
  /** Bytes of the device's memory. */
  readonly limit: number;
  readonly size: { readonly width: number; readonly height: number };
}

/** The memory curve with its passes, its peak, and the limit of the device. */
export function CurveDrawing({ curve, plot, at, limit, size }: Props) {
  const { bytes, peak, passes } = curve;
  const { x, y, left, right, top, bottom } = plot;
  const most = bytes[peak] ?? 0;
  const [peakX, peakY] = [x(peak + 0.5), y(most)];
  const isRight = peakX > (left + right) / 2;
  const [cursorX, cursorY] = [x(at + 0.5), y(bytes[at] ?? 0)];
  return (
    <svg width={size.width} height={size.height} aria-hidden="true">
      {plot.ticks.map((tick) => (
        <g key={tick} className="tick">
          <path d={`M${left} ${y(tick)}H${right}`} />
          <text x={left - 6} y={y(tick) + 4} textAnchor="end">
            {formatBytes(tick)}
          </text>
        </g>
      ))}
      <path className="held" d={plot.area} />
      <path className="edge" d={plot.line} />
      {passes.slice(1).map(({ from }) => (
        <path key={from} className="pass" d={`M${x(from)} ${top}V${bottom + 4}`} />
      ))}
      {plot.named.map(({ name, from, to }) => (
        <text key={from} x={(x(from) + x(to + 1)) / 2} y={size.height - 6} textAnchor="middle">
          {name}
        </text>
      ))}
      {plot.limit !== undefined && (
        <g className={most > limit ? "limit over" : "limit"}>
          <path d={`M${left} ${plot.limit}H${right}`} />
          <text
            x={isRight ? left + 4 : right}
            y={plot.limit < top + 14 ? plot.limit + 13 : plot.limit - 4}
            textAnchor={isRight ? "start" : "end"}
          >
            {formatBytes(limit)} of the device
          </text>
        </g>
      )}
      <path className="cursor" d={`M${cursorX} ${top}V${bottom}`} />
      <circle className="cursor" cx={cursorX} cy={cursorY} r={3.5} />
      <circle className="peak" cx={peakX} cy={peakY} r={3.5} />
      <text
        className="peak-name"
        x={peakX + (isRight ? -8 : 8)}
        y={Math.max(10, peakY - 4)}
        textAnchor={isRight ? "end" : "start"}
      >
        peak {formatBytes(most)}
      </text>
    </svg>
  );
}
