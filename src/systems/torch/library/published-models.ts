import {
  type Family,
  familyClass,
  hubNames,
  knownFamilies,
  libraryTextOf,
  publishedConfigs,
  pythonOf,
} from "#systems/families";
import type { Library } from "./libraries.ts";
import shared from "./transformers_published.py?raw";

/** The names of the part that all classes share. */
const sharedNames: ReadonlySet<string> = new Set([
  ...[...shared.matchAll(/^(?:def|class) (\w+)/gmu)].map(([, name = ""]) => name),
]);

const made = new Map<string, Library | undefined>();

/**
 * A class of transformers that a family's text is, as a part of the library: made from a
 * configuration or the name of a published model; `undefined` for any other name.
 */
export function publishedModel(name: string): Library | undefined {
  const key = sharedNames.has(name) ? "" : name;
  if (!made.has(key)) made.set(key, key === "" ? sharedLibrary() : modelLibrary(name));
  return made.get(key);
}

function modelLibrary(name: string): Library | undefined {
  const found = familyClass(knownFamilies.list, name);
  const text = found && libraryTextOf(knownFamilies.texts, found);
  return text === undefined ? undefined : { home: `transformers.models.${name}`, text };
}

function sharedLibrary(): Library {
  const text = `_hub = ${pythonOf(hub())}\n_auto = ${pythonOf(autoClasses())}\n${shared}`;
  return { home: "transformers.models", text };
}

/** Names of published models with the class of their configuration and what it says. */
function hub(): Readonly<Record<string, readonly unknown[]>> {
  const entries = Object.entries(hubNames).flatMap(([id, title]) => {
    const found = publishedConfigs.find(({ name }) => name === title);
    const family = knownFamilies.list.find(({ text }) => text === found?.text);
    return found && family ? [[id, [configClass(family), found.config]] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** `LlamaConfig` of the family whose class is `LlamaForCausalLM`. */
function configClass({ architectures = [], model_type: [type = ""] }: Family): string {
  const stem = (architectures[0] ?? "").replace(/(?:LMHeadModel|Model|For[A-Z]\w+)$/u, "");
  return type.endsWith("_text") ? `${stem}TextConfig` : `${stem}Config`;
}

/** By task and type of model, the class that transformers' own `Auto…` classes make. */
function autoClasses(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const tasks = new Map<string, Map<string, string>>();
  for (const { architectures = [], ends = {}, model_type: types } of knownFamilies.list) {
    for (const name of [...architectures.slice(0, 1), ...Object.keys(ends)]) {
      const task = taskOf(name);
      const classes = tasks.get(task) ?? new Map<string, string>();
      tasks.set(task, classes);
      for (const type of types) if (!classes.has(type)) classes.set(type, name);
    }
  }
  return Object.fromEntries(
    [...tasks].map(([task, classes]) => [task, Object.fromEntries(classes)]),
  );
}

/** `ForCausalLM` of `LlamaForCausalLM`; `Model` of a class without a task. */
function taskOf(name: string): string {
  if (name.endsWith("LMHeadModel")) return "ForCausalLM";
  return /For[A-Z]\w+$/u.exec(name)?.[0] ?? "Model";
}
