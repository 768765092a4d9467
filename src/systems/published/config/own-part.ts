import { isRecord } from "#core/records";
import { oneLine } from "../refused.ts";
import { type Families, type Family, familyOf, type Identity } from "./family.ts";
import { isWithoutInfluence } from "./known-keys.ts";

/** A configuration as JSON has it. */
export type Config = Readonly<Record<string, unknown>>;

/** The configuration that has a text: the whole one, or its language part. */
export interface OwnPart {
  readonly identity: Identity;
  readonly family: Family | undefined;
  /** The class of the family's layers that it is, if there are several. */
  readonly end: string | undefined;
  readonly config: Config;
  /** Parts of the model that the text leaves out, in words of the file. */
  readonly left: readonly string[];
}

/** The part of a configuration of which some family is the text, and what of the rest is lost. */
export function partOf(families: Families, whole: Config): OwnPart {
  const config = plainRotary(withOlderParts(whole));
  const identity = identityOf(config);
  const found = familyOf(families, identity, config);
  const own = { identity, family: found?.family, end: found?.end, config };
  if (found !== undefined)
    return { ...own, left: found.isOwnClass ? [] : otherClass(identity, found.family) };
  return languagePart(families, own) ?? { ...own, left: [] };
}

/**
 * The language model in a configuration of several, where its own type is known, or where its keys
 * stand among those of the whole.
 */
function languagePart(
  families: Families,
  { identity, config }: Pick<OwnPart, "identity" | "config">,
): OwnPart | undefined {
  const { text_config: language, tie_word_embeddings: tied, ...rest } = config;
  const inner = isRecord(language) ? plainRotary(language) : config;
  const { type = "" } = identityOf(inner);
  const family =
    familyOf(families, { type, classes: [] }, inner)?.family ??
    families.list.find((each) => each.language?.includes(type));
  if (family === undefined) return undefined;
  const whole = oneLine(identity.classes.join(", ") || type);
  const what = `${whole}: the text is its language part`;
  if (inner === config) return { identity, family, end: undefined, config, left: [what] };
  const types = Object.fromEntries(
    Object.entries(rest).filter(([key]) => /^(?:torch_)?dtype$/u.test(key)),
  );
  const shared = tied === undefined ? {} : { tie_word_embeddings: tied };
  const others = Object.entries(rest).filter(
    ([key, value]) => !isWithoutInfluence(key, value, false),
  );
  return {
    ...{ identity, family, end: undefined, config: { ...types, ...shared, ...inner } },
    left: [what, ...others.map(([key, value]) => said(key, value))],
  };
}

/** The configurations of parts as they were called before, `text_config_dict`, in place of the others. */
function withOlderParts(config: Config): Config {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      const older = config[`${key}_dict`];
      if (isRecord(value) && isRecord(older)) return [[key, older]];
      return key.endsWith("_config_dict") && isRecord(value) && isRecord(config[key.slice(0, -5)])
        ? []
        : [[key, value]];
    }),
  );
}

/** A configuration of another class of the same type has the same layers, and another end. */
function otherClass({ classes }: Identity, { architectures = [] }: Family): readonly string[] {
  return [`${oneLine(classes.join(", "))}: the text is ${architectures[0] ?? "another class"}`];
}

/** Whether rotary angles are unscaled, as in the paper. */
function isPlain(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const kind = value.rope_type ?? value.type ?? "default";
  return kind === "default" && value.factor === undefined;
}

/**
 * `rope_parameters`, or `rope_scaling` of the kind that changes nothing, as the keys that they were
 * before; of several kinds of layers those of the whole sequence, and of the window.
 */
function plainRotary(config: Config): Config {
  const { rope_parameters: rotary, ...others } = config;
  const { rope_scaling: scaling, ...rest } = others;
  const kept =
    scaling === undefined || (isPlain(scaling) && Object.keys(scaling as Config).length <= 1);
  const before: Config = kept ? rest : others;
  if (!isRecord(rotary))
    return rotary === undefined ? before : { ...before, rope_parameters: rotary };
  const { full_attention: full, sliding_attention: sliding } = rotary;
  const main = isRecord(full) ? full : rotary;
  const parts = [main, ...(isRecord(sliding) ? [sliding] : [])];
  const { rope_theta: theta, partial_rotary_factor: share } = main;
  return {
    ...before,
    ...(theta !== undefined && { rope_theta: theta }),
    ...(share !== undefined && { partial_rotary_factor: share }),
    ...(isRecord(sliding) && { rope_local_base_freq: sliding.rope_theta }),
    ...(!parts.every(isPlain) && { rope_parameters: rotary }),
  };
}

function identityOf({ model_type: type, architectures }: Readonly<Record<string, unknown>>) {
  const classes = Array.isArray(architectures) ? architectures : [];
  const identity: Identity = {
    type: typeof type === "string" ? type : undefined,
    classes: classes.filter((each): each is string => typeof each === "string"),
  };
  return identity;
}

/** A key with its value, where that is short. */
export function said(key: string, value: unknown): string {
  return oneLine(isShort(value) ? `${key} = ${String(value)}` : key);
}

function isShort(value: unknown): boolean {
  return (
    ["number", "boolean"].includes(typeof value) || (typeof value === "string" && value.length < 24)
  );
}
