import { scoreOf } from "./fuzzy.ts";

/** One thing to do or to go to. */
export interface Command {
  /** The same on each visit. */
  readonly id: string;
  readonly title: string;
  /** The kind of the command, in a word. */
  readonly group: string;
  readonly keys?: string;
  /** Why it cannot be done now. */
  readonly disabled?: string;
  /** Further words to search by; they count less than those of the title. */
  readonly alias?: string;
  readonly run: () => void;
}

/** Details that a command of the page may have besides its title. */
type CommandDetails = {
  readonly [Name in "keys" | "disabled" | "alias"]?: Command[Name] | undefined;
};

/** A command of the page, in the palette's form. */
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

/** The most rows that are drawn. */
const most = 60;

/** The commands that match the query, the best first; recently used ones before all others. */
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
