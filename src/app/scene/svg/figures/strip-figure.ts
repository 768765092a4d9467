import type { Frame } from "../../player/frame.ts";
import { frameScene } from "../../player/frame-scene.ts";
import type { SvgColours } from "../svg-colours.ts";
import { frameBody } from "../svg-frame.ts";
import { element, type SvgBody } from "../svg-writer.ts";
import { wordsAt } from "./words.ts";

const gap = 24;
const captionLine = 16;
/** Characters per line of a caption, which has the width of a frame. */
const perLine = 58;
/** Most frames; a note gives the number left out. */
const most = 24;
const beside = 2;

/** All hops of a redistribution, before and after, in execution order. */
export function stripBody(frames: readonly Frame[], colours: SvgColours): SvgBody {
  const shown = frames.slice(0, most).map((frame, at) => ({
    body: frameBody(frameScene(frame), colours),
    words: linesOf(`${at + 1}. ${frame.caption}`),
  }));
  const marks: string[] = [];
  let [top, width] = [0, 0];
  for (let at = 0; at < shown.length; at += beside) {
    const row = shown.slice(at, at + beside);
    let [left, height] = [0, 0];
    for (const { body, words } of row) {
      const room = words.length * captionLine + 6;
      marks.push(
        ...words.map((text, line) => wordsAt(text, left, top + 12 + line * captionLine, colours)),
        element("g", { transform: `translate(${left} ${top + room})` }, body.marks),
      );
      left += Math.max(body.width, frameWidth) + gap;
      height = Math.max(height, room + body.height);
    }
    top += height + gap;
    width = Math.max(width, left - gap);
  }
  const left = frames.length - shown.length;
  if (left > 0) {
    marks.push(wordsAt(`${left} more hops are not drawn.`, 0, top, colours));
    top += gap;
  }
  return { width, height: Math.max(0, top - gap), marks: marks.join("\n") };
}

const frameWidth = 388;

/** A sentence broken into lines between words. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= perLine) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
