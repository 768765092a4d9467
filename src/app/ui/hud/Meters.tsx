import { Fragment } from "react";
import type { AxisTag } from "#app/scene";
import { utilisationOf } from "#app/scene/figures";
import { commSummary, formatBytes, formatSeconds, type Metric } from "#app/scene/text";
import type { Compiled } from "#compile";
import { Loading } from "../atoms/Loading.tsx";
import { ErrorButton } from "../evidence/StatedError.tsx";
import { MarkedWords } from "../glossary/MarkedWords.tsx";
import { Asked, useIsAsked } from "../lesson/asked.tsx";
import { commWords, countsText } from "./comm-words.ts";
import { NumberButton } from "./NumberButton.tsx";
import { useChange } from "./use-change.ts";

interface Props {
  readonly compiled: Compiled | undefined;
}

/** Peak memory of a device against what it has. */
export function MemoryMeter({ compiled }: Props) {
  const isKept = useIsAsked("memory");
  if (compiled === undefined) return <Waiting id="hud-memory" name="Memory per device" />;
  if (isKept) return <KeptBack id="hud-memory" name="Memory per device" of="memory" />;
  const { peakBytes, parameterBytes, inputBytes } = compiled.memory;
  const room = compiled.hardware.memoryBytes;
  const over = peakBytes - room;
  const scale = Math.max(room, peakBytes);
  const resting = Math.min(parameterBytes + inputBytes, peakBytes);
  return (
    <div data-testid="hud-memory" data-bytes={peakBytes}>
      <div className="k">
        <span>
          Memory<span className="wide"> per device</span>
        </span>{" "}
        <NumberButton metric="memory" name={`Memory ${formatBytes(peakBytes)}`}>
          {formatBytes(peakBytes)}
        </NumberButton>{" "}
        <span className="of-room">of {formatBytes(room)}</span>{" "}
        <ErrorButton compiled={compiled} of="memory" />
        <span className={over > 0 ? "end over" : "end opt"}>
          {over > 0 ? `over by ${formatBytes(over)}` : over <= 0 && "fits"}
        </span>
        <Changed compiled={compiled} metric="memory" />
      </div>
      <div className="bar" aria-hidden="true">
        <i className="f-ink" style={{ width: share(Math.min(resting, room), scale) }} />
        <i
          className="f-mid"
          style={{ width: share(Math.max(0, Math.min(peakBytes, room) - resting), scale) }}
        />
        {over > 0 && <i className="f-over" style={{ width: share(over, scale) }} />}
      </div>
    </div>
  );
}

/** Bytes that the busiest device receives, by collective. */
export function CommMeter({ compiled }: Props) {
  const isKept = useIsAsked("comm");
  if (compiled === undefined) return <Waiting id="hud-comm" name="Comm" />;
  if (isKept) return <KeptBack id="hud-comm" name="Comm" of="comm" />;
  const { bytes } = compiled.cost;
  const parts = commSummary(compiled.program, compiled.mesh.mesh);
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  const words = countsText(parts);
  const kinds = new Set(parts.map(({ collective }) => collective)).size;
  return (
    <div data-testid="hud-comm" data-bytes={bytes}>
      <div className="k" title={`per device: ${words}`}>
        Comm{" "}
        <NumberButton metric="comm" name={`Communication ${formatBytes(bytes)}`}>
          {formatBytes(bytes)}
        </NumberButton>{" "}
        {kinds < 2 && "per device"}
        <span className="end opt">
          {words === "" ? nothingSent(compiled) : <CommWords parts={commWords(parts)} />}
        </span>
        <Changed compiled={compiled} metric="comm" />
      </div>
      <div className="bar" aria-hidden="true">
        {parts.map((part) => (
          <i
            key={`${part.collective} ${part.axes.map(({ text }) => text).join(" ")}`}
            className={hueClass(part.axes)}
            style={{ width: share(part.bytes, total) }}
          />
        ))}
      </div>
    </div>
  );
}

