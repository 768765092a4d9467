import { fieldOf } from "#core/records";

const sentences: Readonly<Record<string, string>> = {
  cross_batch: "each device keeps the result of its own part, and nothing is combined",
  skip_redistribution: "each device reshapes the block that it holds, and nothing is sent",
  self_define_shard: "its layouts are those that the text gives, whatever its rule says",
  manual_split: "each device looks up in its own rows alone, in pieces of the sizes given",
  manual_split_with_offset: "each device looks up in its own rows alone, in pieces as given",
};

/**
 * The reason why an operator runs unverified, according to the text: `As given by cross_batch: …`.
 *
 * @param from name of the unverified tensor that the operator reads, if the operator itself is
 *   verified
 */
export function unverifiedSentence(rule: string, from?: string): string {
  const why = Object.hasOwn(sentences, rule)
    ? fieldOf(sentences, rule)
    : "it runs as the text says";
  const end = "so values may differ from the unsharded program.";
  return from === undefined
    ? `As given by ${rule}: ${why}, ${end}`
    : `Computed of ${from}, which is as given by ${rule}, ${end}`;
}
