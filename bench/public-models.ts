import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A class of `transformers` with its arguments, and the sizes of a published and a small model. */
interface PublicModel {
  readonly name: string;
  readonly class: string;
  readonly config: string;
  readonly sizes: string;
  readonly text: readonly string[];
  readonly published: Readonly<Record<string, number>>;
  readonly small: Readonly<Record<string, number>>;
}

/** A class from its source file, to be planned, and the package's own class, to be run. */
export interface PublicCase {
  readonly name: string;
  /** Source file of the class at published widths, with two layers. */
  readonly program: string;
  /** Text that runs the package's class in a small size. */
  readonly text: string;
}

/**
 * Models of `transformers` from their source files; a string says why there are none, when the
 * package is missing.
 */
export function publicModels(python: string): readonly PublicCase[] | string {
  const asked = ["-c", "import transformers, os; print(os.path.dirname(transformers.__file__))"];
  const { status, stdout } = spawnSync(python, asked, { encoding: "utf8" });
  const place = stdout?.trim().split("\n").at(-1) ?? "";
  if (status !== 0 || place === "") return "transformers is not installed beside PyTorch";
  const all: readonly PublicModel[] = JSON.parse(
    readFileSync(join("engines", "public-models.json"), "utf8"),
  );
  return all.map((model) => ({
    name: model.name,
    program: `${fileOf(place, model.name)}\nmesh = Mesh(dp=2, tp=4)\n${linesOf(model, model.published)}`,
    text: `import torch.nn.functional as F\nfrom transformers import ${model.class}, ${model.config}\n\n# The plan.\n${linesOf(model, model.small)}`,
  }));
}

/** Source file of a model, with the imports that it needs outside its package. */
function fileOf(place: string, name: string): string {
  const text = readFileSync(join(place, "models", name, `modeling_${name}.py`), "utf8")
    .replace(/^from \.\.\. import/gmu, "from transformers import")
    .replace(/^from \.\.\.(?=\w)/gmu, "from transformers.")
    .replace(/^from \.\.(?=\w)/gmu, "from transformers.models.")
    .replace(/^from \.(?=\w)/gmu, `from transformers.models.${name}.`);
  return `import torch.nn.functional as F\n${text}`;
}

function linesOf(model: PublicModel, sizes: PublicModel["published"]): string {
  const sized = (line: string) =>
    line.replace(/\{(\w)\}/gu, (_, name: string) => String(sizes[name]));
  const made = `model = ${model.class}(${model.config}(${sized(model.sizes)}))`;
  return `${[made, ...model.text.map(sized), "train(loss)"].join("\n")}\n`;
}
