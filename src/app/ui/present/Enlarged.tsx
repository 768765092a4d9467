import { type ReactNode, useCallback } from "react";

interface Props {
  /** The least size that the content needs at scale 1, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * Whether the content has a size of its own, so that it is scaled down until all of it is in
   * sight.
   */
  readonly isWhole?: boolean;
  readonly children: ReactNode;
}

/** The largest scale: the smallest letters of a drawing, of 11 px, are then 24 px high. */
const most = 2.2;

/** The most times that the scale is reduced until all of the content is in sight. */
const tries = 4;

/** Scales its content up to the size of its room, at most until the last row can read it. */
export function Enlarged({ width, height, isWhole = false, children }: Props) {
  const measured = useCallback(
    (box: HTMLDivElement | null) => {
      const inside = box?.firstElementChild;
      if (!box || !(inside instanceof HTMLElement)) return;
      const measure = () => {
        const room = Math.min(box.clientWidth / width, Math.max(1, box.clientHeight / height));
        enlarge(box, inside, Math.max(1, Math.min(most, room)), isWhole ? tries : 1);
      };
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(box);
      for (const part of inside.children) observer.observe(part);
      return () => observer.disconnect();
    },
    [width, height, isWhole],
  );
  return (
    <div className="enlarged" ref={measured}>
      <div className="enlarged-inside">{children}</div>
    </div>
  );
}

function enlarge(box: HTMLElement, inside: HTMLElement, zoom: number, times: number): void {
  let by = zoom;
  for (let at = 0; at < times; at += 1) {
    inside.style.zoom = by.toFixed(2);
    const over = box.scrollHeight / Math.max(1, box.clientHeight);
    if (over <= 1.005 || by <= 1) return;
    by = Math.max(1, by / Math.max(over, 1.04));
  }
}
