import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { type Checked, failed, passed } from "#core/diagnostics";
import { accelerate, deepspeed } from "./libraries.ts";
import { sglang, vllm } from "./servers.ts";
import type { ParallelSettings } from "./settings.ts";
import { maxtext, megatron, torchtitan } from "./trainers.ts";
import { BadValue, readWords, type Said, type SaidWords, type Tool } from "./words.ts";

/** Longest text that can be settings, in characters. */
const mostCharacters = 200_000;
/** Most nested levels of settings. */
const mostNested = 12;

/**
 * Reads the settings of a trainer or server: arguments of Megatron-LM, vLLM and SGLang, JSON of
 * DeepSpeed, TOML of torchtitan, YAML of MaxText or Accelerate. Each word has the meaning that its
 * tool documents; a word that no plan can express is listed.
 */
export function readSettings(text: string): Checked<ParallelSettings> {
  if (text.length > mostCharacters) return bad("a text of this length is no settings");
  try {
    const read = toolOf(text);
    if (read === undefined) return bad(nobodys);
    return passed(readWords(read.tool, read.said));
  } catch (thrown) {
    if (thrown instanceof BadValue) return bad(thrown.message);
    throw thrown;
  }
}

/** Whether a text holds the settings of a known tool, valid or not. */
export function holdsSettings(text: string): boolean {
  if (text.length > mostCharacters) return false;
  try {
    return toolOf(text) !== undefined;
  } catch (thrown) {
    if (thrown instanceof BadValue) return false;
    throw thrown;
  }
}

const nobodys =
  "these are no settings of Megatron-LM, DeepSpeed, torchtitan, MaxText, vLLM, SGLang or Accelerate that are known here";

function bad(message: string): Checked<never> {
  return failed({ code: "settings/unreadable", severity: "error", message });
}

/** Python code that defines such arguments is not settings. */
const isCode = /^\s*(import|from|def|class)\s|\badd_argument\(/m;

interface Read {
  readonly tool: Tool;
  readonly said: SaidWords;
}

function toolOf(text: string): Read | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return jsonTool(trimmed);
  if (isCode.test(trimmed)) return undefined;
  if (/(^|\s)--?[a-z]/.test(trimmed) && !/^\s*\[?[\w.-]+\]?\s*[:=]/.test(trimmed)) {
    return argumentTool(argumentsIn(trimmed));
  }
  if (/^\s*\[[\w.]+\]\s*$/m.test(trimmed)) return tomlTool(trimmed);
  return yamlTool(trimmed);
}

function jsonTool(text: string): Read | undefined {
  const said = flattened(parsed(() => JSON.parse(text), "JSON"));
  const isOne = [...said.keys()].some((word) =>
    /^(zero_optimization|train_(micro_)?batch_size|gradient_accumulation_steps)/.test(word),
  );
  return isOne ? { tool: deepspeed, said } : undefined;
}

function tomlTool(text: string): Read | undefined {
  const said = flattened(parsed(() => parseToml(text), "TOML"));
  const isOne = [...said.keys()].some((word) => /^(parallelism|training|job)\./.test(word));
  return isOne ? { tool: torchtitan, said } : undefined;
}

function yamlTool(text: string): Read | undefined {
  const said = flattened(
    parsed(() => parseYaml(text, { maxAliasCount: 50, logLevel: "error" }), "YAML"),
  );
  const words = [...said.keys()];
  if (words.some((word) => /^(ici|dcn)_\w+_parallelism$/.test(word)))
    return { tool: maxtext, said };
  return said.has("distributed_type") || said.has("compute_environment")
    ? { tool: accelerate, said }
    : undefined;
}

function parsed(read: () => unknown, format: string): unknown {
  try {
    return read();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.split("\n")[0] : "";
    throw new BadValue(`this is no ${format}: ${why}`);
  }
}

/** Nested settings with dotted names; values such as lists stay whole. */
function flattened(value: unknown, before = "", depth = 0): Map<string, Said> {
  const said = new Map<string, Said>();
  if (typeof value !== "object" || value === null || depth > mostNested) return said;
  for (const [name, inner] of Object.entries(value)) {
    const word = `${before}${name}`;
    if (isSaid(inner)) said.set(word, inner);
    else for (const [more, each] of flattened(inner, `${word}.`, depth + 1)) said.set(more, each);
  }
  return said;
}

function isSaid(value: unknown): value is Said {
  return value === null || typeof value !== "object" || Array.isArray(value);
}

/** Options of a command line or shell script: `--name value`, `--name=value`, `--flag`, `-tp 8`. */
function argumentsIn(text: string): SaidWords {
  const said = new Map<string, Said>();
  const tokens = wordsOf(text);
  for (const [at, token] of tokens.entries()) {
    const named = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(token);
    if (named === null) continue;
    const [, name = "", value] = named;
    // `python -m module`
    if (name === "m" && value === undefined) continue;
    const next = tokens[at + 1];
    const own = value ?? (next === undefined || isOption(next) ? true : next);
    said.set(name.replaceAll("_", "-"), own);
  }
  return said;
}

function isOption(token: string): boolean {
  return /^--?[a-zA-Z]/.test(token);
}

/** Words of a shell script, without comments and line continuations; variables are not expanded. */
function wordsOf(text: string): readonly string[] {
  const code = text.replaceAll(/(^|\s)#[^\n]*/g, "$1").replaceAll(/\\\r?\n/g, " ");
  return [...code.matchAll(/"([^"]*)"|'([^']*)'|[^\s"'()]+/g)].map(
    ([whole, double, single]) => double ?? single ?? whole,
  );
}

function argumentTool(said: SaidWords): Read | undefined {
  const has = (...words: readonly string[]) => words.some((word) => said.has(word));
  if (
    has("tensor-model-parallel-size", "pipeline-model-parallel-size", "use-distributed-optimizer")
  )
    return { tool: megatron, said };
  if (has("expert-model-parallel-size", "context-parallel-size", "micro-batch-size"))
    return { tool: megatron, said };
  if (has("tp-size", "dp-size", "ep-size", "model-path", "mem-fraction-static"))
    return { tool: sglang, said };
  if (has("tensor-parallel-size", "data-parallel-size", "pipeline-parallel-size", "tp", "pp", "dp"))
    return { tool: vllm, said };
  return undefined;
}
