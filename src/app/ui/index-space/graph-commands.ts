import type { Actions, AppState } from "#app/state";
import { joinTexts } from "#language/texts";
import { graphWords } from "#systems/graphs";
import { saveText } from "../export/save-picture.ts";
import type { Command } from "../palette/command.ts";

const { title, ownDtypes } = graphWords;

/**
 * Palette commands that save the program as a graph, turn it into one, or set an imported graph's
 * data types.
 */
export function graphCommands(state: AppState, actions: Actions): readonly Command[] {
  const { texts } = state.document;
  const isGraph = texts !== undefined;
  const save = (dialect: "op" | "app", name: string) => async () => {
    const own = dialect === "op" ? texts?.json : undefined;
    const text = own ?? (await actions.writeGraph(dialect));
    if (text !== undefined) saveText(text, name);
  };
  return [
    command("graph op", `Save as ${title} JSON`, save("op", "plan.json")),
    command("graph app", `Save as ${title} JSON with shards`, save("app", "plan-shards.json")),
    command(
      "graph become",
      `Make the program a ${title} with a plan`,
      actions.becomeGraph,
      isGraph ? "it is one" : undefined,
    ),
    command(
      "graph dtypes",
      `Allow only ${ownDtypes.of}'s own data types: ${ownDtypes.names.join(", ")}`,
      () => state.commit(withOwnDtypes(state), `Allow ${ownDtypes.names.join(" and ")}`),
      isGraph ? undefined : `the document is no ${title}`,
    ),
  ];
}

/** Text of the document with the format's own data types set in its plan. */
function withOwnDtypes({ document }: AppState): string {
  const { source, texts } = document;
  if (texts === undefined) return source;
  const { plan, json } = texts;
  const own = `dtypes = [${ownDtypes.names.map((name) => JSON.stringify(name)).join(", ")}]`;
  const line = /^dtypes[ \t]*=[ \t]*\[[^\]]*\]/m;
  const changed = line.test(plan) ? plan.replace(line, own) : `${plan}${own}\n`;
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
