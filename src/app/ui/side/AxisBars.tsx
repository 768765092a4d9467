import { hueOf } from "#app/scene";
import { coordinatesOf, type DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import { holdSlider } from "../gesture/hold-pointer.ts";
import { countText, type DevicePage, pageLevels } from "./device-pages.ts";

interface Props {
  readonly mesh: DeviceMesh;
  readonly page: DevicePage;
  /** Absent where devices are not in the order of the axes. */
  readonly onShow: ((place: number) => void) | undefined;
}

/** The most segments of a bar; on a longer axis each segment stands for several coordinates. */
const drawnSteps = 32;

/** Each axis as a bar; the coordinates of the devices drawn below are filled. */
export function AxisBars({ mesh, page, onShow }: Props) {
  const levels = pageLevels(mesh, page);
  const start = coordinatesOf(mesh, page.from);
  const parts = Math.round(mesh.devices.length / (page.to - page.from));
  return (
    <div className="mesh-bars">
      {mesh.axes.map(({ name, size }) => {
        const level = levels.find(({ axis }) => axis === name);
        const from = level?.from ?? fieldOf(start, name) ?? 0;
        return (
          <Bar
            key={name}
            name={name}
            size={size}
            hue={hueOf(mesh, name)}
            from={from}
            count={level?.count ?? 1}
            onPick={onShow && ((at) => onShow(placeWith(mesh, page.from, name, at)))}
          />
        );
      })}
      <p className="mut">
        Below: {countText(page.to - page.from)} of {countText(mesh.devices.length)} devices, one of{" "}
        {countText(parts)} parts.
      </p>
    </div>
  );
}

interface BarProps {
  readonly name: string;
  readonly size: number;
  readonly hue: number;
  readonly from: number;
  readonly count: number;
  readonly onPick: ((coordinate: number) => void) | undefined;
}

function Bar({ name, size, hue, from, count, onPick }: BarProps) {
  const steps = Math.min(size, drawnSteps);
  const to = from + count - 1;
  const range = count === size ? `0…${size - 1}` : count === 1 ? `${from}` : `${from}…${to}`;
  return (
    <div className={`mesh-bar a${hue}`}>
      <span className="mono tk">
        {name} {countText(size)}
      </span>
      <span className="bar" aria-hidden="true">
        {Array.from({ length: steps }, (_, step) => step).map((step) => (
          <i key={step} className={isWithin(step, steps, size, from, to) ? "on" : ""} />
        ))}
      </span>
      <span className="mono num">{range}</span>
      {onPick !== undefined && count < size && (
        <input
          type="range"
          onPointerDown={holdSlider}
          min={0}
          max={size - count}
          step={count}
          value={from}
          aria-label={`Coordinate along ${name}`}
          aria-valuetext={`${name} ${range}`}
          onChange={(event) => onPick(Number(event.currentTarget.value))}
        />
      )}
    </div>
  );
}

/** Whether a segment stands for a coordinate that is shown. */
function isWithin(step: number, steps: number, size: number, from: number, to: number): boolean {
  return Math.floor((to * steps) / size) >= step && Math.floor((from * steps) / size) <= step;
}

/** The place of the device whose coordinate differs along one axis only. */
function placeWith(mesh: DeviceMesh, place: number, axis: string, coordinate: number): number {
  const at = mesh.axes.findIndex(({ name }) => name === axis);
  const stride = mesh.axes.slice(at + 1).reduce((product, { size }) => product * size, 1);
  const size = mesh.axes[at]?.size ?? 1;
  return place + (coordinate - (Math.floor(place / stride) % size)) * stride;
}
