import { type KeyboardEvent, useRef } from "react";

/** Letters typed within so many milliseconds form one word. */
const sameWord = 700;

/** A line that the keys of a tree can reach. */
export interface TreeStop {
  readonly id: string;
  readonly level: number;
  /** The name that typed letters are compared with. */
  readonly name: string;
  /** Whether it is open; `undefined` if it cannot be opened. */
  readonly isOpen?: boolean;
}

/** The action of a key in a tree: goes to a line, or opens or folds the focused one. */
export type TreeMove =
  | { readonly kind: "go"; readonly to: string }
  | { readonly kind: "toggle"; readonly id: string };

/** The action of an arrow, Home or End at a line; `undefined` if there is none. */
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
 * The next line whose name begins with a word; the same letter typed again goes on to the line
 * behind.
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

/** The word that is being typed at a tree, letter by letter. */
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
