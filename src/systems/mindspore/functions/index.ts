import functional from "./functional.py?raw";
import type { FunctionsOf } from "./functions-of.ts";
import inplace from "./inplace.py?raw";
import mint from "./mint.py?raw";
import numpy from "./numpy.py?raw";
import ops from "./ops.py?raw";
import places from "./places.py?raw";
import shared from "./shared.py?raw";
import tensor from "./tensor.py?raw";

export type { FunctionsOf } from "./functions-of.ts";
export { type SimpleFunction, simpleFunction } from "./simple-functions.ts";

/**
 * Python texts of the functions of each family, as the primitives that MindSpore 2.10 compiles them
 * to.
 */
export const functionTexts: Readonly<Record<FunctionsOf, string>> = {
  ops: `${shared}\n${ops}`,
  mint: `${shared}\n${mint}`,
  functional: `${shared}\n${functional}`,
  numpy: `${shared}\n${numpy}`,
  // Most methods are the functions of `ops`.
  Tensor: `${shared}\n${ops}\n${tensor}\n${places}\n${inplace}`,
};
