import { capitalized } from "#core/diagnostics";
import { bytesOf, parseDType } from "#core/ir";
import { callAround, insideOf, type TextPlace } from "#language/tokens";
import { boundNames, type Facts } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { signatureOf } from "./signatures.ts";

/** The hover on a keyword of a call: the meaning of the parameter. */
export function parameterHover(facts: Facts, { token, text, open }: TextPlace): Hover | undefined {
  const around = callAround(open);
  if (token?.kind !== "parameter" || around?.path.length !== 1) return undefined;
  const signature = signatureOf(around.call.callee, boundNames(facts));
  const parameter = signature?.parameters.find(({ name }) => name === text);
  if (signature === undefined || parameter === undefined) return undefined;
  return {
    span: token,
    title: `${signature.name}(${parameter.shown})`,
    lines: [`${capitalized(parameter.meaning)}.`],
  };
}

/** The hover on a string that names a data type, the hardware, or `None`. */
export function textHover(facts: Facts, { token, open }: TextPlace): Hover | undefined {
  if (token?.kind !== "string" || open.length === 0) return undefined;
  const { span, text } = insideOf(facts.source, token);
  const around = callAround(open);
  if (around?.call.keyword === "hardware") return { span, ...hardwareWords(facts) };
  const dtype = parseDType(text);
  if (dtype !== undefined) {
    const bytes = bytesOf(dtype);
    return {
      span,
      title: text,
      lines: [`A data type: ${bytes} ${bytes === 1 ? "byte" : "bytes"} an element.`],
    };
  }
  if (text !== "None") return undefined;
  return {
    span,
    title: '"None"',
    lines: ["No mesh axis cuts this dim: every device holds it whole."],
  };
}

function hardwareWords({ compiled }: Facts): Pick<Hover, "title" | "lines"> {
  const { name, flops, memoryBytes, memoryBandwidth, link, basis, sources } = compiled.hardware;
  return {
    title: `hardware ${name}`,
    lines: [
      `Figures are modelled for ${name}, ${compiled.hardwareStatus}.`,
      `${flops / 1e12} TFLOP/s, ${memoryBytes / 1e9} GB at ${memoryBandwidth / 1e12} TB/s, links of ${link.bandwidth / 1e9} GB/s with ${link.latency * 1e6} µs a hop.`,
      `${basisSentences[basis]}${sources === undefined ? "" : ` Peaks: ${sources.peaks}.`}`,
    ],
  };
}

const basisSentences = {
  measured: "Times of kernels are measured on this device.",
  scaled: "Times of kernels are measured on another device, scaled by peak and bandwidth.",
  sheet: "Times of kernels follow from the data sheet alone; nothing was measured.",
};
