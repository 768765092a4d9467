import { fieldOf } from "#core/records";
import {
  bareClass,
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

/** Names defined in the part that all classes share. */
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
  const { list, texts } = knownFamilies;
  const found = familyClass(list, name) ?? bareClass(list, texts, name);
  const text = headText(name) ?? (found && libraryTextOf(texts, found));
  return text === undefined ? undefined : { home: `transformers.models.${name}`, text };
}

/** Classes of transformers 5.24 that are a model of a family with a head, by what the head is for. */
const heads: Readonly<Record<string, string>> = {
  QuestionAnswering:
    "Bert DistilBert GPT2 Llama Mistral Mixtral Qwen2 Qwen2Moe Qwen3 Qwen3Moe Roberta SeedOss SmolLM3 XLMRoberta",
  TokenClassification:
    "DeepseekV3 GPT2 Gemma Gemma2 Glm Glm4 GptOss Llama Mistral Mixtral Phi Phi3 Qwen2 Qwen2Moe Qwen3 Qwen3Moe SeedOss SmolLM3 Starcoder2",
  SequenceClassification:
    "DeepseekV2 DeepseekV3 Gemma Glm Glm4 GptOss Mixtral Olmo Olmo2 Phi Qwen2Moe Qwen3Moe",
  MultipleChoice: "Bert DistilBert Roberta XLMRoberta",
  NextSentencePrediction: "Bert",
};

/** The attribute of the base model inside a model with a head, if it is not `model`. */
const inner: Readonly<Record<string, string>> = {
  ...{ Bert: "bert", DistilBert: "distilbert", GPT2: "transformer" },
  ...{ Roberta: "roberta", XLMRoberta: "roberta" },
};

/** A model of a family with a head, by the families' own model. */
function headText(name: string): string | undefined {
  const [, stem = "", task = ""] = /^(\w+?)For([A-Z]\w+)$/u.exec(name) ?? [];
  if (fieldOf(heads, task)?.split(" ").includes(stem) !== true) return undefined;
  const held = fieldOf(inner, stem) ?? "model";
  return `from torch._operators import published
${name} = published("_headed")("${name}", "${stem}Model", "${held}", "${task}")
`;
}

function sharedLibrary(): Library {
  const text = `_hub = ${pythonOf(hub())}\n_auto = ${pythonOf(autoClasses())}\n${shared}`;
  return { home: "transformers.models", text };
}

/** Published models by name: the class of their configuration, and its values. */
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

/** The class that an `Auto…` class of transformers creates, by task, then by `model_type`. */
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
  for (const [task, stems] of Object.entries(heads)) {
    const classes = tasks.get(`For${task}`) ?? new Map<string, string>();
    tasks.set(`For${task}`, classes);
    for (const stem of stems.split(" "))
      for (const type of typesOf(stem))
        if (!classes.has(type)) classes.set(type, `${stem}For${task}`);
  }
  return Object.fromEntries(
    [...tasks].map(([task, classes]) => [task, Object.fromEntries(classes)]),
  );
}

/** The types of models whose classes have names of a stem: `qwen2` of `Qwen2`. */
function typesOf(stem: string): readonly string[] {
  const named = knownFamilies.list.filter(({ architectures = [], ends = {} }) =>
    [...architectures, ...Object.keys(ends)].some((each) =>
      new RegExp(`^${stem}(?:LMHeadModel|Model|For[A-Z]\\w+)$`, "u").test(each),
    ),
  );
  const types = named.flatMap(({ model_type: all }) => all);
  const own = types.filter((type) => type.replaceAll(/[_-]/gu, "") === stem.toLowerCase());
  return own.length > 0 ? own : types;
}

/** `ForCausalLM` of `LlamaForCausalLM`; `Model` of a class without a task. */
function taskOf(name: string): string {
  if (name.endsWith("LMHeadModel")) return "ForCausalLM";
  return /For[A-Z]\w+$/u.exec(name)?.[0] ?? "Model";
}
