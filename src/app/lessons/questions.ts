import { rowsOf } from "#app/scene";
import { ringFramesOf } from "#app/scene/player";
import type { Box } from "#core/indexspace";
import type { Ask } from "./lesson.ts";
import { evaluate, type World } from "./predicate/evaluate.ts";
import { unitOf } from "./predicate/expression.ts";
import type { Facts, Value } from "./predicate/facts.ts";
import { parseFigure } from "./predicate/parse.ts";

/** A student's answer; `unsure` is a valid one. */
export type Answer =
  | { readonly kind: "choice"; readonly at: number }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "cells"; readonly cells: readonly number[] }
  | { readonly kind: "order"; readonly order: readonly number[] }
  | { readonly kind: "unsure" };

/** Whether an answer is right; false if the right answer cannot be computed. */
export function isRight(ask: Ask, answer: Answer, world: World): boolean {
  switch (ask.kind) {
    case "choice":
      return answer.kind === "choice" && ask.options[answer.at]?.isRight === true;
    case "number": {
      const right = figureOf(ask.value, world);
      if (answer.kind !== "number" || right.kind !== "number") return false;
      return isWithin(answer.value, right.value, ask.tolerance);
    }
    case "cells": {
      const right = rightCells(ask, world.now);
      if (answer.kind !== "cells" || right === undefined) return false;
      const given = new Set(answer.cells);
      return given.size === right.length && right.every((cell) => given.has(cell));
    }
    case "order": {
      const right = rightOrder(ask, world);
      if (answer.kind !== "order" || right === undefined) return false;
      return right.every((item, at) => answer.order[at] === item);
    }
  }
}

function isWithin(given: number, figure: number, tolerance: number): boolean {
  return Math.abs(given - figure) <= tolerance * Math.abs(figure);
}

/** Explanation of a wrong answer; `undefined` if it is right or matches no listed mistake. */
export function mistakeOf(ask: Ask, answer: Answer, world: World): string | undefined {
  if (isRight(ask, answer, world)) return undefined;
  if (ask.kind === "choice" && answer.kind === "choice") return ask.options[answer.at]?.says;
  if (ask.kind !== "number" || answer.kind !== "number") return undefined;
  return ask.mistakes?.find(({ value }) => {
    const figure = figureOf(value, world);
    return figure.kind === "number" && isWithin(answer.value, figure.value, ask.tolerance);
  })?.says;
}

/** Value of a figure given as text; `unknown` if it has a syntax error. */
export function figureOf(text: string, world: World): Value {
  const parsed = parseFigure(text);
  if (parsed.ok) return evaluate(parsed.value, world);
  return { kind: "unknown", why: parsed.fault.message };
}

type Cells = Extract<Ask, { kind: "cells" }>;

/**
 * Cells that a device holds at least in part, numbered row by row from 0. `undefined` if the
 * tensor, device or hop does not exist.
 */
export function rightCells(ask: Cells, { compiled }: Facts): readonly number[] | undefined {
  const tensor = compiled.program.graph.tensors.find(({ name }) => name === ask.tensor);
  const boxes = tensor && heldBoxes(ask, compiled);
  if (tensor === undefined || boxes === undefined) return undefined;
  const [rows = 1, columns = 1] = tensor.shape;
  const cells: number[] = [];
  for (let row = 0; row < ask.rows; row += 1) {
    for (let column = 0; column < ask.columns; column += 1) {
      const own = [part(rows, ask.rows, row), part(columns, ask.columns, column)];
      if (boxes.some((box) => touches(box, own))) cells.push(row * ask.columns + column);
    }
  }
  return cells;
}

function heldBoxes(
  { after, device, tensor: name }: Cells,
  compiled: Facts["compiled"],
): readonly Box[] | undefined {
  const { program, tensors } = compiled;
  if (after !== undefined) {
    const edge = program.redistributions[after.step - 1];
    const frame = edge && ringFramesOf(compiled, edge.index)[after.hop - 1];
    const held = frame?.devices.find((each) => each.device === device)?.after;
    return held?.map(({ box }) => box);
  }
  const tensor = program.graph.tensors.find((each) => each.name === name);
  const view = tensor && tensors.find((each) => each.tensor === tensor.id);
  if (tensor === undefined || view === undefined) return undefined;
  return rowsOf(view, { ...tensor, start: [] }).flatMap((row) =>
    row.device === device ? [row.ranges] : [],
  );
}

function part(size: number, count: number, at: number): readonly [number, number] {
  return [(size * at) / count, (size * (at + 1)) / count];
}

function touches(box: Box, cell: readonly (readonly [number, number])[]): boolean {
  return cell.every(([from, to], dim) => {
    const range = box[dim];
    return range === undefined || (range.start < to && from < range.stop);
  });
}

/**
 * Name of the first item of an order question: `slowest` if all figures are seconds, else
 * `largest`.
 */
export function firstInOrder({ items }: Extract<Ask, { kind: "order" }>): "slowest" | "largest" {
  const isTime = items.every(({ value }) => {
    const parsed = parseFigure(value);
    return parsed.ok && unitOf(parsed.value) === "seconds";
  });
  return isTime ? "slowest" : "largest";
}

/** Item indices by falling figure, ties in written order; `undefined` if a figure is unknown. */
export function rightOrder(
  { items }: Extract<Ask, { kind: "order" }>,
  world: World,
): readonly number[] | undefined {
  const values = items.map(({ value }) => figureOf(value, world));
  const numbers = values.flatMap((value) => (value.kind === "number" ? [value.value] : []));
  if (numbers.length < items.length) return undefined;
  return numbers
    .map((value, at) => ({ value, at }))
    .sort((a, b) => b.value - a.value || a.at - b.at)
    .map(({ at }) => at);
}
