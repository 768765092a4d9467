import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { Size } from "#app/scene";
import type { BoardLayout } from "#app/scene/board";
import { mixColours, svgColours } from "#app/scene/svg";
import { holdPointer } from "../gesture/hold-pointer.ts";
import { useResolvedTheme } from "../theme.ts";
import { minimapSize } from "./minimap-size.ts";

interface Props {
  readonly layout: BoardLayout;
  readonly room: Size;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** Device pixels of the canvas per CSS pixel. */
const fine = 2;

/** Margin around the minimap, in CSS pixels. */
const margin = 6;

/**
 * Board in small, redistributions in the hues of their axes. A press or drag scrolls there, Escape
 * returns; it is no tab stop, since keys go from row to row.
 */
export function BoardMinimap({ layout, room, scroller }: Props) {
  const theme = useResolvedTheme();
  const picture = useRef<HTMLCanvasElement>(null);
  const sight = useRef<HTMLSpanElement>(null);
  const most = room.height - 2 * margin;
  const { width, height, down } = minimapSize(layout, most);
  useEffect(() => {
    if (picture.current !== null) paint(picture.current, layout, most, theme);
  }, [layout, most, theme]);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const place = () => {
      const box = sight.current;
      if (box === null) return;
      box.style.transform = `translateY(${current.scrollTop * down}px)`;
      box.style.height = `${Math.max(4, room.height * down)}px`;
    };
    place();
    current.addEventListener("scroll", place, { passive: true });
    return () => current.removeEventListener("scroll", place);
  }, [scroller, room, down]);
  const onPointerDown = ({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>) => {
    const { current } = scroller;
    if (current === null) return;
    const before = current.scrollTop;
    const go = (y: number) => {
      const { top } = currentTarget.getBoundingClientRect();
      current.scrollTop = (y - top) / down - room.height / 2;
    };
    holdPointer(currentTarget, pointerId, {
      onMove: (event) => go(event.clientY),
      onGiveUp: () => {
        current.scrollTop = before;
      },
    });
    go(clientY);
  };
  return (
    <div
      className="bminimap"
      data-testid="board-minimap"
      aria-hidden="true"
      style={{ left: layout.width + margin, width, height }}
      onPointerDown={onPointerDown}
    >
      <canvas ref={picture} width={width * fine} height={height * fine} style={{ width, height }} />
      <span ref={sight} />
    </div>
  );
}

function paint(
  canvas: HTMLCanvasElement,
  layout: BoardLayout,
  most: number,
  theme: "light" | "dark",
): void {
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const { across, down } = minimapSize(layout, most);
  pen.resetTransform();
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(fine * across, 0, 0, fine * down, 0, 0);
  const colours = svgColours[theme];
  const least = 1 / down;
  pen.fillStyle = mixColours(colours.ink2, colours.surface, 40);
  for (const { cards } of layout.rows) {
    for (const { kind, x, y, width, height } of cards) {
      if (kind !== "weight") pen.fillRect(x, y, width, Math.max(height * 0.7, least));
    }
  }
  for (const { pills } of layout.rows) {
    for (const { x, y, width, height, steps } of pills) {
      const hue = steps.flatMap(({ axes }) => axes)[0]?.hue;
      pen.fillStyle = (hue === undefined ? undefined : colours.axes[hue]) ?? colours.ink2;
      pen.fillRect(x, y, width, Math.max(height * 0.7, least));
    }
  }
}
