import type { Compiled } from "#compile";
import type { Size } from "../mark.ts";
import type { BoardView } from "./board.ts";
import { boardFacts } from "./board-facts.ts";
import type { BoardItem } from "./board-item.ts";
import { boardHeights } from "./board-plan.ts";
import { boardTree } from "./board-tree.ts";

/** Zooms at which cards say everything; from the last one on rows come no closer by themselves. */
const whole = [1, 0.88, 0.75] as const;

/**
 * The modules to open, and the zoom, with which the whole program is in sight and every text is
 * legible: as many open modules as there is room for. If even the folded modules have no room, the
 * board scrolls.
 */
export function boardFit(
  compiled: Compiled,
  room: Size,
  view: Omit<BoardView, "open" | "zoom">,
): Pick<BoardView, "open" | "zoom"> {
  const facts = boardFacts(compiled);
  const tree = boardTree(facts, view.runs, view.showsViews);
  const levels = openLevels(tree.items);
  const roomFor = (open: ReadonlySet<string>) => {
    const heightAt = boardHeights(facts, tree, room.width, { ...view, open });
    return (zoom: number) => heightAt(zoom) <= room.height;
  };
  const filled = (open: ReadonlySet<string>, zoom: number) => ({
    zoom,
    open: withMore(levels, open, (more) => roomFor(more)(zoom)),
  });
  const opened = levels.map((_, depth) => new Set(levels.slice(0, depth + 1).flat()));
  for (const open of opened.toReversed()) {
    const fits = roomFor(open);
    const zoom = whole.find(fits);
    if (zoom !== undefined) return filled(open, zoom);
  }
  return { open: none, zoom: whole[2] };
}

const none: ReadonlySet<string> = new Set();

/** The most modules that are tried one by one. */
const mostTries = 24;

/** The open modules, and further ones as long as there is room. */
function withMore(
  levels: Levels,
  open: ReadonlySet<string>,
  fits: (open: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const next = levels.find((keys) => keys.some((key) => !open.has(key))) ?? [];
  let all = open;
  for (const key of next.slice(0, mostTries)) {
    const more = new Set(all).add(key);
    if (fits(more)) all = more;
  }
  return all;
}

type Levels = readonly (readonly string[])[];

/** Keys of modules by depth; counted groups and odd modules come last. */
function openLevels(items: readonly BoardItem[]): Levels {
  const levels: string[][] = [[]];
  const visit = (all: readonly BoardItem[], depth: number) => {
    for (const item of all) {
      if (item.kind !== "module" || item.isOdd) continue;
      const level = levels[depth] ?? [];
      level.push(item.key);
      levels[depth] = level;
      visit(item.items, depth + 1);
    }
  };
  visit(items, 1);
  return levels;
}

/** The zoom at which the open modules have room and all their texts are shown, if there is one. */
export function boardZoom(compiled: Compiled, room: Size, view: Omit<BoardView, "zoom">): number {
  const facts = boardFacts(compiled);
  const tree = boardTree(facts, view.runs, view.showsViews);
  const heightAt = boardHeights(facts, tree, room.width, view);
  return whole.find((zoom) => heightAt(zoom) <= room.height) ?? whole[2];
}
