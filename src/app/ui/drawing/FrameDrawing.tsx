import { type CSSProperties, memo, useCallback, useMemo, useState } from "react";
import type { Point } from "#app/scene";
import {
  type Frame,
  type FramePiece,
  type FrameRoom,
  type FrameScene,
  type FrameText,
  type FrameWay,
  framePlus,
  frameScene,
  frameWay,
  type OperatorFrame,
  operatorScene,
  plateWidth,
  pointOn,
} from "#app/scene/player";
import { keyed } from "./keyed.ts";
import { MarkView } from "./MarkView.tsx";

export interface FrameDrawingProps {
  readonly frame: Frame;
  /** Which of the three stills is drawn in full; the others are pale. */
  readonly phase: "before" | "move" | "after";
  /** How far the travelling pieces have come, from 0 to 1. */
  readonly share: number;
}

const plateHeight = 16;

/** One frame of a redistribution: blocks before, what travels, blocks after. */
export const FrameDrawing = memo(function FrameDrawing(props: FrameDrawingProps) {
  const [room, measured] = useRoom();
  return (
    <div className="frame-room" ref={measured}>
      {room !== undefined && <Drawing {...props} room={room} />}
    </div>
  );
});

/** One still of an operator: the blocks that each device reads, and what it makes of them. */
export const OperatorDrawing = memo(function OperatorDrawing({
  frame,
}: {
  readonly frame: OperatorFrame;
}) {
  const [room, measured] = useRoom();
  const scene = useMemo(
    () => (room === undefined ? undefined : operatorScene(frame, room)),
    [frame, room],
  );
  return (
    <div className="frame-room" ref={measured}>
      {scene !== undefined && (
        <div className="frame-wrap">
          <Picture scene={scene} name={`${frame.name}. ${frame.caption} ${frame.devicesText}`} />
        </div>
      )}
    </div>
  );
});

/**
 * The size of the room. The drawing is laid out in it and not scaled to it, so that words keep
 * their size.
 */
function useRoom() {
  const [room, setRoom] = useState<Required<FrameRoom>>();
  const measured = useCallback((box: HTMLDivElement | null) => {
    if (box === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = box;
      setRoom((last) =>
        last?.width === width && last.height === height ? last : { width, height },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return [room, measured] as const;
}

function Drawing({ frame, phase, share, room }: FrameDrawingProps & { readonly room: FrameRoom }) {
  const scene = useMemo(() => frameScene(frame, room), [frame, room]);
  const { from, to } = scene.between;
  return (
    <div className="frame-wrap">
      <Picture
        scene={scene}
        name={[frame.caption, frame.sidesText, frame.groupsText].filter(Boolean).join(" ")}
      />
      {phase === "move" && scene.pieces.length > 0 && <Pieces scene={scene} share={share} />}
      <Pale isOn={phase === "before"} style={{ left: from }} />
      <Pale isOn={phase === "after"} style={{ right: scene.width - to }} />
    </div>
  );
}

/** A veil over the stills that are pale. */
function Pale({ isOn, style }: { readonly isOn: boolean; readonly style: CSSProperties }) {
  return <i className={`frame-pale ${isOn ? "on" : ""}`} style={style} aria-hidden="true" />;
}

/** The moving pieces, on a layer of their own, so that a frame of the motion draws only them. */
function Pieces({ scene, share }: { readonly scene: FrameScene; readonly share: number }) {
  return (
    <svg
      className="frame-pieces"
      width={scene.width}
      height={scene.height}
      viewBox={`0 0 ${scene.width} ${scene.height}`}
      aria-hidden="true"
    >
      {keyed(scene.pieces).map(({ key, item }) => {
        const { x, y } = pointOn(item.course, share);
        return (
          <g
            key={key}
            transform={`translate(${x.toFixed(2)} ${y.toFixed(2)})`}
            opacity={item.opacity}
          >
            <PieceMarks piece={item} />
          </g>
        );
      })}
    </svg>
  );
}

const PieceMarks = memo(function PieceMarks({ piece }: { readonly piece: FramePiece }) {
  return keyed(piece.marks).map(({ key, item }) => <MarkView key={key} mark={item} />);
});

/** A picture of another step fades in, because its key makes it a new element. */
const Picture = memo(function Picture({
  scene,
  name,
}: {
  readonly scene: FrameScene;
  readonly name: string;
}) {
  return (
    <svg
      key={name}
      className="frame-drawing"
      width={scene.width}
      height={scene.height}
      viewBox={`0 0 ${scene.width} ${scene.height}`}
      role="img"
      aria-label={name}
    >
      {keyed(scene.ways).map(({ key, item }) => (
        <Way key={key} way={item} />
      ))}
      {keyed(scene.marks).map(({ key, item }) => (
        <MarkView key={key} mark={item} />
      ))}
      {keyed(scene.blocks).map(({ key, item }) => (
        <rect key={key} {...item.area} fill="transparent">
          <title>{item.text}</title>
        </rect>
      ))}
      {scene.pluses.map((at) => (
        <Plus key={`${at.x} ${at.y}`} at={at} radius={scene.plusRadius} />
      ))}
      {keyed(scene.texts).map(({ key, item }) => (
        <Words key={key} text={item} />
      ))}
    </svg>
  );
});

function Way({ way }: { readonly way: FrameWay }) {
  return (
    <path
      className="frame-way"
      d={way.path}
      stroke={way.hue === undefined ? "var(--line-strong)" : `var(--axis-${way.hue})`}
      strokeWidth={frameWay.width}
      strokeDasharray={way.isKept ? undefined : frameWay.dash.join(" ")}
      opacity={way.opacity}
      markerEnd={way.hasArrow ? "url(#arrow-head)" : undefined}
    />
  );
}

function Plus({ at, radius }: { readonly at: Point; readonly radius: number }) {
  const { x, y } = at;
  const arm = radius / 2;
  return (
    <g>
      <circle className="frame-add" cx={x} cy={y} r={radius} strokeWidth={framePlus.ring} />
      <path
        className="frame-plus"
        strokeWidth={framePlus.cross}
        d={`M${x - arm} ${y}h${radius}M${x} ${y - arm}v${radius}`}
      />
    </g>
  );
}

function Words({ text }: { readonly text: FrameText }) {
  const { at, anchor, style, segments } = text;
  const width = plateWidth(segments.map((segment) => segment.text).join(""));
  return (
    <>
      {style === "bytes" && (
        <rect
          className="frame-plate"
          x={at.x - width / 2}
          y={at.y - 12}
          width={width}
          height={plateHeight}
          rx="2"
        />
      )}
      <text className={`frame-${style}`} x={at.x} y={at.y} textAnchor={anchor}>
        {keyed(segments).map(({ key, item }) => (
          <tspan
            key={key}
            {...(item.kind === "axis" && { fill: `var(--axis-ink-${item.hue})`, fontWeight: 600 })}
          >
            {item.text}
          </tspan>
        ))}
      </text>
    </>
  );
}
