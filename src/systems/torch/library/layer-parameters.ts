import attention from "./attention.py?raw";
import layers from "./layers.py?raw";
import lossLayers from "./loss_layers.py?raw";

/**
 * The arguments that losses take first, legacy ones included; the texts abbreviate them as `_old`.
 */
const oldReductions = "size_average reduce reduction";

/** The layers that are written in Python, with the parameters of their constructors where those are spelt out. */
export const writtenLayerParameters: ReadonlyMap<string, readonly string[]> = new Map(
  [attention, layers, lossLayers].flatMap((text) => [...parametersIn(text)]),
);

/** Classes, names of a function around one, and names that one row of factories binds. */
function parametersIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const note = (names: string, parameters: readonly string[]) => {
    for (const name of names.split(/, | = /))
      if (/^[A-Z]/.test(name) && !found.has(name)) found.set(name, parameters);
  };
  for (const [, name = "", body = ""] of text.matchAll(/^class (\w+)\(.*\n((?:[ \t]+.*\n)*)/gm))
    note(name, initIn(body));
  const lists = new Map(
    [...text.matchAll(/^(\w+) = \[(.*)\]$/gm)].map(([, name = "", items = ""]) => [name, items]),
  );
  for (const [, names = "", made = ""] of text.matchAll(/^(\w+(?:(?:, | = )\w+)*) = (.*)$/gm)) {
    const given = made.replace(/\*(\w+)/g, (_, list: string) => lists.get(list) ?? "");
    const [, order] = /^_loss\(.*, "\w+", (.*)\)$/.exec(made) ?? [];
    if (order !== undefined) {
      const words = order.replace("_old", `"${oldReductions}"`).replace(/[+"]/g, " ");
      note(names, words.trim().split(/\s+/));
      continue;
    }
    const isAround = made.startsWith("_function_layer(");
    note(names, isAround ? [...given.matchAll(/"(\w+)"/g)].map(([, word = ""]) => word) : []);
  }
  return found;
}

/** The parameters of a class's `__init__`, without its receiver and those that gather others. */
function initIn(body: string): readonly string[] {
  const [, inner = ""] = /def __init__\(self(?:, )?(.*)\):/.exec(body) ?? [];
  const words = inner.split(",").map((each) => each.split("=")[0]?.trim() ?? "");
  return words.filter((word) => /^\w+$/.test(word) && word !== "device" && word !== "dtype");
}
