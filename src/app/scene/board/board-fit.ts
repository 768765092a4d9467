import type { Compiled } from "#compile";
import type { Size } from "../mark.ts";
import type { BoardView } from "./board.ts";
import { boardFacts } from "./board-facts.ts";
import type { BoardItem } from "./board-item.ts";
import { boardHeights } from "./board-plan.ts";
import { boardTree } from "./board-tree.ts";

/**
 * Zooms at which cards show everything, largest first; the automatic fit goes no lower than the
 * last.
 */
const whole = [1, 0.88, 0.75] as const;

/**
 * The modules to open, and the zoom, at which the whole program is in sight and every text legible:
 * as many open modules as fit. If even the folded modules do not fit, the board scrolls.
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

/** Most modules that are tried individually. */
const mostTries = 24;

/** The open modules plus further ones of the next level as long as they fit. */
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

/** Keys of modules by depth, without counted groups and odd modules. */
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

/** The largest zoom with all texts at which the open modules fit, else the least such zoom. */
export function boardZoom(compiled: Compiled, room: Size, view: Omit<BoardView, "zoom">): number {
  const facts = boardFacts(compiled);
  const tree = boardTree(facts, view.runs, view.showsViews);
  const heightAt = boardHeights(facts, tree, room.width, view);
  return whole.find((zoom) => heightAt(zoom) <= room.height) ?? whole[2];
}
