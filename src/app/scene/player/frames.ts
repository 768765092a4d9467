import type { Compiled } from "#compile";
import { groupsOf, movedParts } from "#core/collective";
import { capitalized } from "#core/diagnostics";
import { type Box, intersect, type Range, sameBox, volumeOf } from "#core/indexspace";
import { bytesOf } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import { displayNames } from "../display-names.ts";
import { type Orientation, orientationIn } from "../glyph/orientation.ts";
import { boxText } from "../rows.ts";
import { axisTags, stepsByRedistribution } from "../text/comm-summary.ts";
import { dimName } from "../text/label.ts";
import type { Frame, FrameDevice, FrameTransfer, HeldBlock } from "./frame.ts";
import { type RingBlock, type Stage, type StepScene, stagesOf } from "./frame-stages.ts";
import { captionFor, groupsText, ruleFor } from "./frame-words.ts";
import { type Block, joinedBlocks } from "./joined-blocks.ts";
import { isRing, ringStagesOf } from "./ring-stages.ts";

/** Most devices of a group that are drawn. */
export const mostDevices = 8;

/**
 * A group larger than the first number has that many blocks per device; only the second number of
 * devices is drawn.
 */
const [largeGroup, mostOfLarge] = [1_024, 2];

/**
 * The frames of one redistribution, in order: one per collective, two for an all-reduce, which is
 * drawn as reduce-scatter, then all-gather. Bytes and seconds of the frames add up to those of the
 * program's steps. Empty for an unknown redistribution.
 */
export const framesOf = framesBy(stagesOf);

/**
 * The frames of one redistribution hop by hop. A collective on a ring of 3 to 8 devices has one
 * frame per hop, in which every device passes one block to the next; an all-to-all has one per
 * round, in which every device exchanges with one other. Any other collective has the frames of
 * `framesOf`.
 */
export const ringFramesOf = framesBy((scene) => ringStagesOf(scene) ?? stagesOf(scene));

/** The frames of a step, and the inputs they were computed from. */
interface Made {
  readonly of: readonly unknown[];
  readonly frames: readonly Frame[];
}

/** Frames for a way of staging; an unchanged step returns the same frame objects again. */
function framesBy(
  stages: (scene: StepScene) => readonly Stage[],
): (compiled: Compiled, redistribution: number) => readonly Frame[] {
  const known = new WeakMap<CollectiveStep, Made>();
  return (compiled, redistribution) => {
    const steps = stepsByRedistribution(compiled.program).get(redistribution) ?? [];
    return steps.flatMap((step, at) => {
      const scene = sceneOf(compiled, step);
      if (scene === undefined) return [];
      const orientation = orientationIn(compiled, scene.tensor);
      const of = [scene.tensor, scene.before, scene.after, compiled.mesh.mesh, at, orientation];
      const before = known.get(step);
      if (before?.of.every((part, index) => part === of[index])) return before.frames;
      const own = stages(scene);
      const frames = own.map((stage) => frameOf(compiled, scene, stage, at, own.length));
      known.set(step, { of, frames });
      return frames;
    });
  };
}

function sceneOf(compiled: Compiled, step: CollectiveStep): StepScene | undefined {
  const { program } = compiled;
  const [from, to] = [step.input, step.output].map((id) =>
    program.values.find((value) => value.id === id),
  );
  const tensor = program.graph.tensors.find((each) => each.id === from?.tensor);
  if (from === undefined || to === undefined || tensor === undefined) return undefined;
  const groups =
    step.groups.length > 0 ? step.groups : groupsOf(from.layout.mesh, movedParts(step.moves));
  const group = groups[0] ?? [];
  const drawn = group.slice(0, group.length > largeGroup ? mostOfLarge : mostDevices);
  return { step, tensor, before: from.layout, after: to.layout, groups, group, drawn };
}

function frameOf(
  compiled: Compiled,
  scene: StepScene,
  stage: Stage,
  at: number,
  stages: number,
): Frame {
  const { step, tensor, before, after, group, drawn } = scene;
  const all = drawn.flatMap((id) => [...(stage.held.get(id) ?? []), ...(stage.kept.get(id) ?? [])]);
  const room = roomOf(all, tensor.shape);
  const dims = changingDims(all, scene);
  const orientation = orientationIn(compiled, tensor);
  const words = (box: Box) => boxText(box, tensor, dims);
  const name = displayNames(compiled).tensor(tensor.id);
  const width = bytesOf(tensor.dtype);
  const share = stage.share ?? 1 / stages;
  const isAdded = /^(add|add-first|hop-add)$/.test(stage.kind);
  return {
    collective: step.collective,
    axes: axisTags(compiled.mesh.mesh, step.axes),
    step: at,
    caption: captionFor(stage, step, { ...tensor, name }, step.bytes * share, before),
    rule: ruleFor(step.collective, before, after, tensor.dimNames),
    groupsText: groupsText(scene.groups, drawn.length),
    group,
    devices: drawn.map(
      (device) => hopOf(device, stage, words) ?? deviceOf(device, scene, stage, words),
    ),
    transfers: stage.transfers
      .filter(({ from, to }) => drawn.includes(from) && drawn.includes(to))
      .map(
        ({ from, to, range }): FrameTransfer => ({
          from,
          to,
          box: range,
          bytes: volumeOf(range) * width,
          isAdded,
        }),
      ),
    room,
    ...sidesOf(dims, orientation),
    sidesText: sidesText(dims, orientation, tensor.dimNames),
    dimNames: tensor.dimNames,
    ...(tensor.start !== undefined && { start: tensor.start }),
    half: halfOf(stage),
    isHop: stage.hop !== undefined,
    canGoRound: isRing(scene),
    before,
    after,
    bytes: step.bytes * share,
    seconds: step.seconds * share,
  };
}

