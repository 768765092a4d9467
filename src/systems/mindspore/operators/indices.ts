import { passed } from "#core/diagnostics";
import { type OperatorRule, refused } from "./call.ts";

/**
 * Index: both dims of a matrix may be cut, each device finds the elements of its own block, and an
 * AllReduce over all of them adds up, even over one device. MindSpore 2.10 takes a matrix with two
 * lists of indices only, whatever the strategy says of these (`index_info`, and its compiled
 * graphs).
 */
export const indexRule: OperatorRule = {
  tuples: (call) => {
    const { shapes, strategies, attributes } = call;
    const [x = [], ...indices] = shapes;
    const { nested } = attributes;
    if (Array.isArray(nested) && (nested.length > 2 || nested[1] === false))
      return refused("the strategies of the indices of Index stand in one tuple of tuples");
    if (x.length !== 2 || indices.length !== 2 || indices.some(({ length }) => length !== 1))
      return refused("Index takes a matrix and two indices of one dim each");
    const size = Math.max(...indices.flat());
    return passed({
      deviceMatrix: strategies[0] ?? [],
      inputMaps: [[1, 0], [-1], [-1]],
      outputs: [{ shape: [size], map: [-1] }],
      forward: [{ primitive: "AllReduce", axes: [1, 0], standsAlone: true }],
    });
  },
  noDefault:
    "Index has no strategy, and MindSpore 2.10 makes none for an operator of lists: give it one",
};
