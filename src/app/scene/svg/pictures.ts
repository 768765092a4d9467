import { type Compiled, shownLayout } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import { flatSteps } from "#core/program";
import type { BoardView } from "../board/board.ts";
import { boardFit } from "../board/board-fit.ts";
import { boardLayout } from "../board/board-layout.ts";
import type { CanvasLayout } from "../graph/canvas.ts";
import { layoutGraph } from "../graph/layout-graph.ts";
import type { Frame } from "../player/frame.ts";
import { frameScene } from "../player/frame-scene.ts";
import { framesOf, ringFramesOf } from "../player/frames.ts";
import { type OperatorFrame, operatorFrameOf } from "../player/operator-frame.ts";
import { operatorScene } from "../player/operator-scene.ts";
import { type PlayedStep, playedSteps } from "../player/played-steps.ts";
import { isDrawnByRows } from "../row-labels.ts";
import { labelText } from "../text/label.ts";
import { formatBytes } from "../text/numbers.ts";
import { planHead } from "../text/plan-table.ts";
import { collectiveAt } from "../text/redistribution-list.ts";
import { sentenceOf, stateSentence, stateWords } from "../text/sentence.ts";
import { shapeWords } from "../text/shape-words.ts";
import { legendBody } from "./figures/legend-figure.ts";
import { meshBody } from "./figures/mesh-figure.ts";
import { spaceBody } from "./figures/space-figure.ts";
import { stripBody } from "./figures/strip-figure.ts";
import { boardBody } from "./svg-board.ts";
import { canvasBody } from "./svg-canvas.ts";
import { type SvgTheme, svgColours } from "./svg-colours.ts";
import { frameBody } from "./svg-frame.ts";
import { tensorBody } from "./svg-tensor.ts";
import { pictureFile, type SvgBody } from "./svg-writer.ts";

/** The look of a picture, and the data that it carries along. */
export interface PictureLook {
  readonly theme: SvgTheme;
  /** Text for the file's metadata, such as the link of the plan. */
  readonly metadata?: string;
  /** Width of the picture on paper. */
  readonly millimetres?: number;
}

/** A picture or a text to be saved. */
export interface PictureFile {
  readonly name: string;
  /** The subject of the picture, in a few words. */
  readonly title: string;
  readonly text: string;
}

/**
 * The whole canvas as an SVG file at full size, with text as text elements.
 *
 * @param layout positions of boxes and lines; by default the plan's own layout with all blocks
 *   folded
 */
export function canvasPicture(
  compiled: Compiled,
  look: PictureLook,
  layout: CanvasLayout = layoutGraph(compiled),
): string {
  return written(canvasBody(compiled, layout, svgColours[look.theme]), look, titleOf(compiled), "");
}

function titleOf({ graph, program, cost }: Compiled): string {
  const count = program.redistributions.length;
  const caption = `${graph.operators.length} operators on ${program.devices.length} devices, ${count} redistributions`;
  return `${caption}. Each device receives ${formatBytes(cost.bytes)}.`;
}

/**
 * Width of a picture by rows, and the height that limits how many modules are open, in CSS pixels.
 */
const boardRoom = { width: 760, height: 900 };

/**
 * A plan by rows as an SVG file, with text as text elements.
 *
 * @param place open modules and view options; by default as many open modules as fit on a page
 */
export function boardPicture(
  compiled: Compiled,
  look: PictureLook,
  { open, ...place }: Partial<Omit<BoardView, "zoom">> = {},
): string {
  const view = { runs: new Map(), showsViews: false, forwardOnly: false, ...place };
  const opened = open ?? boardFit(compiled, boardRoom, view).open;
  const layout = boardLayout(compiled, boardRoom.width, { ...view, open: opened, zoom: 1 });
  const body = boardBody(compiled, layout, svgColours[look.theme]);
  return written(body, look, titleOf(compiled), planHead(compiled));
}

/** A whole plan in its default drawing: by rows, or a graph for few operators. */
export function planPicture(compiled: Compiled, look: PictureLook): string {
  return (isDrawnByRows(compiled) ? boardPicture : canvasPicture)(compiled, look);
}

/** One tensor as an SVG file; `undefined` if the plan has no such tensor. */
export function tensorPicture(
  compiled: Compiled,
  id: TensorId,
  look: PictureLook,
): string | undefined {
  const body = tensorBody(compiled, id, svgColours[look.theme]);
  const tensor = compiled.program.graph.tensors.find((each) => each.id === id);
  const view = compiled.tensors.find((each) => each.tensor === id);
  if (body === undefined || tensor === undefined || view === undefined) return undefined;
  const layout = shownLayout(view);
  const head = `${tensor.name} ${tensor.dtypeText} ${shapeWords(tensor)}`;
  const caption = `${head} ${labelText(layout, tensor.dimNames)}${stateWords(view)}`;
  return written(body, look, `${sentenceOf(tensor, layout)}${stateSentence(view)}`, caption);
}

