import { useId } from "react";
import type { CompiledStatus } from "#app/state";
import type { Compiled } from "#compile";
import { useActions, useApp } from "../store-context.tsx";

type Choice = NonNullable<Compiled["choices"]>[number];

const labels = { calls: "Runs", policies: "Policy" } as const;

/** A choice among the entries that the text could run; each writes one line of text. */
export function EntryBar() {
  const choices = useApp(({ compiled }) => choicesOf(compiled)) ?? [];
  const groups = (["calls", "policies"] as const).flatMap((group) => {
    const own = choices.filter((each) => each.group === group);
    return own.every(({ isChosen }) => isChosen) ? [] : [{ group, own }];
  });
  if (groups.length === 0) return null;
  return (
    <div className="entry-bar" data-testid="entries">
      {groups.map(({ group, own }) => (
        <EntryMenu key={group} label={labels[group]} choices={own} />
      ))}
    </div>
  );
}

/** The entries of the newest text that has been read; undefined before the first. */
function choicesOf(status: CompiledStatus): Compiled["choices"] {
  if (status.kind === "compiling") return undefined;
  return (status.kind === "stale" ? status.newest : status.shown)?.choices;
}

interface Props {
  readonly label: string;
  readonly choices: readonly Choice[];
}

function EntryMenu({ label, choices }: Props) {
  const id = useId();
  const { applyFix } = useActions();
  const chosen = choices.findIndex(({ isChosen }) => isChosen);
  const choose = (at: number) => {
    const choice = choices[at];
    if (choice !== undefined) applyFix({ title: `Run ${choice.name}`, edits: choice.edits });
  };
  return (
    <label htmlFor={id}>
      {label}
      <select id={id} value={chosen} onChange={({ target }) => choose(Number(target.value))}>
        {chosen < 0 && (
          <option value={-1} disabled>
            the text as it is
          </option>
        )}
        {choices.map(({ line, name }, at) => (
          <option key={line} value={at} title={name}>
            {line}
          </option>
        ))}
      </select>
    </label>
  );
}
