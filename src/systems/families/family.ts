/** A family of models and which configurations are of it. */
export interface Family {
  /** The values of `model_type` that it stands for. */
  readonly model_type: readonly string[];
  /** For a type with several models: the classes that this text stands for. */
  readonly architectures?: readonly string[];
  /** Further classes of its layers, each with the one in `X.ends.py`, beside `X.py`, that it is. */
  readonly ends?: Readonly<Record<string, string>>;
  /** Types of models of several parts whose language part is of it. */
  readonly language?: readonly string[];
  /**
   * Values of keys that a configuration must have to be of it; null where it must say null, the name of
   * another key where it must have the value of that.
   */
  readonly where?: Readonly<Record<string, unknown>>;
  /** The size that is how many tokens of each row stand for an image, in front of those of text. */
  readonly front?: string;
  /** The file of its text. */
  readonly text: string;
  readonly title: string;
  /** Values of keys that a configuration leaves out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The model's own values of missing keys, where they differ from the text's. */
  readonly missing?: Readonly<Record<string, unknown>>;
  /** Keys that the model does not read. */
  readonly unread?: readonly string[];
  /** Lists of a value a layer: the values that the text repeats over its layers. */
  readonly repeats?: Readonly<Record<string, readonly string[]>>;
  /** Lists of a 0 once in so many layers, else 1: the size that says how many. */
  readonly every?: Readonly<Record<string, string>>;
  /** Lists of the places of one in so many layers, from 0: the size that says how many. */
  readonly places?: Readonly<Record<string, string>>;
  /** Sizes that may be none, with which the text is the model too. */
  readonly optional?: readonly string[];
  /** Paths of keys that must be as another size of the text is, and that it does not read. */
  readonly same?: Readonly<Record<string, string>>;
  /** Paths of keys that lie inside others or have other names, with the sizes of the text that they are. */
  readonly nested?: Readonly<Record<string, string>>;
}
