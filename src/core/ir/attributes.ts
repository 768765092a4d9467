/** Value of an operator's attribute, an argument that is no tensor. */
export type Attribute = number | boolean | string | readonly number[];

/** Arguments that are no tensors, by the name of their parameter. */
export type Attributes = Readonly<Record<string, Attribute>>;