/** A frame of a collective as a still SVG file: blocks before, transfers, and blocks after. */
export function framePicture(frame: Frame, look: PictureLook): string {
  const body = frameBody(frameScene(frame), svgColours[look.theme]);
  const title = [frame.caption, frame.sidesText, frame.groupsText].filter((text) => text !== "");
  return written(body, look, title.join(" "), frame.caption);
}

/** The devices of a plan as an SVG file. */
export function meshPicture(compiled: Compiled, look: PictureLook): string {
  const count = compiled.mesh.mesh.devices.length;
  const title = `${planHead(compiled)} ${count} devices.`;
  return written(meshBody(compiled, svgColours[look.theme]), look, title, planHead(compiled));
}

/** The meaning of colours and textures, as an SVG file. */
export function legendPicture(compiled: Compiled, look: PictureLook): string {
  const body = legendBody(compiled, svgColours[look.theme]);
  return written(body, look, "The meaning of the colours and textures.", "");
}

/** The index space of an operator as an SVG file; `undefined` if the plan has no such operator. */
export function spacePicture(
  compiled: Compiled,
  operator: OperatorId,
  look: PictureLook,
): string | undefined {
  const body = spaceBody(compiled, operator, svgColours[look.theme]);
  return (
    body && written(body, look, `The index space of ${operator}, its reads and its writes.`, "")
  );
}

/** All hops of a redistribution in one SVG file; `undefined` if there are none. */
export function stripPicture(
  compiled: Compiled,
  index: number,
  look: PictureLook,
  hops: "logical" | "ring",
): string | undefined {
  const frames = (hops === "ring" ? ringFramesOf : framesOf)(compiled, index);
  if (frames.length === 0) return undefined;
  const title = frames.map(({ caption }) => caption).join(" ");
  return written(stripBody(frames, svgColours[look.theme]), look, title, "");
}

/** An operator's picture as an SVG file. */
export function operatorPicture(frame: OperatorFrame, look: PictureLook, caption: string): string {
  const body = frameBody(operatorScene(frame), svgColours[look.theme]);
  return written(body, look, frame.caption, caption);
}

/**
 * The stops of the step player as numbered SVG files, equal blocks once.
 *
 * @param options `most`: number of stops after which a longer plan is cut off; `hops`: with `ring`
 *   each hop of a ring is a file
 */
export function stepPictures(
  compiled: Compiled,
  look: PictureLook,
  { most = 400, hops = "logical" }: StepPictureOptions = {},
): readonly PictureFile[] {
  const stops = playedSteps(compiled.program).slice(0, most);
  const pictures = stops.flatMap((stop) =>
    stillsOf(compiled, stop, look, hops).map((text) => ({ title: stop.title, text })),
  );
  const digits = String(pictures.length).length;
  return pictures.map(({ title, text }, at) => ({
    title,
    name: `${String(at + 1).padStart(Math.max(2, digits), "0")}-${fileName(title)}.svg`,
    text,
  }));
}

/** Options of `stepPictures`. */
interface StepPictureOptions {
  readonly most?: number;
  readonly hops?: "logical" | "ring";
}

function stillsOf(
  compiled: Compiled,
  stop: PlayedStep,
  look: PictureLook,
  hops: "logical" | "ring",
): readonly string[] {
  const { program } = compiled;
  if (stop.kind === "operator") {
    const frame = operatorFrameOf(compiled, stop.place);
    if (frame === undefined) return [];
    const times = stop.count * stop.microbatches;
    const repeats = times > 1 ? `, ${times} times` : "";
    return [operatorPicture(frame, look, `${stop.title}${repeats}`)];
  }
  const step = flatSteps(program)[stop.place];
  if (step?.kind !== "collective") return [];
  const index = step.reshard;
  const frames = hops === "ring" ? ringFramesOf : framesOf;
  return frames(compiled, index)
    .filter((frame) => collectiveAt(program, index, frame.step)?.step === stop.place)
    .map((frame) => framePicture(frame, look));
}

function written(body: SvgBody, look: PictureLook, title: string, caption: string): string {
  return pictureFile(body, { ...look, title, caption });
}

function fileName(title: string): string {
  return title
    .replace(/[^\w.]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 40);
}
