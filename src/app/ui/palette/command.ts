import { scoreOf } from "./fuzzy.ts";

/** Entry of the palette: an action, or a place to go to. */
export interface Command {
  /** Stable between visits, since recently used commands are stored by id. */
  readonly id: string;
  readonly title: string;
  /** Kind of the command, in one word. */
  readonly group: string;
  readonly keys?: string;
  /** Reason why the command is disabled now; absent if it is enabled. */
  readonly disabled?: string;
  /** Synonyms for the search; matches in them score lower than in the title. */
  readonly alias?: string;
  readonly run: () => void;
}

/** Optional properties of a command. */
type CommandDetails = {
  readonly [Name in "keys" | "disabled" | "alias"]?: Command[Name] | undefined;
};

/** Creates a palette entry for an action of the page. */
export function command(
  id: string,
  title: string,
  run: () => void,
  { keys, disabled, alias }: CommandDetails = {},
): Command {
  return {
    id,
    title,
    group: "command",
    run,
    ...(keys !== undefined && { keys }),
    ...(disabled !== undefined && { disabled }),
    ...(alias !== undefined && { alias }),
  };
}

/** Most rows of the list. */
const most = 60;

/**
 * Commands that match a query, best first; recently used ones score higher. Without a query the
 * recently used ones come first.
 */
export function found(
  commands: readonly Command[],
  query: string,
  recents: readonly string[],
): readonly Command[] {
  if (query.trim() === "") return withRecents(commands, recents).slice(0, most);
  return commands
    .flatMap((command, order) => {
      const score = scoreOf(query, `${command.title} ${command.group}`, command.alias);
      const isRecent = recents.includes(command.id);
      return score === undefined ? [] : [{ command, order, score: score + (isRecent ? 1 : 0) }];
    })
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, most)
    .map(({ command }) => command);
}

function withRecents(commands: readonly Command[], recents: readonly string[]): readonly Command[] {
  const known = new Map(commands.map((command) => [command.id, command]));
  const first = recents.flatMap((id) => known.get(id) ?? []);
  return [...first, ...commands.filter((command) => !first.includes(command))];
}
