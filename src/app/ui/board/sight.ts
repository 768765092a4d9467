import type { Rect } from "#app/scene";

/** Margin around a place that is scrolled into view, in CSS pixels. */
const margin = 24;

/** Scrolls a vertical range into view, by as little as necessary. */
export function sightOf(scroller: HTMLElement, { y, height }: Pick<Rect, "y" | "height">): void {
  const { scrollTop, clientHeight } = scroller;
  if (y - margin < scrollTop) scroller.scrollTop = y - margin;
  else if (y + height + margin > scrollTop + clientHeight) {
    scroller.scrollTop = y + height + margin - clientHeight;
  }
}
