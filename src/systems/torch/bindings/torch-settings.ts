import { fieldOf } from "#core/records";
import type { Argument, Context, Value } from "#language/python";

/** A value of a setting: `null` is Python's `None`. */
type Plain = number | string | boolean | null;

const convolution = { padding_mode: ["zeros"] };
const table = { max_norm: [null], sparse: [false] };
const scaled = { alpha: [1], beta: [1] };

/**
 * Settings that are accepted but not computed with, by layer or function, each with the values under
 * which the elements are still right (PyTorch 2.13's defaults). Under others only the shapes are.
 */
const uncomputed: Readonly<Record<string, Readonly<Record<string, readonly Plain[]>>>> = {
  add: { alpha: [1] },
  addmm: { ...scaled, out_dtype: [null] },
  avg_pool2d: { count_include_pad: [true], divisor_override: [null] },
  bmm: { out_dtype: [null] },
  div: { rounding_mode: [null] },
  embedding: table,
  instance_norm: { use_input_stats: [true] },
  mm: { out_dtype: [null] },
  norm: { p: [null, "fro", 2] },
  scaled_dot_product_attention: { dropout_p: [0] },
  sub: { alpha: [1] },
  Conv1d: convolution,
  Conv2d: convolution,
  Conv3d: convolution,
  Embedding: table,
  SyncBatchNorm: { process_group: [null] },
};

/**
 * Whether a setting is known to have no effect on the computation.
 *
 * @internal
 */
export function isUncomputed(callee: string, setting: string): boolean {
  return fieldOf(fieldOf(uncomputed, callee), setting) !== undefined;
}

/** Says of settings that are taken and not computed with, once of each in one reading. */
export class TorchSettings {
  private readonly said = new Set<string>();

  /** @param args those with names; a leading `_` marks one that the operator does not take */
  say(callee: string, args: readonly Argument[], context: Context): void {
    const own = Object.hasOwn(uncomputed, callee) ? fieldOf(uncomputed, callee) : undefined;
    const isLoss = /loss$|^kl_div$|^(binary_)?cross_entropy/i.test(callee);
    if (own === undefined && !isLoss) return;
    for (const { name, value, span } of args) {
      const setting = name?.replace(/^_/, "") ?? "";
      const same =
        own !== undefined && Object.hasOwn(own, setting) ? fieldOf(own, setting) : undefined;
      const id = `${callee}.${setting}`;
      const isOpen = isLoss && lossSettings.has(setting) && !isPlain(value);
      const isOther = same !== undefined && !isAmong(value, same);
      if (this.said.has(id) || !(isOpen || isOther)) continue;
      this.said.add(id);
      context.report({
        code: "document/setting-not-computed",
        severity: "warning",
        message: `"${setting}" of ${callee} is not computed with: shapes stand, elements are those without it`,
        span,
      });
    }
  }
}

/** Settings that losses compute with, if they are numbers, flags or words. */
const lossSettings: ReadonlySet<string> = new Set([
  ...["ignore_index", "label_smoothing", "beta", "delta", "margin", "log_target", "log_input"],
  ...["full", "eps", "p", "swap"],
]);

function isPlain({ kind }: Value): boolean {
  return kind === "none" || kind === "int" || kind === "float" || kind === "bool" || kind === "str";
}

function isAmong(value: Value, plains: readonly Plain[]): boolean {
  switch (value.kind) {
    case "none":
      return plains.includes(null);
    case "int":
    case "float":
      return plains.includes(Number(value.value));
    case "str":
    case "bool":
      return plains.includes(value.value);
    default:
      return false;
  }
}
