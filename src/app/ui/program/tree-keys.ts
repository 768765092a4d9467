import { type KeyboardEvent, useRef } from "react";

/** Longest pause in milliseconds between the letters of one typed word. */
const sameWord = 700;

/** Line of a tree that has the focus in turn. */
export interface TreeStop {
  readonly id: string;
  readonly level: number;
  /** Name with which typed letters are compared. */
  readonly name: string;
  /** Whether the line is open; `undefined` if it has no children. */
  readonly isOpen?: boolean;
}

/** Action of a key in a tree: go to a line, or open or fold the focused one. */
export type TreeMove =
  | { readonly kind: "go"; readonly to: string }
  | { readonly kind: "toggle"; readonly id: string };

/** Action of an arrow key, Home or End at a line; `undefined` if there is none. */
export function treeMove(
  stops: readonly TreeStop[],
  at: number,
  key: string,
): TreeMove | undefined {
  const here = stops[at];
  if (here === undefined) return undefined;
  const go = (stop: TreeStop | undefined): TreeMove | undefined =>
    stop === undefined ? undefined : { kind: "go", to: stop.id };
  switch (key) {
    case "ArrowDown":
      return go(stops[at + 1]);
    case "ArrowUp":
      return go(stops[at - 1]);
    case "Home":
      return go(stops[0]);
    case "End":
      return go(stops.at(-1));
    case "ArrowRight": {
      if (here.isOpen === false) return { kind: "toggle", id: here.id };
      const next = stops[at + 1];
      return next !== undefined && next.level > here.level ? go(next) : undefined;
    }
    case "ArrowLeft":
      if (here.isOpen === true) return { kind: "toggle", id: here.id };
      return go(stops.slice(0, at).findLast(({ level }) => level < here.level));
    default:
      return undefined;
  }
}

/**
 * Next line whose name begins with the typed word. A single or repeated letter starts after the
 * present line, a longer word at it. `undefined` if no name matches.
 */
export function typedAhead(
  stops: readonly TreeStop[],
  at: number,
  word: string,
): TreeStop | undefined {
  const isRepeated = [...word].every((letter) => letter === word[0]);
  const sought = isRepeated ? word.slice(0, 1) : word;
  const first = sought.length === 1 ? at + 1 : at;
  const around = [...stops.slice(first), ...stops.slice(0, first)];
  return around.find(({ name }) => name.toLowerCase().startsWith(sought));
}

/** Returns a function that collects typed letters into a word; `undefined` for other keys. */
export function useTypedWord(): (event: KeyboardEvent) => string | undefined {
  const typed = useRef({ word: "", time: Number.NEGATIVE_INFINITY });
  return ({ key, timeStamp, ctrlKey, metaKey, altKey }) => {
    const { word, time } = typed.current;
    const before = timeStamp - time < sameWord ? word : "";
    const isLetter = before === "" ? /^[\p{L}_+∂]$/u.test(key) : /^[\p{L}\p{N}_.+∂]$/u.test(key);
    if (!isLetter || ctrlKey || metaKey || altKey) return undefined;
    typed.current = { word: `${before}${key.toLowerCase()}`, time: timeStamp };
    return typed.current.word;
  };
}
