import type { Frame } from "#app/scene";

export interface FrameDrawingProps {
  readonly frame: Frame;
}

/** One frame of a redistribution: before, what travels, after. */
export function FrameDrawing({ frame }: FrameDrawingProps) {
  return <svg className="frame-drawing" role="img" aria-label={frame.caption} />;
}
