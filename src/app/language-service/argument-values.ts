import { policyNames } from "#compile";
import {
  assumedMachine,
  type ChipFigures,
  machinePresets,
  type OwnHardware,
  parseMachine,
} from "#core/cost/machines";
import { chipText, linksText, ownHardwareText } from "#language/document/edit";
import type { CallPlace } from "#language/tokens";
import type { CompletionItem } from "./completion.ts";
import type { Facts } from "./facts.ts";

export const dtypeNames = ["f32", "bf16", "f16", "f64", "i8", "i16", "i32", "i64", "u8", "bool"];
export const optimizerNames = ["sgd", "momentum", "adam", "adamw"];

/** The values of an argument by its keyword, if there are few: `zero=`, `dtype=`. */
export function argumentValues(
  facts: Facts,
  { word, call, path }: CallPlace,
): readonly CompletionItem[] {
  if (path.length !== 1 || call.keyword === undefined) return [];
  const texts = (names: readonly string[], kind: CompletionItem["kind"]) =>
    names.map((name) => item(name, `"${name}"`, kind));
  switch (`${word} ${call.keyword}`) {
    case "Tensor dtype":
    case "Parameter dtype":
      return texts(dtypeNames, "dtype");
    case "train optimizer":
      return texts(optimizerNames, "word");
    case "train zero":
      return ["0", "1", "2", "3"].map((level) => item(level, level, "count"));
    case "reshard steps":
      return texts(policyNames(), "word");
    case "Mesh hardware":
      return [
        ...texts(machinePresets, "word"),
        figureItem("a device of one's own", ownHardwareText(ownDevice(facts))),
      ];
    case "Mesh chip":
      return [figureItem("figures of a device", chipText({ chip: figures(facts) }))];
    case "Mesh links":
      return facts.compiled.mesh.mesh.axes.map(({ name, link }) =>
        figureItem(
          `the link of ${name}`,
          linksText({ links: { [name]: link ?? facts.compiled.hardware.link } }),
        ),
      );
    case "partition num":
    case "dict num":
      return divisorsOf(facts.compiled.mesh.mesh.devices.length).map((count) =>
        item(`${count}`, `${count}`, "count"),
      );
    default:
      return [];
  }
}

/** The present figures, as a starting point for changes. */
function figures({ compiled }: Facts): ChipFigures {
  const { flops, memoryBytes, memoryBandwidth } = compiled.hardware;
  return { flops, memoryBytes, memoryBandwidth };
}

/** The present device, as a starting point for the reader's own. */
function ownDevice(facts: Facts): OwnHardware {
  const { name, given } = facts.compiled.hardware;
  const machine = parseMachine(name).ok ? name.replaceAll("×", "x") : assumedMachine;
  return { from: given?.from ?? { machine }, figures: { chip: figures(facts), links: {} } };
}

function figureItem(label: string, text: string | undefined): CompletionItem {
  return item(label, text ?? "{}", "word");
}

/** The divisors of a number of devices, at most ten. */
export function divisorsOf(count: number): readonly number[] {
  const most = Math.min(count, 4096);
  const all = Array.from({ length: most }, (_, at) => at + 1).filter((n) => count % n === 0);
  return all.slice(0, 10);
}

function item(label: string, insert: string, kind: CompletionItem["kind"]): CompletionItem {
  return { label, kind, insert, detail: "", filter: label };
}
