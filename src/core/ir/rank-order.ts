import { type Expr, folded, index, read, type Table, tabled } from "./body/body.ts";
import { add, equal, less, mul } from "./body/expressions.ts";
import { type BoundCall, operandAt } from "./call.ts";

/**
 * Table `rank`: for each element, the number of elements along an axis that come before it, 0 for
 * the first. Among equal elements the lower index comes first. All pairs are compared, so no order
 * of evaluation is assumed.
 */
export function rankOrder(
  call: BoundCall,
  axis: string,
  first: "largest" | "smallest",
  operand = 0,
): Table {
  const x = operandAt(call, operand);
  const names = call.axes.map(({ name }) => name).filter((name) => isAxisOf(x, name));
  const size = call.axes.find(({ name }) => name === axis)?.size ?? 1;
  const other = index("other");
  const at = x.dims.map(
    ({ identifiers }): Expr => (identifiers[0] === axis ? other : index(identifiers[0] ?? "")),
  );
  const [own, its] = [read(operand), read(operand, at)];
  const isBefore = first === "largest" ? less(own, its) : less(its, own);
  const tied = mul(equal(own, its), less(other, index(axis)));
  return tabled("rank", names, folded("sum", [{ axis: "other", size }], add(isBefore, tied)));
}

function isAxisOf(
  { dims }: { readonly dims: readonly { readonly identifiers: readonly string[] }[] },
  name: string,
) {
  return dims.some(({ identifiers }) => identifiers.includes(name));
}
