import { type Actions, type AppState, joinTexts } from "#app/state";
import { saveText } from "../export/save-picture.ts";
import type { Command } from "../palette/command.ts";

/** What can be done with the program as a LoomGraph, and with the data types of one. */
export function loomCommands(state: AppState, actions: Actions): readonly Command[] {
  const { texts } = state.document;
  const isLoom = texts !== undefined;
  const save = (dialect: "op" | "app", name: string) => async () => {
    const own = dialect === "op" ? texts?.json : undefined;
    const text = own ?? (await actions.writeLoom(dialect));
    if (text !== undefined) saveText(text, name);
  };
  return [
    command("loom op", "Save as LoomGraph JSON", save("op", "plan.json")),
    command("loom app", "Save as LoomGraph JSON with shards", save("app", "plan-shards.json")),
    command(
      "loom become",
      "Make the program a LoomGraph with a plan",
      actions.becomeLoom,
      isLoom ? "it is one" : undefined,
    ),
    command(
      "loom dtypes",
      "Allow only Loom's own data types: int32, float32",
      () => state.commit(withOwnDtypes(state), "Allow int32 and float32"),
      isLoom ? undefined : "the document is no LoomGraph",
    ),
  ];
}

const ownDtypes = 'dtypes = ["int32", "float32"]';

/** The document with Loom's own set in its plan. */
function withOwnDtypes({ document }: AppState): string {
  const { source, texts } = document;
  if (texts === undefined) return source;
  const { plan, json } = texts;
  const line = /^dtypes[ \t]*=[ \t]*\[[^\]]*\]/m;
  const changed = line.test(plan) ? plan.replace(line, ownDtypes) : `${plan}${ownDtypes}\n`;
  return joinTexts(json, changed);
}

function command(
  id: string,
  title: string,
  run: () => void | Promise<void>,
  disabled?: string,
): Command {
  const act = () => void run();
  return { id, title, group: "command", run: act, ...(disabled !== undefined && { disabled }) };
}
