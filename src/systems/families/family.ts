/** A family of models, and the configurations that belong to it. */
export interface Family {
  /** Its values of `model_type`. */
  readonly model_type: readonly string[];
  /** If the type has several models: the classes that this text defines. */
  readonly architectures?: readonly string[];
  /**
   * Further classes of its layers by published name, each with its class name in `X.ends.py`,
   * beside `X.py`.
   */
  readonly ends?: Readonly<Record<string, string>>;
  /** Types of multi-part models whose language part belongs to the family. */
  readonly language?: readonly string[];
  /**
   * Values that a configuration must have, by key: null if it must be null; the name of another key
   * if it must equal that key's value.
   */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Values that another net of the same type has, by key: a configuration with one is refused. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** Name of the size that counts the image tokens before the text tokens of each row. */
  readonly front?: string;
  /** File name of its text. */
  readonly text: string;
  readonly title: string;
  /** Values of keys missing in a configuration. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The model's own values of missing keys, if they differ from the text's. */
  readonly missing?: Readonly<Record<string, unknown>>;
  /** Keys that the model does not read. */
  readonly unread?: readonly string[];
  /** Keys with one value per layer: the values that the text repeats over its layers. */
  readonly repeats?: Readonly<Record<string, readonly string[]>>;
  /** Keys with a list that is 0 at every n-th layer and else 1: the size that holds n. */
  readonly every?: Readonly<Record<string, string>>;
  /** Keys that list every n-th layer, from 0: the size that holds n. */
  readonly places?: Readonly<Record<string, string>>;
  /** Sizes that may be null without changing the model. */
  readonly optional?: readonly string[];
  /** Paths of keys that the text does not read, and that must equal one of its sizes. */
  readonly same?: Readonly<Record<string, string>>;
  /** Paths of nested or differently named keys, with the text's size for each. */
  readonly nested?: Readonly<Record<string, string>>;
}