/** Modelled time of one run: computation, then the communication that nothing hides. */
export function TimeMeter({ compiled }: Props) {
  const isKept = useIsAsked("time");
  if (compiled === undefined) return <Waiting id="hud-time" name="Time" />;
  if (isKept) return <KeptBack id="hud-time" name="Time" of="time" />;
  const { seconds, computeSeconds, exposedSeconds } = compiled.cost;
  return (
    <div data-testid="hud-time" data-seconds={seconds}>
      <div className="k" title={longWords(compiled)}>
        Time{" "}
        <NumberButton metric="time" name={`Time ${formatSeconds(seconds)}`}>
          {formatSeconds(seconds)}
        </NumberButton>
        <span className="tag">model</span>
        <ErrorButton compiled={compiled} of="time" />
        <span className="end opt">
          <MarkedWords text={shortWords(compiled)} terms={["MFU", "exposed"]} />
        </span>
        <Changed compiled={compiled} metric="time" />
      </div>
      <div className="bar" aria-hidden="true">
        <i className="f-ink" style={{ width: share(computeSeconds, seconds) }} />
        <i className="f-exp" style={{ width: share(exposedSeconds, seconds) }} />
      </div>
    </div>
  );
}

/** The least share of exposed time that is mentioned. */
const mentioned = 0.02;

/**
 * `MFU 41 %, exposed 12 %`: the utilisation of the devices, and the share of time that they wait.
 */
function shortWords(compiled: Compiled): string {
  const { limit, seconds, exposedSeconds } = compiled.cost;
  if (limit === "host") return "limited by launches";
  const used = utilisationOf(compiled);
  const percent = (part: number) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
  return [
    ...(Number.isNaN(used) ? [] : [`MFU ${percent(used)}`]),
    ...(exposedSeconds > mentioned * seconds
      ? [`exposed ${percent(exposedSeconds / seconds)}`]
      : []),
  ].join(", ");
}

/** The short words and the parts of the time. */
function longWords(compiled: Compiled): string {
  const { computeSeconds, exposedSeconds, hiddenSeconds } = compiled.cost;
  return [
    shortWords(compiled),
    `compute ${formatSeconds(computeSeconds)}`,
    `communication ${formatSeconds(exposedSeconds)} exposed, ${formatSeconds(hiddenSeconds)} hidden`,
  ].join("; ");
}

/** The change of one number by the last edit, where the cost bar has no room for all of them. */
function Changed({ compiled, metric }: Props & { readonly metric: Metric }) {
  const change = useChange(compiled);
  if (change === undefined) return null;
  const words = `${change.isAgainstBaseline ? "Against" : "Since"} ${change.label}`;
  return (
    <span className="end chg" title={words}>
      {change[metric]}
    </span>
  );
}

/** A figure that a lesson asks for, hidden until it is answered. */
function KeptBack({ id, name, of }: { id: string; name: string; of: Metric }) {
  return (
    <div data-testid={id}>
      <div className="k">
        {name}{" "}
        <b>
          <Asked of={of}>{null}</Asked>
        </b>{" "}
        <span className="end opt">asked by the lesson</span>
      </div>
      <div className="bar" aria-hidden="true" />
    </div>
  );
}

function Waiting({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <div data-testid={id}>
      <div className="k">
        {name} <Loading />
      </div>
      <div className="bar" aria-hidden="true" />
    </div>
  );
}

/** The traffic is unknown where a tensor without a known shape is sent. */
function nothingSent({ cost }: Compiled): string {
  return Number.isNaN(cost.bytes) ? "nothing that is known" : "nothing is sent";
}

function CommWords({ parts }: { readonly parts: ReturnType<typeof commWords> }) {
  return parts.map(({ axes, text }, at) => (
    <Fragment key={text}>
      {at > 0 && ", "}
      {axes.map((axis) => (
        <Fragment key={axis.text}>
          <b className={`tk a${axis.hue}`}>{axis.text}</b>{" "}
        </Fragment>
      ))}
      {text}
    </Fragment>
  ));
}

/** The hue of one axis; several axes share the neutral colour. */
function hueClass(axes: readonly AxisTag[]): string {
  const [only, second] = axes;
  return only === undefined || second !== undefined ? "f-mid" : `f-ax a${only.hue}`;
}

function share(part: number, whole: number): string {
  return whole <= 0 ? "0%" : `${((100 * part) / whole).toFixed(3)}%`;
}
