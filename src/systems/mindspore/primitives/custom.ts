import { type LinksOf, own } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Links of `Custom`: result dims are independent of the inputs; its Layouts cut them. */
const customLinks: LinksOf = ({ attributes: { out_shapes: shapes } }) =>
  Array.isArray(shapes)
    ? { outputs: (shapes as readonly (readonly number[])[]).map((shape) => shape.map(own)) }
    : undefined;

/** Row of Custom; its operands are read by `customCall`. */
export const customRow: SpecRow = [
  "Custom",
  "func out_shape out_dtype func_type bprop reg_info",
  "",
  customLinks,
];
