import type { BoardText } from "#app/scene/board";
import { keyed } from "../drawing/keyed.ts";

interface Props {
  readonly texts: readonly BoardText[];
  /** Upper left corner of the containing element, in board coordinates. */
  readonly from: { readonly x: number; readonly y: number };
}

/**
 * Texts of the board at their places, in elements of their own; accessible names are given by the
 * elements around.
 */
export function BoardTexts({ texts, from }: Props) {
  return keyed(texts).map(({ key, item }) => {
    const { role, segments, whole, x, y, width, height, isAtEnd } = item;
    return (
      <span
        key={key}
        className={`bt bt-${role} ${isAtEnd ? "end" : ""}`}
        title={whole}
        style={{
          left: x - from.x,
          top: y - from.y,
          width,
          height,
          lineHeight: `${height}px`,
        }}
      >
        {keyed(segments).map(({ key: at, item: segment }) =>
          segment.kind === "plain" ? (
            segment.text
          ) : (
            <b key={at} className={`tk a${segment.hue}`}>
              {segment.text}
            </b>
          ),
        )}
      </span>
    );
  });
}
