import type { BoardLayout } from "#app/scene/board";

/**
 * Module that a key opens or folds: the one around the focused element, else the first of the
 * board; `undefined` without modules.
 */
export function moduleAt({ rows }: BoardLayout): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>("[data-node]")?.dataset["node"];
  let around: { readonly key: string; readonly end: number }[] = [];
  for (const { y, frames, cards } of rows) {
    around = around.filter(({ end }) => end > y);
    const heads = frames.map((frame) => ({
      key: frame.module,
      end: frame.y + frame.height,
      id: frame.id,
    }));
    const head = heads.find(({ id }) => id === focused);
    if (head !== undefined) return head.key;
    around.push(...heads);
    const card = cards.find(({ id }) => id === focused);
    if (card !== undefined) return card.opens ?? around.at(-1)?.key;
  }
  return firstModule(rows);
}

function firstModule(rows: BoardLayout["rows"]): string | undefined {
  const modules = rows.flatMap(({ frames, cards }) => [
    ...frames.map(({ module }) => module),
    ...cards.flatMap(({ opens }) => opens ?? []),
  ]);
  return modules[0];
}
