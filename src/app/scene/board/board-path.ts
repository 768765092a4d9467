import type { Compiled } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import type { BoardView } from "./board.ts";
import { boardFacts } from "./board-facts.ts";
import type { BoardItem, BoardModule } from "./board-item.ts";
import { operatorsOfItem } from "./board-item.ts";
import { boardTree } from "./board-tree.ts";

/** The path to an operator: modules to open, and the run to show of each group of equal modules. */
export interface BoardPath {
  readonly open: readonly string[];
  readonly runs: readonly (readonly [key: string, path: string])[];
}

/** The target to find on a board. */
interface Sought {
  readonly operator?: OperatorId;
  readonly tensor?: TensorId;
  readonly redistribution?: number;
}

/** The modules to open so that a target gets a row; `undefined` if it has none. */
export function boardPathTo(
  compiled: Compiled,
  view: Pick<BoardView, "runs" | "showsViews">,
  sought: Sought,
): BoardPath | undefined {
  const facts = boardFacts(compiled);
  const home = boardHome(compiled, sought);
  if (home === undefined) return undefined;
  let runs = view.runs;
  const open: string[] = [];
  const chosen: (readonly [string, string])[] = [];
  for (;;) {
    const module = closedAround(boardTree(facts, runs, view.showsViews).items, home, open);
    if (module === undefined) return { open, runs: chosen };
    open.push(module.key);
    const at = module.runs.findIndex(({ operators }) => operators.includes(home));
    const run = module.runs[at];
    if (run === undefined || at === module.shown) continue;
    chosen.push([module.key, run.path]);
    runs = new Map(runs).set(module.key, run.path);
  }
}

/** The outermost module around an operator that is not in `open`. */
function closedAround(
  items: readonly BoardItem[],
  home: OperatorId,
  open: readonly string[],
): BoardModule | undefined {
  for (const item of items) {
    if (item.kind === "operator" || !operatorsOfItem(item).includes(home)) continue;
    return open.includes(item.key) ? closedAround(item.items, home, open) : item;
  }
  return undefined;
}

/** The operator of the text at whose row a target is drawn; `undefined` if it is not drawn. */
export function boardHome(compiled: Compiled, sought: Sought): OperatorId | undefined {
  const facts = boardFacts(compiled);
  if (sought.operator !== undefined) return facts.homes.get(sought.operator);
  if (sought.redistribution !== undefined) {
    for (const [home, sends] of facts.sends) {
      if (sends.some((each) => each.redistribution.index === sought.redistribution)) return home;
    }
  }
  const tensor = sought.tensor === undefined ? undefined : facts.tensors.get(sought.tensor);
  if (tensor === undefined) return undefined;
  if (tensor.producer !== undefined) return facts.homes.get(tensor.producer);
  return facts.operators.find(({ inputs }) => inputs.some((each) => each.tensor === tensor.id))?.id;
}
