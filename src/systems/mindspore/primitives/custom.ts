import { type LinksOf, own } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** The results of `Custom` have dims of their own, which its Layouts cut. */
const customLinks: LinksOf = ({ attributes: { out_shapes: shapes } }) =>
  Array.isArray(shapes)
    ? { outputs: (shapes as readonly (readonly number[])[]).map((shape) => shape.map(own)) }
    : undefined;

/** Custom: its operands are read by its own functions. */
export const customRow: SpecRow = [
  "Custom",
  "func out_shape out_dtype func_type bprop reg_info",
  "",
  customLinks,
];