function halfOf({ kind, hop }: Stage): Frame["half"] {
  if (hop !== undefined && hop.at === 0) return "first";
  if (hop !== undefined) return hop.at === hop.count - 1 ? "second" : "middle";
  if (kind === "add-first") return "first";
  return kind === "gather-last" ? "second" : undefined;
}

/** The blocks of a device before and after a hop; `undefined` if the stage is no hop. */
function hopOf(
  device: DeviceId,
  { hop }: Stage,
  words: (box: Box) => string,
): FrameDevice | undefined {
  const blocks = hop?.blocks.get(device);
  if (blocks === undefined) return undefined;
  const held = ({ box, owner, isPartial }: RingBlock): HeldBlock => ({
    box,
    text: words(box),
    isPartial,
    coordinate: owner,
  });
  return { device, before: blocks.before.map(held), after: blocks.after.map(held) };
}

/**
 * The blocks of a device: before, the pieces it keeps or sends; after, its own and the received
 * ones.
 */
function deviceOf(
  device: DeviceId,
  scene: StepScene,
  stage: Stage,
  words: (box: Box) => string,
): FrameDevice {
  const { group, before } = scene;
  const places = new Map(group.map((id, at) => [id, at]));
  const place = (id: DeviceId) => places.get(id) ?? 0;
  const byOwner = stage.kind === "add" || stage.kind === "add-first" || stage.kind === "keep";
  const isPartial = before.partials.length > 0 && stage.kind !== "gather-last";
  const block = (box: Box, coordinate: number, partial: boolean): Block => ({
    box,
    isPartial: partial,
    coordinate,
  });
  const held = stage.held.get(device) ?? [];
  const kept = stage.kept.get(device) ?? [];
  const owners = byOwner ? group : [device];
  const cuts = owners.flatMap((owner) => {
    const boxes = byOwner ? overlaps(held, stage.kept.get(owner) ?? []) : held;
    return boxes.map((box) => block(box, place(owner), isPartial));
  });
  const sent = stage.transfers.filter(({ from }) => from === device).map(({ range }) => range);
  const pieces = byOwner
    ? cuts
    : cutAsSent(held, sent, kept).map((box) => block(box, place(device), isPartial));
  const own = overlaps(held, kept).map((box) => block(box, place(device), stage.isPartialAfter));
  const got = stage.transfers
    .filter(({ to }) => to === device && !byOwner)
    .map(({ from, range }) => block(range, place(from), stage.isPartialAfter));
  const isPermuted = scene.step.collective === "collective-permute" && got.length > 0;
  return {
    device,
    before: joinedBlocks(distinct(pieces), words),
    after: joinedBlocks(distinct(isPermuted ? got : [...own, ...got]), words),
  };
}

/**
 * The held boxes split into their sent and kept parts, if these parts tile them; else the boxes
 * unchanged.
 */
function cutAsSent(
  held: readonly Box[],
  sent: readonly Box[],
  kept: readonly Box[],
): readonly Box[] {
  return held.flatMap((box) => {
    const all = [...overlaps([box], sent), ...overlaps([box], kept)];
    const parts = all.filter((part, at) => all.findIndex((other) => sameBox(part, other)) === at);
    const volume = parts.reduce((sum, part) => sum + volumeOf(part), 0);
    const isTiled = volume === volumeOf(box) && overlaps(parts, parts).length === parts.length;
    return isTiled ? parts : [box];
  });
}

function overlaps(a: readonly Box[], b: readonly Box[]): readonly Box[] {
  return a.flatMap((one) =>
    b.flatMap((other) => {
      const common = intersect(one, other);
      return common === undefined ? [] : [common];
    }),
  );
}

function distinct(blocks: readonly Block[]): readonly Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ box }) => {
    const key = box.map(({ start, stop }) => `${start} ${stop}`).join();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function roomOf(boxes: readonly Box[], shape: readonly number[]): Box {
  return shape.map((size, dim): Range => {
    const ranges = boxes.flatMap((box) => box[dim] ?? []);
    if (ranges.length === 0) return { start: 0, stop: size };
    return ranges.reduce((all, range) => ({
      start: Math.min(all.start, range.start),
      stop: Math.max(all.stop, range.stop),
    }));
  });
}

/** The dims along which the boxes of a step differ from each other. */
function changingDims(boxes: readonly Box[], { tensor }: StepScene): readonly number[] {
  const [first] = boxes;
  return tensor.shape.flatMap((_, dim) =>
    boxes.some((box) => {
      const [range, other] = [box[dim], first?.[dim]];
      return range?.start !== other?.start || range?.stop !== other?.stop;
    })
      ? [dim]
      : [],
  );
}

/**
 * Sides of the changing dims, as in every drawing of the tensor; the dims of facets only if no
 * inner dim changes.
 */
function sidesOf(
  dims: readonly number[],
  { outerRows, outerColumns, rows, columns }: Orientation,
): Pick<Frame, "rows" | "columns"> {
  const changing = (...sides: readonly (number | undefined)[]) =>
    sides.find((dim) => dim !== undefined && dims.includes(dim));
  return { rows: changing(rows, outerRows), columns: changing(columns, outerColumns) };
}

/** The changing dim of each side in words: `Rows s, columns f.` */
function sidesText(
  dims: readonly number[],
  orientation: Orientation,
  dimNames: readonly string[],
): string {
  const { rows, columns } = sidesOf(dims, orientation);
  const named = (word: string, dim: number | undefined) =>
    dim === undefined ? [] : [`${word} ${dimName(dimNames, dim)}`];
  const text = [...named("rows", rows), ...named("columns", columns)].join(", ");
  return text === "" ? "" : `${capitalized(text)}.`;
}
