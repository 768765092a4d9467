import { type ReactNode, useCallback } from "react";

interface Props {
  /** The least room that what is inside needs at its own size, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The content has a size of its own: it is made smaller until all of it is in sight. */
  readonly isWhole?: boolean;
  readonly children: ReactNode;
}

/** At this size the smallest letters of a drawing, of 11 px, are 24 px high. */
const most = 2.2;

/** How often the size is made smaller until all of the content is in sight. */
const tries = 4;

/** Shows its content as large as its room allows, up to what can be read from the last row. */
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
